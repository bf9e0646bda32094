import type { BaseMessage } from "@langchain/core/messages";
import { compileSchema } from "../../../repair/schema/compile-schema.ts";
import type { ToolLike } from "../../../repair/types.ts";
import { wordsIn } from "../../../repair/words/vocabulary.ts";
import { isAIMessage } from "../messages.ts";

/** A text that a model was shown. */
export interface ShownText {
  readonly text: string;
  /**
   * Who wrote it: users ask in their own words, and developers and models speak
   * of tools.
   */
  readonly by: "user" | "developer" | "model" | "stranger";
}

const AUTHORS: Readonly<Record<string, ShownText["by"]>> = {
  human: "user",
  ai: "model",
  system: "developer",
  developer: "developer",
};

/**
 * Collects what a model was shown: text, thoughts, arguments of its own calls,
 * descriptions of tools.
 */
export function shownTexts(
  messages: readonly BaseMessage[],
  tools: readonly ToolLike[] = [],
): readonly ShownText[] {
  const described = tools.map(({ description = "", schema }) => {
    const text = `${description}\n${shownText(compileSchema(schema).jsonSchema)}`;
    return { text, by: "developer" as const };
  });
  return [...messages.flatMap(textsOf), ...described];
}

function textsOf(message: BaseMessage): readonly ShownText[] {
  const {
    tool_calls: _calls,
    function_call: _call,
    ...kwargs
  } = message.additional_kwargs ?? {};
  const { tool_calls = [], invalid_tool_calls = [] } = isAIMessage(message)
    ? message
    : {};
  const args = [...tool_calls, ...invalid_tool_calls].map((call) => call.args);
  const by = AUTHORS[message._getType()] ?? "stranger";
  const texts = [message.content, ...args, ...Object.values(kwargs)].map(
    shownText,
  );
  return texts
    .filter((text) => text.trim() !== "")
    .map((text) => ({ text, by }));
}

/**
 * Makes one text of a value; what stands in several blocks also stands there as
 * one.
 */
export function shownText(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return [JSON.stringify(value) ?? "", blockTextsIn(value).join("")].join(
      "\n",
    );
  } catch {
    return "";
  }
}

function blockTextsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(blockTextsIn);
  if (typeof value !== "object" || value === null) return [];
  const { text, content } = value as { text?: unknown; content?: unknown };
  return [text, content].flatMap(blockTextsIn);
}

/** How often a text may be encoded in Base64. */
const MAX_BASE64 = 3;
/** How often it may be encoded otherwise: JSON in JSON, escaped for HTML. */
const MAX_ENCODINGS = 6;

/**
 * Decodes a text in each way that a model may read it: without escapes,
 * entities and invisible marks; without tags; as an e-mail's body; and what
 * each of these holds in Base64.
 */
export function decodeText(
  text: string,
  rounds: number = MAX_BASE64,
): readonly string[] {
  const plain = withoutEscapes(text.normalize("NFKC"));
  const mails = [text, plain].flatMap((version) => {
    const mail = withoutQuoting(version);
    return mail === version ? [] : [withoutEscapes(mail)];
  });
  const read = [plain, ...mails];
  if (/<[/!?]?[a-z-]/i.test(plain))
    read.push(plain.replace(/<[^<>]{0,500}>/g, ""));
  return [
    ...read,
    ...[text, ...read].flatMap((version) => decodeBase64(version, rounds)),
  ];
}

/** Decodes quoted-printable text. */
function withoutQuoting(text: string): string {
  return text.replace(/=\r?\n/g, "").replace(/(?:=[\dA-F]{2})+/g, fromHex);
}

/** What a text holds in Base64, decoded; it may be Base64 again. */
export function decodeBase64(
  text: string,
  rounds: number = MAX_BASE64,
): readonly string[] {
  if (rounds === 0) return [];
  // in one run, or broken by white space or by other signs; what is no Base64
  // decodes to noise
  const lines = text.match(/[\w+/-]{4,}(?:\s+[\w+/-]{2,})*/g) ?? [];
  const parts = text.match(PARTED_RUN) ?? [];
  const runs = [
    ...lines.flatMap((group) => {
      const words = wordsIn(group);
      return [words.join(""), ...words];
    }),
    ...parts.map((group) => (group.match(/[\w+/-]{4,}/g) ?? []).join("")),
  ];
  const decoded = [...new Set(runs)]
    .filter((run) => run.length >= 16)
    .map(fromBase64);
  const texts = new Set(decoded.filter((version) => /\p{L}{2}/u.test(version)));
  return [...texts].flatMap((version) => decodeText(version, rounds - 1));
}

