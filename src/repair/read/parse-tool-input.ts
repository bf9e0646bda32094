import { isContainer, parseExactly } from "../json.ts";
import {
  type InputIssue,
  ISSUE,
  type JsonValue,
  type Repair,
  type RepairLevel,
} from "../types.ts";
import { findOpening, whatFollows } from "./around.ts";
import {
  Fault,
  type FaultKind,
  issueOfFault,
  type Rejection,
} from "./faults.ts";
import { hasTwinKeys, type Parsed, parse } from "./parse.ts";
import { mayCloseInside, type Step } from "./parser.ts";
import { withoutThoughts } from "./prose.ts";
import { readOwnCall } from "./python-call.ts";
import { readParameterElements } from "./tagged.ts";
import {
  asPunctuation,
  closingQuotes,
  JSON_DIALECT,
  LOOSE_DIALECT,
  matchesAt,
  skipBlanks,
} from "./tokens.ts";

/** How far reading goes, and what is known of the text. */
export interface Reading {
  /**
   * `strict` takes only exact JSON, `eager` also JSON behind a known lead-in.
   */
  readonly level: RepairLevel;
  /** The tool that the text was given to. */
  readonly toolName?: string;
  /**
   * Whether the tool has a field of a name. Default: unknown, and elements are
   * not read.
   */
  readonly declares?: ((key: string) => boolean) | undefined;
  /** Called for each value; throws if a limit is reached. */
  readonly step?: Step | undefined;
  /**
   * The result of `JSON.parse`, if it is known; its value is `undefined` for no
   * JSON.
   */
  readonly exact?: { readonly value: JsonValue | undefined } | undefined;
}

/**
 * What further repairs may change of a value that was read: by default,
 * anything.
 */
export interface Certainty {
  /** Nothing: it stood behind a lead-in, or twice. */
  readonly mustFit?: true;
  /** Only spellings: `rejection` says what is in doubt. */
  readonly mustKeepForm?: true;
  /** Why JSON is unusable or in doubt. */
  readonly rejection?: Rejection;
}

/** The content of a text. */
export type ParsedInput =
  | ({
      readonly kind: "value";
      readonly value: JsonValue;
      readonly repairs: readonly Repair[];
      /**
       * Whether it is text that holds unusable JSON: only a fixer knows what it
       * is.
       */
      readonly unread?: true;
    } & Certainty)
  | Truncated
  | Several;

type Content =
  | ({ readonly kind: "value"; readonly value: JsonValue } & Certainty)
  | Truncated
  | Several
  /** Text that is no JSON, or JSON that has no reading, or more than one. */
  | { readonly kind: "rejected"; readonly rejection: Rejection };

/**
 * Text that ends too early; `completed` is the value where only closing braces
 * are missing.
 */
interface Truncated {
  readonly kind: "truncated";
  readonly rejection: Rejection;
  readonly completed?: JsonValue;
}

/** Several values one after another: which one was meant is unknown. */
interface Several {
  readonly kind: "several";
  readonly rejection: Rejection;
}

/**
 * Reads what the model wrote as JSON. Pure; throws only what `reading.step`
 * throws; takes time linear in the length.
 *
 * Plain JSON goes through `JSON.parse`. Otherwise, except at level `strict`,
 * JSON that was encoded twice is unwrapped, and syntax is repaired if only one
 * reading is possible. With two readings, an omission (`...`), a comment with
 * content, or text that is no JSON, the value is the text itself; `unread`
 * marks the JSON among these, and `rejection` says what is wrong with it. A
 * string that was cut off is never closed, and JSON in a model's thoughts is
 * never taken. A code fence and control tags may surround the JSON; at `eager`,
 * a known lead-in too. Any other text beside it may quote, deny or limit it.
 */
export function parseToolInput(text: string, reading: Reading): ParsedInput {
  const trimmed = text.trim();
  if (trimmed === "") return { kind: "value", value: "", repairs: [] };
  const exact =
    reading.exact === undefined ? parseExactly(trimmed) : reading.exact.value;
  return exact === undefined
    ? readFaulty(text, reading)
    : readExact(exact, reading);
}

