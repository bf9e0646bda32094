import { lazy } from "../drive.ts";
import { ISSUE, type ReachedLimit } from "../errors/refusal-reason.ts";
import { limitIssue } from "../limits.ts";
import type { RepairOptions, RepairPolicy } from "../policy.ts";
import type { CompiledSchema } from "../schema/compile-schema.ts";
import type { InputIssue, JsonValue, Repair, RepairLimits } from "../types.ts";
import { type NumberSpellings, type WrittenNumbers, writtenNumbersOf } from "./numbers.ts";
import { hasTwinKeys, type Step } from "./parse.ts";
import { type ExactJson, parseToolInput } from "./parse-tool-input.ts";

/** What stage 1 made of what the model wrote: a value, or the reason to refuse it. */
export type ReadToolInput =
  | (ReadValue & {
      /** How its numbers are written, text inside text included; collected when it is asked for. */
      readonly spellings: NumberSpellings;
      /** The same, and what was written with more digits than a number holds. */
      readonly numbers: () => WrittenNumbers;
      /**
       * Whether text that is JSON has one key twice, with different values: `JSON.parse` took the
       * last, and which was meant is not known once anything must be repaired.
       */
      readonly hasTwinKeys: () => boolean;
    })
  | Refused;

interface ReadValue {
  readonly ok: true;
  readonly value: JsonValue;
  readonly repairs: readonly Repair[];
  /** Whether closing brackets had to be put in. */
  readonly truncated: boolean;
  /** Whether it is text with JSON in it that could not be taken: only a fixer knows what it is. */
  readonly unread: boolean;
  /** Whether it was taken out of prose that is no known lead-in: then it must fit as it is. */
  readonly mustFit: boolean;
  /** Whether it is known to be JSON that is not too deep. */
  readonly isJson?: true;
  /** Whether it is text that came as a string of JSON, in its quotes: `"#buy"`. */
  readonly isQuoted?: true;
}

interface Refused {
  readonly ok: false;
  readonly issue: InputIssue;
  /** The limit that the input is over. */
  readonly limit?: ReachedLimit;
}

/** What is known of an input before it is read. */
interface AboutInput extends Pick<RepairOptions, "truncated" | "parsed"> {
  /** What `JSON.parse` makes of it, where that was asked before. */
  readonly exact?: ExactJson | undefined;
  /** Called for each value that is read; may throw `OverLimit`. */
  readonly step?: Step | undefined;
}

/**
 * Reads what the model wrote as JSON. Text is parsed, unless the tool takes a string; text that
 * was cut off or holds several values is refused.
 *
 * @param raw Text, a parsed value, or `undefined`.
 * @param schema The tool's schema.
 * @param policy Its level: `strict` reads exact JSON only, `eager` puts closing brackets in; and
 * its limits.
 * @param about What is known of it.
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
  const numbers = lazy(() => writtenNumbersOf(raw, isJson));
  return {
    ...read,
    numbers,
    hasTwinKeys: lazy(() => typeof raw === "string" && hasTwinKeys(raw)),
    get spellings() {
      return numbers().spellings;
    },
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
  if (about.truncated) return refuseInput(CUT_OFF);
  if (raw === undefined) return accepted(null);
  return (
    isNoJson(raw, limits) ??
    isTooLong(JSON.stringify(raw), limits) ?? { ...accepted(raw as JsonValue), isJson: true }
  );
}

function readText(
  text: string,
  schema: CompiledSchema,
  { level, limits, toolName }: RepairPolicy,
  about: AboutInput,
): ReadValue | Refused {
  if (schema.takesString) return about.truncated ? refuseInput(CUT_OFF) : accepted(text);
  const read = parseToolInput(text, { level, toolName, step: about.step }, about.exact);
  switch (read.kind) {
    case "several":
      return refuseInput(SEVERAL);
    case "truncated":
      if (level !== "eager" || about.truncated || read.completed === undefined) {
        return refuseInput(CUT_OFF);
      }
      return (
        isNoJson(read.completed, limits) ?? {
          ...accepted(read.completed, [closeBrackets(text, read.completed)], true),
          isJson: true,
        }
      );
  }
  const { value, repairs, unread = false, mustFit = false, isQuoted } = read;
  const quoted = isQuoted && { isQuoted };
  if (unread && !about.truncated) return { ...accepted(value), unread, ...quoted };
  const isContainer = value !== null && typeof value === "object";
  if (about.truncated && (repairs.length > 0 || !isContainer)) return refuseInput(CUT_OFF);
  if (!isContainer && (about.parsed || isOtherwiseSpelled(value, text))) return accepted(text);
  if (repairs.length === 0)
    return { ...accepted(value, about.parsed ? [parseRepair(text, value)] : []), ...quoted };
  return isNoJson(value, limits) ?? { ...accepted(value, repairs), mustFit, isJson: true };
}

/** `1.0`, `1e3`, too many digits: as text, nothing of a bare number is lost. */
function isOtherwiseSpelled(value: JsonValue, text: string): boolean {
  return typeof value === "number" && String(value) !== text.trim();
}

function parseRepair(before: string, after: JsonValue): Repair {
  return { fixer: "parse-json", path: "", before, after, level: "strict" };
}

function closeBrackets(before: string, after: JsonValue): Repair {
  return { fixer: "close-brackets", path: "", before, after, level: "eager" };
}

const CUT_OFF = {
  code: ISSUE.cutOff,
  message: "cut off before the end: what is missing is not known",
};

const SEVERAL = {
  code: ISSUE.several,
  message: "several JSON values one after another, where one is wanted",
};

function accepted(value: JsonValue, repairs: readonly Repair[] = [], truncated = false): ReadValue {
  return { ok: true, value, repairs, truncated, unread: false, mustFit: false };
}

function refuseInput(issue: Omit<InputIssue, "path">): Refused {
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
  return { ...refuseInput({ code: ISSUE.tooLong, message }), limit };
}
