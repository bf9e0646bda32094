/** How often a text may be encoded: JSON in JSON, escaped for HTML. */
const MAX_ENCODINGS = 6;

/**
 * Decodes a text in each way in which others may read it: without escapes, entities and marks that
 * nobody sees; without tags; as an e-mail's body; and what it holds in Base64.
 *
 * @param text The text.
 */
export function decodeText(text: string): readonly string[] {
  const plain = withoutEscapes(text);
  const others = [
    ...(/<\/?[a-z]/i.test(plain) ? [plain.replace(/<[^<>]{0,500}>/g, "")] : []),
    ...(/=(?:\r?\n|[\dA-F]{2})/.test(text) ? [withoutEscapes(withoutQuoting(text))] : []),
    ...base64In(text).map(withoutEscapes),
  ];
  return [plain, ...others];
}

function withoutEscapes(text: string): string {
  let decoded = text.replace(/\p{Cf}/gu, "");
  for (let round = 0; round < MAX_ENCODINGS; round++) {
    const next = decoded
      .replace(/\\{2,}/g, "\\")
      .replace(/&#x([0-9a-f]{1,6});/gi, (_, code) => character(Number.parseInt(code, 16)))
      .replace(/&#(\d{1,7});/g, (_, code) => character(Number(code)))
      .replace(/&([a-z]{2,31});/gi, (_, name) => entity(name))
      .replace(/(?:%[\da-f]{2})+/gi, (bytes) => fromBytes(bytes.match(/[\da-f]{2}/gi), 16))
      .replace(/(?:\\x[\da-f]{2})+/gi, (bytes) => fromBytes(bytes.match(/[\da-f]{2}/gi), 16))
      .replace(/(?:\\[0-3][0-7]{2}(?!\d))+/g, (bytes) => fromBytes(bytes.match(/[0-7]{3}/g), 8))
      .replace(/\\0([\da-f]{5}) ?/gi, (_, code) => character(Number.parseInt(code, 16)))
      .replace(/\\u([\da-f]{4})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
      .replace(/\\u\{([\da-f]{1,6})\}|\\U([\da-f]{8})/gi, (_, code, long) =>
        character(Number.parseInt(code ?? long, 16)),
      )
      .replace(/\\[nrtbf]/g, " ")
      .replace(/\\(?=[^\w\s])/g, "");
    if (next === decoded) break;
    decoded = next;
  }
  return decoded;
}

/** Letters with a mark, as HTML names them; any other sign only parts words. */
const MARKED =
  /^([a-z])(?:acute|grave|circ|uml|tilde|ring|cedil|caron|slash|breve|macr|ogon|dot)$/i;
const ENTITIES: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  amp: "&",
  lt: "<",
  gt: ">",
  lbrace: "{",
  rbrace: "}",
  lcub: "{",
  rcub: "}",
  lpar: "(",
  rpar: ")",
  percnt: "%",
  bsol: "\\",
  szlig: "ß",
  aelig: "æ",
  oelig: "œ",
};

function entity(name: string): string {
  return MARKED.exec(name)?.[1] ?? ENTITIES[name.toLowerCase()] ?? " ";
}

function character(code: number): string {
  return code > 0x1f && code <= 0x10ffff ? String.fromCodePoint(code) : " ";
}

function fromBytes(digits: readonly string[] | null, base: number): string {
  const bytes = Uint8Array.from(digits ?? [], (digit) => Number.parseInt(digit, base));
  return new TextDecoder().decode(bytes).replace(/\p{Cc}/gu, " ");
}

/** Quoted-printable: `=C3=BC`, and lines broken by `=`. */
function withoutQuoting(text: string): string {
  return text
    .replace(/=\r?\n/g, "")
    .replace(/(?:=[\dA-F]{2})+/g, (bytes) => fromBytes(bytes.match(/[\dA-F]{2}/g), 16));
}

function base64In(text: string): readonly string[] {
  const found = text.match(/[A-Za-z\d+/_-]{24,}={0,2}/g) ?? [];
  return found.flatMap((part) => {
    try {
      const binary = atob(part.replaceAll("-", "+").replaceAll("_", "/"));
      const bytes = Uint8Array.from(binary, (sign) => sign.charCodeAt(0));
      return [new TextDecoder("utf-8", { fatal: true }).decode(bytes)];
    } catch {
      return [];
    }
  });
}