/** Reads JSON: a string may hold the JSON that is meant. */
function readExact(value: JsonValue, reading: Reading): ParsedInput {
  const content =
    typeof value === "string" ? unwrapEncoded(value, reading) : undefined;
  if (
    content === undefined ||
    reading.level === "strict" ||
    content.kind === "rejected"
  ) {
    const rejection =
      content?.kind === "rejected" ? content.rejection : undefined;
    return asText(value, rejection);
  }
  if (content.kind !== "value") return content;
  return repaired(content, "parse-json", value, "safe");
}

/** Reads text that is not JSON. */
function readFaulty(text: string, reading: Reading): ParsedInput {
  const content = findJson(text.trim(), reading);
  if (content.kind === "rejected") return asText(text, content.rejection);
  if (content.kind !== "value") return content;
  if (reading.level === "strict") return asText(text, exactFault(text.trim()));
  return repaired(
    content,
    "json-syntax",
    text,
    content.mustFit ? "eager" : "safe",
  );
}

function repaired(
  {
    kind,
    value,
    mustFit,
    mustKeepForm,
    rejection,
  }: Extract<Content, { kind: "value" }>,
  fixer: string,
  before: JsonValue,
  level: RepairLevel,
): ParsedInput {
  const repairs = [{ fixer, path: "", before, after: value, level }];
  return { kind, value, repairs, mustFit, mustKeepForm, rejection };
}

/**
 * A text by itself; `unread` if it contains JSON or thoughts, because then it
 * is not what was meant.
 */
function asText(
  value: JsonValue,
  rejection: Rejection | undefined,
): ParsedInput {
  const asIs = { kind: "value", value, repairs: [] } as const;
  if (typeof value !== "string" || !hasSignOfJson(value.trim())) return asIs;
  return { ...asIs, unread: true, ...(rejection && { rejection }) };
}

