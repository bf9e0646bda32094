// A rejected tool input in words for the model that wrote it.
import {
  asValue,
  cutText,
  getAt,
  isJsonObject,
  parsePointer,
  showValue,
} from "./json.ts";
import { wantedInWords } from "./schema/in-words.ts";
import { resolvedPartAt } from "./schema/part.ts";
import { withoutEnd } from "./text.ts";
import {
  type InputIssue,
  ISSUE,
  type JsonSchema,
  type JsonValue,
} from "./types.ts";

/** The most characters of a message, and of its parts. */
const MAX_LENGTH = {
  message: 1_200,
  ofOneFault: 600,
  name: 64,
  place: 80,
  wanted: 240,
  keys: 150,
};

/** The most issues, keys and nested objects that a message lists. */
const MAX = { issues: 8, keys: 12, objects: 2 };

/** What a message is made of: the fields of a `ToolInputError`. */
interface MessageFacts {
  readonly toolName: string;
  readonly causingData: JsonValue | string;
  readonly issues: readonly InputIssue[];
  readonly jsonSchema?: JsonSchema | undefined;
}

/** The message for a model of `ToolInputError.toModelMessage`. */
export function modelMessageOf(input: MessageFacts): string {
  const [opening, ending] = frameOf(input);
  return cutLines([opening, ...faultLines(input), ending], input);
}

/** The faults alone, under a heading that says what became of the call. */
export function faultsForModel(heading: string, input: MessageFacts): string {
  return cutLines([heading, ...faultLines(input)], input);
}

function faultLines({
  issues,
  jsonSchema,
  causingData,
}: MessageFacts): readonly string[] {
  const input = asValue(causingData);
  return [
    ...listIssues(issues, (issue) => lineOf(issue, input, jsonSchema)),
    ...keysWritten(issues, input),
    ...fieldsDeclared(issues, jsonSchema),
  ];
}

function cutLines(lines: readonly string[], { issues }: MessageFacts): string {
  return cutText(
    lines.join("\n"),
    issues.length > 1 ? MAX_LENGTH.message : MAX_LENGTH.ofOneFault,
  );
}

/** The first and the last line. */
function frameOf({
  toolName,
  issues,
}: MessageFacts): readonly [string, string] {
  if (isUnknownTool(issues)) {
    return [
      "The tool call was not accepted, and no tool was run:",
      "Call one of the available tools.",
    ];
  }
  const name = showValue(toolName, MAX_LENGTH.name);
  const tool = toolName === "" ? "the tool" : `tool ${name}`;
  const call = toolName === "" ? "it" : name;
  return [
    `The input of ${tool} was not accepted, and the tool was not run:`,
    `Call ${call} again with corrected arguments. Do not make up values or swap in others: ask instead.`,
  ];
}

/** Whether the issues are about a tool that does not exist. */
export function isUnknownTool(issues: readonly InputIssue[]): boolean {
  return issues.some(({ code }) => code === ISSUE.unknownTool);
}

/** A line for each of the first issues, and one that counts the others. */
export function listIssues(
  issues: readonly InputIssue[],
  line: (issue: InputIssue) => string,
): readonly string[] {
  const shown = issues.slice(0, MAX.issues).map(line);
  const more = issues.length - shown.length;
  return more > 0 ? [...shown, `- and ${more} more`] : shown;
}

/** An issue: where, what is wrong or wanted, and what the model wrote. */
function lineOf(
  issue: InputIssue,
  input: JsonValue,
  schema: JsonSchema | undefined,
): string {
  if (issue.line !== undefined) return textLine(issue);
  const { path, code, message, didYouMean } = issue;
  const received = withLength(issue, getAt(input, path));
  const expected = wantedInWords(schema, path, code) ?? issue.expected;
  const wanted =
    expected === undefined ? withoutEnd(message, ".") : `expected ${expected}`;
  const hint = didYouMean === undefined ? "" : ` — did you mean ${didYouMean}?`;
  return [
    `- ${placeOf(issue)}: `,
    cutText(wanted, MAX_LENGTH.wanted),
    receivedInWords(received, expected !== undefined),
    path === "" && issue.received === "array"
      ? ". Send one object in each call"
      : hint,
  ].join("");
}

function placeOf({ path, code }: InputIssue): string {
  if (path !== "") return cutText(keysOf(path), MAX_LENGTH.place);
  return code === ISSUE.unknownTool ? "the tool's name" : "the arguments";
}

