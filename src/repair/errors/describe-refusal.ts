import { isJsonObject, showValue } from "../json/json-value.ts";
import type { InputIssue, JsonValue } from "../types.ts";
import { ISSUE } from "./refusal-reason.ts";

/** The most issues that a message lists. */
const MAX_ISSUES_SHOWN = 8;

/** The most keys that a message lists. */
const MAX_KEYS_SHOWN = 12;

/** For whom a message is: the developer, or the model that is to write the call anew. */
export type Reader = "developer" | "model";

/**
 * Lists what is wrong with an input, one fault a line, and the keys that it has where one is
 * missing: that tells most of what happened.
 *
 * @param issues The issues.
 * @param causingData What the model wrote.
 * @param reader For whom.
 */
export function listIssues(
  issues: readonly InputIssue[],
  causingData: JsonValue | string,
  reader: Reader,
): readonly string[] {
  const line = reader === "model" ? modelLine : developerLine;
  const shown = issues.slice(0, MAX_ISSUES_SHOWN).map(line);
  const more = issues.length - shown.length;
  return [...shown, ...(more > 0 ? [`- and ${more} more`] : []), ...keysGiven(causingData, issues)];
}

/** Whether the issues are about a tool that does not exist. */
export function isUnknownTool(issues: readonly InputIssue[]): boolean {
  return issues.some(({ code }) => code === ISSUE.unknownTool);
}

function developerLine(issue: InputIssue): string {
  const { path, message, received } = issue;
  const isTold = received === undefined || message.includes("received");
  const got = isTold ? "" : ` (received ${received})`;
  return `- ${path === "" ? "the input" : path}: ${message}${got}${hint(issue)}`;
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