/** What keeps a text from being JSON as `JSON.parse` reads it. */
function exactFault(text: string): Rejection {
  if (!/^[{["]/.test(text)) return { fault: new Fault("text_before", 0), text };
  const parsed = parse(text, skipBlanks(text, 0), JSON_DIALECT);
  const fault =
    parsed.kind === "value"
      ? new Fault("text_behind", parsed.node.to)
      : parsed.fault;
  return { fault, text };
}

/** Finds the one object or array in a text that is not plain JSON. */
function findJson(text: string, reading: Reading): Content {
  const body = withoutThoughts(text);
  if (body === undefined) return truncated(text, new Fault("open_thought", 0));
  const own = readOwnCall(body, reading.toolName);
  if (own !== undefined) return { kind: "value", value: own };
  const elements =
    reading.declares && readParameterElements(body, reading.declares);
  if (elements instanceof Fault) return noReading(body, elements);
  if (elements !== undefined) return { kind: "value", value: elements };
  if (QUOTES.has(body.charAt(0)) && !body.startsWith("```"))
    return findInQuotes(body, reading);
  return findBracket(body, reading);
}

/** Reads the JSON behind the marks and the lead-in of a text. */
function findBracket(text: string, reading: Reading): Content {
  const opening = findOpening(text, reading.toolName);
  if (opening === undefined) {
    const cut = cutAmid(text, reading);
    return cut === undefined
      ? rejected(text, "text_before", 0)
      : truncated(text, cut);
  }
  const { start, hasLeadIn } = opening;
  if (start === 0) return readFromStart(text, reading);
  const content = readAt(text, start, reading);
  if (content.kind === "truncated" && hasLeadIn)
    return truncated(text, content.rejection.fault);
  if (content.kind !== "value") return content;
  if (isTemplate(content.value)) return rejected(text, "pattern", start);
  if (!hasLeadIn) return content;
  if (reading.level !== "eager") return rejected(text, "text_before", 0);
  return { ...content, mustFit: true };
}

/**
 * Reads a text that begins with a bracket: JSON, perhaps with all its quotes
 * escaped.
 */
function readFromStart(text: string, reading: Reading): Content {
  const escaped = findEscaped(text, reading);
  if (escaped?.kind === "value") return escaped;
  const content = readAt(text, 0, reading);
  return content.kind === "rejected" ? (escaped ?? content) : content;
}

/**
 * JSON amid other text is never taken, but a cut-off is reported: no fixer may
 * close it.
 */
function cutAmid(text: string, { step }: Reading): Fault | undefined {
  let at = 0;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    JSON_START.lastIndex = at;
    const start = JSON_START.exec(text)?.index;
    if (start === undefined) return undefined;
    const parsed = parse(text, start, LOOSE_DIALECT, { step });
    if (parsed.kind === "truncated") return parsed.fault;
    at = parsed.kind === "value" ? parsed.node.to : start + 1;
  }
  return undefined;
}

const MAX_TRIES = 20;
const JSON_START = /\{\s*["'“]|\[\s*\{\s*["'“]|(?<![\w\])])\[\s*["'“]/g;

/**
 * Finds the object or array in a string, at any depth of encoding; `undefined`
 * in any other text.
 */
function unwrapEncoded(value: string, reading: Reading): Content | undefined {
  const text = value.trim();
  const inner = parseExactly(text);
  if (typeof inner === "string") return unwrapEncoded(inner, reading);
  if (isContainer(inner)) {
    const isSure = !hasTwinKeys(text, inner);
    return isSure ? { kind: "value", value: inner } : twinKeysIn(text);
  }
  if (inner !== undefined || !STARTS_CONTAINER.test(text)) return undefined;
  const content = readAt(text, 0, reading);
  return content.kind === "value" || BEGINS_AS_JSON.test(text)
    ? content
    : rejectedAs(content);
}

/** JSON text that has one key twice, with different values. */
function twinKeysIn(text: string): Extract<Content, { kind: "rejected" }> {
  const parsed = parse(text, skipBlanks(text, 0), LOOSE_DIALECT);
  const fault =
    parsed.kind === "rejected" ? parsed.fault : new Fault("twin_keys", 0);
  return { kind: "rejected", rejection: { fault, text } };
}

/** The issue with JSON text that has one key twice, with different values. */
export function twinKeysIssue(text: string): InputIssue {
  const { rejection } = twinKeysIn(text);
  return issueOfFault(
    ISSUE.ambiguous,
    "could be meant in more than one way",
    rejection,
  );
}

/**
 * The same content, but no cut-off: what only looks like JSON may be a text.
 */
function rejectedAs(content: Exclude<Content, { kind: "value" }>): Content {
  return { kind: "rejected", rejection: content.rejection };
}

/** The beginning of an object, an array or a tuple. */
const STARTS_CONTAINER = /^(?:[{｛［[]|\(\s*["'\d(-])/;
/**
 * What hardly begins anything but JSON: a quoted string may be a lone bracket.
 */
const BEGINS_AS_JSON = /^(?:\{\s*["'“]|\[\s*["'“{[\d-])/;

/**
 * Reads the object or array that begins at an index of a text, and what follows
 * it.
 */
function readAt(text: string, start: number, reading: Reading): Content {
  const parsed = parseAt(text, start, reading);
  if (parsed.kind === "rejected") return noReading(text, parsed.fault);
  if (parsed.kind === "truncated") {
    const { completed, fault } = parsed;
    return truncated(text, fault, completed?.value);
  }
  const { value, to } = parsed.node;
  const unsureBracket = mayCloseInside(value)
    ? asPunctuation(text.charAt(to - 1))
    : undefined;
  const follower = whatFollows(text, to, unsureBracket);
  const content = {
    kind: "value",
    value,
    ...certaintyOf(parsed.doubt, text),
  } as const;
  if (follower.kind === "nothing") return content;
  const isEager = reading.level === "eager";
  const maySkip = isEager && unsureBracket !== undefined;
  if (maySkip && whatFollows(text, to).kind === "nothing") {
    return {
      ...content,
      mustFit: true,
      rejection: { fault: new Fault("text_behind", to), text },
    };
  }
  if (follower.kind === "observation") {
    return isEager
      ? { ...content, mustFit: true }
      : rejected(text, "text_behind", to);
  }
  if (goesOnWithKey(text, to)) return rejected(text, "closed_early", to - 1);
  if (follower.kind === "text")
    return rejected(text, "text_behind", follower.at);
  const isRepeated = isEager && repeats(text, start, to);
  if (isRepeated) return { ...content, mustFit: true };
  return {
    kind: "several",
    rejection: { fault: new Fault("several", follower.at), text },
  };
}

/**
 * Whether a comma and a key follow an object, so that it was closed too early.
 */
function goesOnWithKey(text: string, end: number): boolean {
  return matchesAt(NEXT_KEY, text, end);
}

const NEXT_KEY =
  /[\s}\]]{0,20},\s{0,20}["'“]?[\p{L}_][\p{L}\p{N}_-]{0,99}["'”]?\s{0,20}:/uy;

function certaintyOf(doubt: Fault | undefined, text: string): Certainty {
  if (doubt === undefined) return {};
  return { mustKeepForm: true, rejection: { fault: doubt, text } };
}

/**
 * Parses with quotes that end a string, or else with quotes that strings may
 * hold.
 */
function parseAt(text: string, start: number, { step }: Reading): Parsed {
  const options = { step, skipsTwiceClosed: true };
  const parsed = parse(text, start, LOOSE_DIALECT, options);
  if (parsed.kind !== "rejected" || parsed.fault.kind !== "unescaped_quote")
    return parsed;
  const read = parse(text, start, LOOSE_DIALECT, {
    ...options,
    hasInnerQuotes: true,
  });
  const isCut = read.kind === "truncated" && !ENDS_CLOSED.test(text);
  return read.kind === "value" || isCut ? read : parsed;
}

/** The end of a text that was not cut off. */
const ENDS_CLOSED = /[}\]][\s`]*$/;

/** Whether the rest of a text only repeats a part of it, word for word. */
function repeats(text: string, start: number, end: number): boolean {
  const value = text.slice(start, end);
  return text
    .slice(end)
    .split(value)
    .every((gap) => gap.trim() === "");
}

/** JSON whose quotes are all escaped: `{\"a\": 1}`. */
function findEscaped(text: string, reading: Reading): Content | undefined {
  // there `\\t` is a tab, or the backslash of a path whose writer doubled each
  // once
  if (!/^[{[][\s{[]*\\"/.test(text) || /(?<!\\)\\\\[nrtbfu]/.test(text))
    return undefined;
  const decoded = parseExactly(`"${text.replace(/\r?\n/g, "\\n")}"`);
  return typeof decoded === "string"
    ? unwrapEncoded(decoded, reading)
    : undefined;
}

/**
 * Reads a text that begins with a quote: `'{"a": 1}'`, the same cut off, or
 * `'a', 'b'`.
 */
function findInQuotes(text: string, reading: Reading): Content {
  const items = readItems(text, reading);
  if (items !== undefined) return { kind: "value", value: items };
  if (!/[{[]/.test(text.charAt(skipBlanks(text, 1))))
    return rejected(text, "text_before", 0);
  const closing = closingQuotes(text.charAt(0));
  if (closing.includes(text.at(-1) ?? "")) {
    return (
      unwrapEncoded(text.slice(1, -1), reading) ??
      rejected(text, "text_before", 0)
    );
  }
  const inner = text.slice(1);
  const plain =
    unwrapEncoded(inner, reading) ?? rejected(text, "text_before", 0);
  const content =
    plain.kind === "rejected" ? (findEscaped(inner, reading) ?? plain) : plain;
  if (content.kind === "rejected") return content;
  const mayBeWhole = content.kind === "value" && closing !== '"';
  return mayBeWhole
    ? rejected(text, "text_before", 0)
    : rejected(text, "open_string", text.length);
}

/**
 * Reads a list without its brackets, each item in the same quotes: `'a', 'b'`.
 */
function readItems(text: string, { step }: Reading): JsonValue | undefined {
  const quote = text.charAt(0);
  if (!text.endsWith(closingQuotes(quote).charAt(0))) return undefined;
  const list = `[${text}]`;
  const parsed = parse(list, 0, LOOSE_DIALECT, { step });
  if (parsed.kind !== "value" || parsed.node.to !== list.length)
    return undefined;
  const { value, parts = [] } = parsed.node;
  const items = parts.map(([, item]) => item);
  const isList = items.every(({ kind, from }, index) => {
    const gap =
      index === 0 ? "," : list.slice(items[index - 1]?.to, from).trim();
    return kind === "string" && list.charAt(from) === quote && gap === ",";
  });
  return isList && items.length > 1 ? value : undefined;
}

const QUOTES = new Set(LOOSE_DIALECT.quotes);

function truncated(
  text: string,
  fault: Fault,
  completed?: JsonValue,
): Truncated {
  const rejection = { fault, text };
  return {
    kind: "truncated",
    rejection,
    ...(completed !== undefined && { completed }),
  };
}

function rejected(text: string, kind: FaultKind, at: number): Content {
  return noReading(text, new Fault(kind, at));
}

function noReading(text: string, fault: Fault): Content {
  const rejection = { fault, text };
  return fault.isCut
    ? { kind: "truncated", rejection }
    : { kind: "rejected", rejection };
}

/**
 * Whether JSON is a pattern for an input rather than an input: with
 * placeholders (`{"q": "<your query>"}`), or with types for values
 * (`{"q": "string"}`), as in a schema.
 */
function isTemplate(value: JsonValue): boolean {
  if (typeof value === "string")
    return TEMPLATES.some((form) => form.test(value));
  return (
    isContainer(value) &&
    Object.values(value).some((inner) => isTemplate(inner as JsonValue))
  );
}

const TEMPLATES: readonly RegExp[] = [
  // <your query>, not a < b
  /^<[^<>/]{1,100}>$/,
  // ..., not .
  /^(?:\.{3}|…)$/,
  // string, not strings
  /^(?:string|number|integer|boolean|object|array)$/i,
];

/**
 * What occurs only in JSON. A selector (`a[href="x"]`), a template
 * (`Hello {name}`), a style (`div{color:red}`) or code (`f(x)[0]`) has none of
 * it. `NAME` is a key without quotes.
 */
const SIGNS_OF_JSON: readonly string[] = [
  // an object with a key in quotes: {"a, {\"a, {&quot;a; not {a}
  "[{｛](?:\\s*,)?\\s*(?:\\\\*[\"'“”„‟‘’‚`＂«]|&(?:quot|#34);)",
  // an object with a key, and a text or container: {a: "x; not {a: x}
  "[{｛]\\s*NAME\\s*:\\s*[\"'“{[]",
  // a list of objects: [{; not a[0]
  "[[［]\\s*[{｛]",
  // a list of texts: ["a; not a["b
  "(?:^|[\\s(:=,>])[[［]\\s*\\\\*[\"'“]",
  // a text that begins as an object: {a: or {{a=; not {a}
  "^(?:[{｛]\\s*){1,2}NAME\\s*[:=]",
  // an object with a comment: {/*; not {/a}
  "^[{｛]\\s*\\/[/*]",
  // a list of numbers: [1,; not [1] see
  "^(?:[[［]\\s*){1,64}-?\\d[\\d.]*\\s*,",
  // a key without its brace: "a":; not "a"
  "^[\"'“][^\"'“”\\n]{1,100}[\"'”]\\s*[:=]",
  // brackets without end
  "^(?:[[{(]\\s*){64}",
  // an argument in tags: <parameter=a>; not <parameters>
  "^<parameter[=\\s]",
  // thoughts: <think>; not <b>
  "^<(?:think|thinking|thought|thoughts|reasoning|reflection)>",
];

const signPatterns = SIGNS_OF_JSON.map((sign) => {
  return new RegExp(
    sign.replace("NAME", "[\\p{L}_$][\\p{L}\\p{N}_$-]{0,99}"),
    "iu",
  );
});

function hasSignOfJson(text: string): boolean {
  return signPatterns.some((sign) => sign.test(text));
}
