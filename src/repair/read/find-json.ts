import type { JsonValue } from "../types.ts";
import { afterContainer } from "./after-container.ts";
import { closingQuotes } from "./characters.ts";
import { isPoliteness } from "./closing-words.ts";
import { findEmbeddedJson } from "./find-embedded-json.ts";
import { findOpening, type Opening } from "./find-opening.ts";
import type { FoundJson, ReadingPolicy } from "./found-json.ts";
import { isTemplate } from "./is-template.ts";
import { readOwnCall } from "./own-call.ts";
import { isContainer, isTelling, parseExactly } from "./parse-exactly.ts";
import { readJson } from "./read-json.ts";
import { skipBlanks } from "./skip-space.ts";
import { tellsEffect } from "./speaks-for-input.ts";
import { speaksOfCall } from "./speaks-of-call.ts";
import { withoutThoughts } from "./without-thoughts.ts";

/** Finds the one object or array in a text that is not JSON as it stands. */
export function findJson(text: string, policy: ReadingPolicy): FoundJson {
  const body = withoutThoughts(text);
  if (body === undefined) return { kind: "truncated" };
  const exact = body === text ? undefined : parseExactly(body);
  if (isContainer(exact)) return { kind: "value", value: exact };
  const ofCall = readOwnCall(body, policy.toolName);
  if (ofCall !== undefined) return { kind: "value", value: ofCall, mustFit: true };
  if (closingQuotes(body.charAt(0)) !== undefined && !body.startsWith("```"))
    return findInQuotes(body);
  const opening = findOpening(body, policy.toolName);
  const found = opening && findInContainer(body, opening, policy);
  if (opening?.start === 0) return found ?? findDecoded(body);
  const isPattern = found?.kind === "value" && isTemplate(found.value);
  return isPattern ? undefined : (found ?? findEmbeddedJson(body, policy));
}

/** Finds the object or array in a string, however often it is encoded. */
export function unwrapEncoded(value: JsonValue): FoundJson {
  let inner = value;
  while (typeof inner === "string") {
    const text: string = inner.trim();
    const parsed = parseExactly(text);
    if (parsed === undefined) {
      const found = STARTS_CONTAINER.test(text)
        ? findInContainer(text, { start: 0, isFenced: false }, { level: "safe" })
        : undefined;
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

function findInContainer(
  text: string,
  { start, isFenced }: Opening,
  { level, toolName }: ReadingPolicy,
): FoundJson {
  const read = readJson(text, start);
  if (read.kind === "refused") return undefined;
  if (read.kind === "truncated") return read;
  const { value } = read;
  const after = afterContainer(text, read.end);
  if (after.kind === "nothing") return { kind: "value", value };
  if (after.kind === "another") return { kind: "several" };
  // With prose behind it, what had faults may have ended elsewhere.
  if (!isTelling(value) || !(read.exact || isFenced)) return undefined;
  if (isPoliteness(after.text)) return { kind: "value", value };
  const isTold = read.exact && after.isApart && tellsEffect(after.text, toolName);
  if (isTold && isFenced && speaksOfCall(after.text, value, toolName))
    return { kind: "value", value };
  return isTold && level === "eager" ? { kind: "value", value, level: "eager" } : undefined;
}

/** JSON whose quotes are all escaped (`{\"a\": 1}`) or written as HTML entities. */
function findDecoded(text: string): FoundJson {
  let decoded: unknown;
  // there `\\t` is a tab, or the backslash of a path whose writer doubled each once
  if (/^[{[][\s{[]*\\"/.test(text) && !/(?<!\\)\\\\[nrtbfu]/.test(text)) {
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
