import { lazy } from "../drive.ts";
import { limitIssue } from "../limits.ts";
import type { RepairOptions, RepairPolicy } from "../policy.ts";
import type { CompiledSchema } from "../schema/compile-schema.ts";
import type { InputIssue, JsonValue, Repair, RepairLimits } from "../types.ts";
import { ISSUE, type ReachedLimit } from "../types.ts";
import { type WrittenNumbers, writtenNumbersOf } from "./numbers.ts";
import { hasTwinKeys, type Step } from "./parse.ts";
import { isContainer } from "./parse-exactly.ts";
import { type ExactJson, parseToolInput } from "./parse-tool-input.ts";

/** The result of reading what the model wrote: a value, or the reason to refuse it. */
export type ReadToolInput =
  | (ReadValue & {
      /** How its numbers are written, including text inside text. */
      readonly numbers: () => WrittenNumbers;
      /**
       * Whether JSON text has one key twice, with different values: `JSON.parse` took the last, and
       * once anything must be repaired, which one was meant is unknown.
       */
      readonly hasTwinKeys: () => boolean;
    })
  | Refused;

interface ReadValue {
  readonly ok: true;
  readonly value: JsonValue;
  readonly repairs: readonly Repair[];
  /** Whether closing brackets were added. */
  readonly truncated?: true;
  /** Whether it is text that holds unusable JSON: only a fixer knows what it is. */
  readonly unread?: true;
  /** Whether it stood behind a lead-in: then it must fit unchanged. */
  readonly mustFit?: true;
  /** Whether it is known to be JSON that is not too deep. */
  readonly isJson?: true;
}

interface Refused {
  readonly ok: false;
  readonly issue: InputIssue;
  /** The limit that the input exceeds. */
  readonly limit?: ReachedLimit;
}

/** What is known of an input before it is read. */
interface AboutInput extends Pick<RepairOptions, "truncated" | "parsed"> {
  readonly exact?: ExactJson | undefined;
  /** Called for each value; may throw `OverLimit`. */
  readonly step?: Step | undefined;
}

/**
 * Reads what the model wrote as JSON. Parses text, unless the tool takes a string; refuses text
 * that was cut off or holds several values.
 */
export function readToolInput(
  raw: unknown,
  schema: CompiledSchema,
  policy: RepairPolicy,
  about: AboutInput,
): ReadToolInput {
  const read = readRaw(raw, schema, policy, about);
  if (!read.ok) return read;
  const isJson = !read.truncated && read.repairs.every(({ fixer }) => fixer === "parse-json");
  return {
    ...read,
    numbers: lazy(() => writtenNumbersOf(raw, isJson)),
    hasTwinKeys: lazy(() => typeof raw === "string" && hasTwinKeys(raw, read.value)),
  };
}

function readRaw(
  raw: unknown,
  schema: CompiledSchema,
  { level, limits, toolName }: RepairPolicy,
  { truncated, parsed, exact, step }: AboutInput,
): ReadValue | Refused {
  const isText = typeof raw === "string";
  if (isText && raw.length > limits.maxLength) return tooLong(raw, limits.maxLength);
  if (truncated && (!isText || schema.takesString)) return CUT_OFF;
  if (raw === undefined) return accept(null);
  if (!isText) return acceptJson(raw as JsonValue, limits);
  if (schema.takesString) return accept(raw);
  const read = parseToolInput(raw, { level, toolName, step }, exact);
  if (read.kind === "several") return SEVERAL;
  const repair = { path: "", before: raw };
  if (read.kind === "truncated") {
    const { completed: after } = read;
    if (level !== "eager" || truncated || after === undefined) return CUT_OFF;
    const repairs = [{ ...repair, fixer: "close-brackets", after, level }];
    return acceptJson(after, limits, { repairs, truncated: true });
  }
  const { kind: _, value, ...found } = read;
  if (found.unread && !truncated) return accept(value, found);
  if (truncated && (found.repairs.length > 0 || !isContainer(value))) return CUT_OFF;
  if (found.repairs.length > 0) return acceptJson(value, limits, found);
  // `1.0`, `1e3`, too many digits: as text, a bare number loses nothing
  const isOtherNumber = typeof value === "number" && String(value) !== raw.trim();
  if (isOtherNumber || (parsed && !isContainer(value))) return accept(raw);
  const repairs = [{ ...repair, fixer: "parse-json", after: value, level: "strict" } as const];
  return accept(value, parsed ? { repairs } : {});
}

function accept(value: JsonValue, found: Partial<ReadValue> = {}): ReadValue {
  return { repairs: [], ...found, ok: true, value };
}

function acceptJson(
  value: JsonValue,
  limits: RepairLimits,
  found?: Partial<ReadValue>,
): ReadValue | Refused {
  const issue = limitIssue(value, limits);
  return issue === undefined ? { ...accept(value, found), isJson: true } : { ok: false, ...issue };
}

function refuse(code: string, message: string): Refused {
  return { ok: false, issue: { path: "", code, message } };
}

const CUT_OFF = refuse(ISSUE.cutOff, "cut off before the end: what is missing is not known");
const SEVERAL = refuse(ISSUE.several, "several JSON values one after another, where one is wanted");

function tooLong({ length }: string, maxLength: number): Refused {
  const message = `${length} characters long, over the limit of ${maxLength} (option limits.maxLength)`;
  return { ...refuse(ISSUE.overLimit, message), limit: { name: "maxLength", value: maxLength } };
}
