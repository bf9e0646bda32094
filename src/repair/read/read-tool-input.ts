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
  /** Whether it came out of prose that is no known lead-in: then it must fit unchanged. */
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

/** The known facts of an input before it is read. */
interface AboutInput extends Pick<RepairOptions, "truncated" | "parsed"> {
  /** The result of `JSON.parse`, if known. */
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
  policy: RepairPolicy,
  about: AboutInput,
): ReadValue | Refused {
  const { limits } = policy;
  if (typeof raw === "string") {
    return isTooLong(raw, limits) ?? readText(raw, schema, policy, about);
  }
  if (about.truncated) return refuse(CUT_OFF);
  if (raw === undefined) return accept(null);
  return isNoJson(raw, limits) ?? { ...accept(raw as JsonValue), isJson: true };
}

function readText(
  text: string,
  schema: CompiledSchema,
  { level, limits, toolName }: RepairPolicy,
  { truncated, parsed, exact, step }: AboutInput,
): ReadValue | Refused {
  if (schema.takesString) return truncated ? refuse(CUT_OFF) : accept(text);
  const read = parseToolInput(text, { level, toolName, step }, exact);
  if (read.kind === "several") return refuse(SEVERAL);
  if (read.kind === "truncated") {
    const { completed: after } = read;
    if (level !== "eager" || truncated || after === undefined) return refuse(CUT_OFF);
    const repair: Repair = { fixer: "close-brackets", path: "", before: text, after, level };
    return isNoJson(after, limits) ?? { ...accept(after, [repair]), truncated: true, isJson: true };
  }
  const { kind: _, value, repairs, unread, ...marks } = read;
  if (unread && !truncated) return { ...accept(value), unread };
  if (truncated && (repairs.length > 0 || !isContainer(value))) return refuse(CUT_OFF);
  // `1.0`, `1e3`, too many digits: as text, a bare number loses nothing
  const isOtherNumber = typeof value === "number" && String(value) !== text.trim();
  if (isOtherNumber || (parsed && !isContainer(value))) return accept(text);
  if (repairs.length > 0)
    return isNoJson(value, limits) ?? { ...accept(value, repairs), ...marks, isJson: true };
  const repair: Repair = {
    fixer: "parse-json",
    path: "",
    before: text,
    after: value,
    level: "strict",
  };
  return accept(value, parsed ? [repair] : []);
}

const CUT_OFF = {
  code: ISSUE.cutOff,
  message: "cut off before the end: what is missing is not known",
};

const SEVERAL = {
  code: ISSUE.several,
  message: "several JSON values one after another, where one is wanted",
};

function accept(value: JsonValue, repairs: readonly Repair[] = []): ReadValue {
  return { ok: true, value, repairs };
}

function refuse(issue: Omit<InputIssue, "path">): Refused {
  return { ok: false, issue: { path: "", ...issue } };
}

function isNoJson(value: unknown, limits: RepairLimits): Refused | undefined {
  const why = limitIssue(value, limits);
  return why === undefined ? undefined : { ok: false, ...why };
}

function isTooLong(text: string, { maxLength }: RepairLimits): Refused | undefined {
  if (text.length <= maxLength) return undefined;
  const message = `${text.length} characters long, over the limit of ${maxLength} (option limits.maxLength)`;
  const limit = { name: "maxLength", value: maxLength } as const;
  return { ...refuse({ code: ISSUE.tooLong, message }), limit };
}