const BASE64 = String.raw`[\w+/-]`;
const RUN_START = `(?<!${BASE64})${BASE64}`;
/** `aGVsbG8gd29ybGQh" + "IGZvbw`; not `aGVsbG8" + "IGZvbw`. */
const PARTED_RUN = new RegExp(
  `${RUN_START}{16,}(?:[^A-Za-z\\d]{1,9}${BASE64}{4,})+`,
  "g",
);
/** Padded, or long enough: `YWI=`, `aGVsbG8gd29ybGQh`; not `aGVsbG8`. */
const WHOLE_RUN = new RegExp(
  `${RUN_START}{2,}(?:={1,2}|(?<=${BASE64}{16}))(?![\\w+/=-])`,
  "g",
);
const READABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S}\s]+$/u;

/**
 * A text with what it holds in Base64 decoded in its place: one argument of a
 * call, or all.
 */
export function withoutBase64(text: string): string {
  return text.replace(WHOLE_RUN, (run) => {
    const decoded = fromBase64(run.replaceAll("=", ""));
    const isText = READABLE.test(decoded) && !decoded.includes("\ufffd");
    return isText ? decoded : run;
  });
}

function fromBase64(run: string): string {
  const whole = run.length % 4 === 1 ? run.slice(0, -1) : run;
  const bytes = atob(whole.replaceAll("-", "+").replaceAll("_", "/"));
  return new TextDecoder().decode(
    Uint8Array.from(bytes, (sign) => sign.charCodeAt(0)),
  );
}

/** Signs that other escapes are made of, and letters that are two. */
const ENTITIES: ReadonlyMap<string, string> = new Map(
  "quot\" apos' amp& lt< gt> lbrace{ rbrace} lcub{ rcub} lpar( rpar) percnt% bsol\\ szligß aeligæ oeligœ"
    .split(" ")
    .map((named) => [named.slice(0, -1), named.slice(-1)]),
);

const HEX = "[\\dA-Fa-f]";
/** The codes of signs in hexadecimal. */
const HEX_CODE = new RegExp(
  [
    `&#[Xx]${HEX}{1,6};`, // HTML: `&#x41;`
    `\\\\u${HEX}{4}`, // JSON: `\\u0041`
    `\\\\u\\{${HEX}{1,6}\\}`, // JavaScript: `\\u{41}`
    `\\\\U${HEX}{8}`, // Python: `\\U00000041`
    `\\\\0${HEX}{5} ?`, // CSS: `\\000041`
  ].join("|"),
  "g",
);

const MARKS_ABOVE = "acute|grave|circ|uml|tilde|ring";
const OTHER_MARKS = "cedil|caron|slash|breve|macr|ogon|dot";
/** Letters with a mark: `&eacute;`, `&Ccedil;`; not `&amp;`. */
const MARKED = new RegExp(`&[a-z](?:${MARKS_ABOVE}|${OTHER_MARKS});`, "gi");

const lineBreak = () => "\n";
const blank = () => " ";

/** How notations escape a sign, and what it is. */
const ESCAPES: readonly (readonly [
  written: string | RegExp,
  decode: (written: string) => string,
])[] = [
  [/\\{2,}/g, () => "\\"],
  [/&#\d{1,7};/g, (code) => character(Number(code.slice(2, -1)))],
  [MARKED, (name) => name.charAt(1)],
  // any other name of a sign only parts words
  [
    /&[a-z]{2,31};/gi,
    (name) => ENTITIES.get(name.slice(1, -1).toLowerCase()) ?? " ",
  ],
  [/(?:(?:%|\\x)[\da-f]{2})+/gi, fromHex],
  [
    /(?:\\[0-3][0-7]{2}(?!\d))+/g,
    (octals) => fromBytes(octals.slice(1).split("\\"), 8),
  ],
  [
    HEX_CODE,
    (code) => character(Number.parseInt(/[\da-f]+/i.exec(code)?.[0] ?? "", 16)),
  ],
  ["\\r\\n", lineBreak],
  ["\\n", lineBreak],
  ["\\r", blank],
  ["\\t", blank],
  ["\\b", blank],
  ["\\f", blank],
  [/\\(?=[^\w\s])/g, () => ""],
];

function withoutEscapes(text: string): string {
  let decoded = text.replace(/\p{Cf}/gu, "");
  for (let round = 0; round < MAX_ENCODINGS; round++) {
    const before = decoded;
    for (const [written, decode] of ESCAPES)
      decoded = decoded.replaceAll(written, decode);
    if (decoded === before) break;
  }
  return decoded;
}

function character(code: number): string {
  return code > 0x1f && code <= 0x10ffff ? String.fromCodePoint(code) : " ";
}

function fromHex(bytes: string): string {
  return fromBytes(bytes.match(/[\da-f]{2}/gi) ?? [], 16);
}

function fromBytes(digits: readonly string[], base: number): string {
  const bytes = Uint8Array.from(digits, (digit) =>
    Number.parseInt(digit, base),
  );
  return new TextDecoder().decode(bytes).replace(/\p{Cc}/gu, " ");
}
