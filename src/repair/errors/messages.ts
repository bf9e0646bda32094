import { getAt, parsePointer, toPointer } from "../json/json-pointer.ts";
import { isJsonObject, showValue } from "../json/json-value.ts";
import { declaredNames } from "../schema/part.ts";
import type { InputIssue, JsonSchema, JsonValue } from "../types.ts";
import { cutText } from "../usage.ts";
import { ISSUE } from "./refusal-reason.ts";

/** The most issues that a message lists. */
const MAX_ISSUES_SHOWN = 8;

/** The most issues that get details. */
const MAX_DETAILS = 20;

/** The most characters of a path or message in details. */
const DETAIL_LENGTH = 200;

/** The most keys that a message lists. */
const MAX_KEYS_SHOWN = 12;

/**
 * Lists for a model what is wrong with its input, one fault a line. If a key is missing, it also
 * lists the keys that are there: they explain most such faults.
 */
export function listIssues(
  issues: readonly InputIssue[],
  causingData: JsonValue | string,
): readonly string[] {
  return [...listLines(issues, modelLine), ...keysGiven(causingData, issues)];
}

/**
 * Lists what is wrong with an input in words of the schema and of toolmend: an error's message
 * reaches logs and traces unredacted, so it holds nothing that a model wrote.
 */
export function listFaults(
  issues: readonly InputIssue[],
  schema: JsonSchema | undefined,
): readonly string[] {
  return listLines(issues, (issue) => faultLine(issue, schema));
}

/** Shows the validator's words, as JSON. Only on request: they may quote the input. */
export function showDetails(issues: readonly InputIssue[]): string {
  const shown = issues.slice(0, MAX_DETAILS).map(({ path, code, message }) => ({
    path: cutText(path, DETAIL_LENGTH),
    code,
    message: cutText(message, DETAIL_LENGTH),
  }));
  return JSON.stringify(shown);
}

function listLines(
  issues: readonly InputIssue[],
  line: (issue: InputIssue) => string,
): readonly string[] {
  const shown = issues.slice(0, MAX_ISSUES_SHOWN).map(line);
  const more = issues.length - shown.length;
  return [...shown, ...(more > 0 ? [`- and ${more} more`] : [])];
}

/** Whether the issues are about a tool that does not exist. */
export function isUnknownTool(issues: readonly InputIssue[]): boolean {
  return issues.some(({ code }) => code === ISSUE.unknownTool);
}

/** The codes of toolmend's own issues. */
const OWN_CODES: ReadonlySet<string> = new Set(Object.values(ISSUE));

function faultLine(
  { path, code, message, expected, received }: InputIssue,
  schema: JsonSchema | undefined,
): string {
  const place = placeIn(path, schema);
  if (OWN_CODES.has(code))
    return `- ${place}: ${QUOTING.has(code) ? beforeColon(message) : message}`;
  const wanted = expected === undefined ? "" : `, expected ${expected}`;
  const got = received === undefined ? "" : `, received ${receivedType(received)}`;
  return `- ${place}: ${code}${wanted}${got}`;
}

/** The place of a fault, without undeclared keys: a model wrote those. */
function placeIn(path: string, schema: JsonSchema | undefined): string {
  const [known = "", ...below] = declaredPath(path, schema).split(`/${UNDECLARED}`);
  const place = known === "" ? "the input" : known;
  if (below.length === 0) return place;
  const inside = below.join("");
  const where = inside === "" ? "" : `, at ${inside}`;
  return `${place}, in a key that the schema does not declare${where}`;
}

/** The codes of issues whose messages quote the input. */
const QUOTING: ReadonlySet<string> = new Set([ISSUE.ambiguous, ISSUE.badCorrection]);

function beforeColon(message: string): string {
  return message.slice(0, message.indexOf(":") >>> 0);
}

function modelLine(issue: InputIssue): string {
  const { path, code, message, expected, received } = issue;
  const whole = code === ISSUE.unknownTool ? "the tool's name" : "the arguments";
  const place = path === "" ? whole : path.slice(1).replaceAll("/", ".");
  const facts =
    expected === undefined ? message : `expected ${expected}, received ${received ?? "nothing"}`;
  return `- ${place}: ${facts}${hint(issue)}`;
}

function hint({ didYouMean }: InputIssue): string {
  return didYouMean === undefined ? "" : ` — did you mean ${didYouMean}?`;
}

function keysGiven(
  causingData: JsonValue | string,
  issues: readonly InputIssue[],
): readonly string[] {
  const isMissing = issues.some(({ path, received }) => received === "nothing" && path !== "");
  if (!isMissing || !isJsonObject(causingData)) return [];
  const keys = Object.keys(causingData);
  const shown = keys.slice(0, MAX_KEYS_SHOWN).map((key) => showValue(key, 40));
  const more = keys.length > MAX_KEYS_SHOWN ? ", …" : "";
  return [`- the input has: ${shown.join(", ") || "no keys"}${more}`];
}

/** Replaces a key that the schema does not declare. */
const UNDECLARED = "+1 key";

/** Indexes of lists; longer numbers may be keys with a meaning. */
const INDEX = /^\d{1,3}$/;

/** Returns a place in words of the schema alone: a key that it does not declare comes from a model. */
export function declaredPath(path: string, schema: JsonSchema | undefined): string {
  if (path === "") return path;
  if (!path.startsWith("/")) return `/${UNDECLARED}`;
  const names = declaredNames(schema ?? true);
  const isSaid = (key: string) => names.has(key) || INDEX.test(key);
  return toPointer(parsePointer(path).map((key) => (isSaid(key) ? key : UNDECLARED)));
}

/** Returns the type that an issue received, without the value. */
export function receivedType(received: string): string {
  if (NAMED.has(received)) return received;
  if (received === "true" || received === "false") return "boolean";
  if (received.startsWith('"')) return "string";
  return /^-?\d/.test(received) ? "number" : "something";
}

const NAMED: ReadonlySet<string> = new Set(["nothing", "null", "object", "array"]);

/**
 * Adds what was probably meant to issues: the schema-driven repair's result, had it been sure
 * enough. For a missing field it is the key that holds its value.
 */
export function withHints(
  issues: readonly InputIssue[],
  value: JsonValue,
  hints: ReadonlyMap<string, string>,
): readonly InputIssue[] {
  return issues.map((issue) => {
    const hint = hints.get(issue.path);
    const isMissing = issue.received === "nothing";
    const didYouMean = isMissing && hint !== undefined ? keyHint(issue.path, hint, value) : hint;
    return didYouMean === undefined ? issue : { ...issue, didYouMean };
  });
}

function keyHint(path: string, hint: string, value: JsonValue): string | undefined {
  const parent = path.slice(0, path.lastIndexOf("/"));
  const holder = getAt(value, parent);
  if (path === "" || !isJsonObject(holder)) return undefined;
  const keys = Object.keys(holder).filter((key) => showValue(holder[key]) === hint);
  const [wanted = ""] = parsePointer(path.slice(parent.length));
  return keys.length === 1 ? `"${wanted}" where you wrote ${showValue(keys[0])}` : undefined;
}