/** `/a/0` → `a.0`. */
const keysOf = (path: string): string => path.slice(1).replaceAll("/", ".");

/**
 * A message that names no wanted value says itself that a container or nothing
 * was received.
 */
function receivedInWords(
  received: string | undefined,
  namesWanted: boolean,
): string {
  if (namesWanted) return `, received ${received ?? "nothing"}`;
  if (received === undefined || KINDS.has(received)) return "";
  if (received.startsWith(ARRAY_WITH_LENGTH)) return "";
  return `, received ${received}`;
}

const KINDS: ReadonlySet<string> = new Set(["nothing", "object"]);
const ARRAY_WITH_LENGTH = "array with length ";

/**
 * What was received, with its length where a limit may be about it: that of a
 * list, and of a text that is too short.
 */
function withLength(
  { received, code }: InputIssue,
  value: unknown,
): string | undefined {
  if (received === "array" && Array.isArray(value))
    return `${ARRAY_WITH_LENGTH}${value.length}`;
  if (typeof value !== "string") return received;
  // JSON Schema counts characters, zod counts units.
  if (code === "minLength")
    return `${received} with length ${[...value].length}`;
  if (code === "too_small") return `${received} with length ${value.length}`;
  return received;
}

/**
 * A fault of text that should be JSON: what is wrong, what to do, and where.
 */
function textLine({
  message,
  line,
  column,
  near = "",
  expected,
}: InputIssue): string {
  const isAtEnd = near.endsWith("→");
  const where = isAtEnd
    ? `It ends at line ${line}, column ${column}, after: ${near.slice(0, -1)}`
    : `See line ${line}, column ${column}, right after the arrow: ${near}`;
  const wanted =
    expected === undefined
      ? ""
      : `\n- expected ${cutText(expected, MAX_LENGTH.wanted)}`;
  return `- the arguments: ${message} ${where}${wanted}`;
}

/** The codes of an issue with a key that the schema does not declare. */
const UNDECLARED: ReadonlySet<string> = new Set(
  "additionalProperties unevaluatedProperties unrecognized_keys undeclared".split(
    " ",
  ),
);

/** The fields of each object with an undeclared key. */
function fieldsDeclared(
  issues: readonly InputIssue[],
  schema: JsonSchema = true,
): readonly string[] {
  const paths = parentsOf(issues.filter(({ code }) => UNDECLARED.has(code)));
  const lines = paths.flatMap((path) => {
    const part = resolvedPartAt(schema, parsePointer(path));
    if (part?.keywords.properties === undefined) return [];
    const object = path === "" ? "this tool" : keysOf(path);
    return [
      `- the fields of ${object}: ${listKeys([...part.properties.keys()])}.`,
    ];
  });
  if (lines.length === 0) return [];
  return [...lines, RENAME_OR_REMOVE];
}

const RENAME_OR_REMOVE =
  "Rename a field that means one of these. Remove any other one only if the call then still does what you want.";

/**
 * The keys of each object with a missing field: one of them may hold its value.
 */
function keysWritten(
  issues: readonly InputIssue[],
  input: JsonValue,
): readonly string[] {
  if (!isJsonObject(input)) return [];
  const missing = issues.filter(
    ({ path, received }) => received === "nothing" && path !== "",
  );
  const undeclared = new Set(
    issues.filter(({ code }) => UNDECLARED.has(code)).map(parentOf),
  );
  return parentsOf(missing).flatMap((path) => {
    const object = getAt(input, path);
    // An undeclared key has a line of its own.
    if (!isJsonObject(object) || undeclared.has(path)) return [];
    return [
      `- ${path === "" ? "the input" : keysOf(path)} has: ${listKeys(Object.keys(object))}`,
    ];
  });
}

function parentsOf(issues: readonly InputIssue[]): readonly string[] {
  return [...new Set(issues.map(parentOf))].slice(0, MAX.objects);
}

const parentOf = ({ path }: InputIssue): string =>
  path.slice(0, path.lastIndexOf("/"));

function listKeys(keys: readonly string[]): string {
  const shown = keys.slice(0, MAX.keys).map((key) => showValue(key, 40));
  const more = keys.length > MAX.keys ? ", …" : "";
  return cutText(`${shown.join(", ")}${more}`, MAX_LENGTH.keys) || "no keys";
}
