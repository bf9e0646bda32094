import type { JsonValue } from "../types.ts";
import { afterContainer } from "./after-container.ts";
import { closingQuotes } from "./characters.ts";
import { findEmbeddedJson } from "./find-embedded-json.ts";
import { isContainer, isTelling, parseExactly } from "./parse-exactly.ts";
import { readJson } from "./read-json.ts";
import { skipBlanks } from "./skip-space.ts";
import { withoutThoughts } from "./without-thoughts.ts";

/** What a text that is not JSON as it stands holds; `undefined` when nothing certain. */
export type FoundJson =
  | { readonly kind: "value"; readonly value: JsonValue }
  | { readonly kind: "truncated"; readonly completed?: JsonValue }
  | { readonly kind: "several" }
  | undefined;

/** Finds the one object or array in a text that is not JSON as it stands. */
export function findJson(text: string): FoundJson {
  const body = withoutThoughts(text);
  if (body === undefined) return { kind: "truncated" };
  const exact = body === text ? undefined : parseExactly(body);
  if (isContainer(exact)) return { kind: "value", value: exact };
  if (STARTS_CONTAINER.test(body)) return findInContainer(body) ?? findDecoded(body);
  if (closingQuotes(body.charAt(0)) !== undefined && !body.startsWith("```"))
    return findInQuotes(body);
  return findEmbeddedJson(body);
}

/** Finds the object or array in a string, however often it is encoded. */
export function unwrapEncoded(value: JsonValue): FoundJson {
  let inner = value;
  while (typeof inner === "string") {
    const text: string = inner.trim();
    const parsed = parseExactly(text);
    if (parsed === undefined) {
      const found = STARTS_CONTAINER.test(text) ? findInContainer(text) : undefined;
      return found?.kind === "value" || BEGINS_AS_JSON.test(text) ? found : undefined;
    }
    inner = parsed;
  }
  return typeof value === "string" && isContainer(inner)
    ? { kind: "value", value: inner }
    : undefined;
}

/** What hardly begins anything but JSON: a string in quotes may well be a lone bracket. */
const BEGINS_AS_JSON = /^(?:\{\s*["'“]|\[\s*["'“{[\d-])/;

/** What may begin an object, an array or a tuple. */
const STARTS_CONTAINER = /^(?:[{［｛[]|\(\s*["'\d(-])/;

function findInContainer(text: string): FoundJson {
  const read = readJson(text, 0);
  if (read.kind === "refused") return undefined;
  if (read.kind === "truncated") return read;
  switch (afterContainer(text, read.end)) {
    case "nothing":
      return { kind: "value", value: read.value };
    case "another":
      return { kind: "several" };
    case "prose":
      return read.exact && isTelling(read.value) ? { kind: "value", value: read.value } : undefined;
    case "garbage":
      return undefined;
  }
}

/** JSON whose quotes are all escaped (`{\"a\": 1}`) or written as HTML entities. */
function findDecoded(text: string): FoundJson {
  let decoded: unknown;
  if (/^[{[][\s{[]*\\"/.test(text)) {
    decoded = parseExactly(`"${text.replace(/\r?\n/g, "\\n")}"`);
  } else if (/^[{[][\s{[]*&(?:quot|#34);/.test(text) && !text.includes('"')) {
    decoded = text.replace(
      /&(quot|#34|apos|#39|lt|gt|amp);/g,
      (_, name: string) => ENTITIES[name] ?? "",
    );
  }
  return typeof decoded === "string" ? unwrapEncoded(decoded) : undefined;
}

const ENTITIES: Readonly<Record<string, string>> = {
  quot: '"',
  "#34": '"',
  apos: "'",
  "#39": "'",
  lt: "<",
  gt: ">",
  amp: "&",
};

/** `'{"a": 1}'`, the same cut off, or an object without its opening brace: `"a": 1}`. */
function findInQuotes(text: string): FoundJson {
  const inside = skipBlanks(text, 1);
  if (!"{[".includes(text.charAt(inside))) {
    const read = text.endsWith("}") ? readJson(text, 0, true) : undefined;
    return read?.kind === "value" && read.end === text.length
      ? { kind: "value", value: read.value }
      : undefined;
  }
  const closing = closingQuotes(text.charAt(0)) ?? "";
  if (closing.includes(text.charAt(text.length - 1)) && text.length > 1)
    return unwrapEncoded(text.slice(1, -1));
  const found = unwrapEncoded(text.slice(1)) ?? findDecoded(text.slice(1));
  return found && (found.kind !== "value" || closing === '"') ? { kind: "truncated" } : undefined;
}
