import { lazy } from "../drive.ts";
import { isContainer } from "../json.ts";
import { limitIssue, OverLimit } from "../limits.ts";
import type { CompiledSchema } from "../schema/compile-schema.ts";
import { toSchemaNode } from "../schema/node.ts";
import {
  type InputIssue,
  ISSUE,
  type JsonSchema,
  type JsonValue,
  type ReachedLimit,
  type Repair,
  type RepairLimits,
} from "../types.ts";
import type { Certainty, Reading } from "./content.ts";
import { issueOfFault } from "./faults.ts";
import { type WrittenNumbers, writtenNumbersOf } from "./numbers.ts";
import { hasTwinKeys } from "./parse.ts";
import { type ParsedInput, parseToolInput } from "./parse-tool-input.ts";

export { parseToolInput } from "./parse-tool-input.ts";
export { readPythonCall } from "./python-call.ts";

/**
 * The result of reading what the model wrote: a value, or the reason to reject
 * it.
 */
export type ReadToolInput = (ReadValue & LazyFacts) | UnreadableInput;

interface ReadValue extends Omit<Certainty, "rejection"> {
  readonly ok: true;
  readonly value: JsonValue;
  readonly repairs: readonly Repair[];
  /** Whether closing brackets were added. */
  readonly truncated?: true;
  /**
   * Whether it is text that holds unusable JSON: only a fixer knows what it is.
   */
  readonly unread?: true;
  /**
   * The issue with that JSON, or with one that is in doubt or was cut off, if
   * it is rejected.
   */
  readonly issue?: InputIssue;
}

interface LazyFacts {
  /** How its numbers are written, including text inside text. */
  readonly numbers: () => WrittenNumbers;
  /**
   * Whether JSON text has one key twice, with different values: `JSON.parse`
   * took the last, and once anything must be repaired, which one was meant is
   * unknown.
   */
  readonly hasTwinKeys: () => boolean;
}

interface UnreadableInput {
  readonly ok: false;
  readonly issue: InputIssue;
  /** The limit that the input exceeds. */
  readonly limit?: ReachedLimit;
}

/** What is known of an input before it is read. */
interface KnownInput extends Pick<Reading, "exact" | "step"> {
  /** Whether the provider said that the output was cut off. */
  readonly truncated?: boolean | undefined;
  /** Whether it was parsed before, so that text is a value. */
  readonly parsed?: boolean | undefined;
}

/** How far reading goes, and the tool that the text was given to. */
interface ReadPolicy extends Pick<Reading, "level" | "toolName"> {
  readonly limits: RepairLimits;
}

/**
 * Reads what the model wrote as JSON. Parses text, unless the tool takes a
 * string; rejects text that was cut off or holds several values.
 */
export function readToolInput(
  raw: unknown,
  schema: CompiledSchema,
  policy: ReadPolicy,
  known: KnownInput,
): ReadToolInput {
  const read = readRaw(raw, schema, policy, known);
  if (!read.ok) return read;
  const isJson =
    !read.truncated &&
    read.repairs.every(({ fixer }) => fixer === "parse-json");
  return {
    ...read,
    numbers: lazy(() => writtenNumbersOf(raw, isJson)),
    hasTwinKeys: lazy(
      () => typeof raw === "string" && hasTwinKeys(raw, read.value),
    ),
  };
}

function readRaw(
  raw: unknown,
  schema: CompiledSchema,
  policy: ReadPolicy,
  known: KnownInput,
): ReadValue | UnreadableInput {
  const isText = typeof raw === "string";
  const { maxLength } = policy.limits;
  if (isText && raw.length > maxLength) {
    const over = new OverLimit(
      "maxLength",
      maxLength,
      `${raw.length} characters long,`,
    );
    return { ok: false, issue: over.issue, limit: over.limit };
  }
  if (known.truncated && (!isText || schema.takesString)) return CUT_OFF;
  if (raw === undefined) return accept(null);
  if (!isText) return acceptWithin(raw as JsonValue, {}, policy);
  if (schema.takesString) return accept(raw);
  return readText(raw, schema, policy, known);
}

function readText(
  raw: string,
  schema: CompiledSchema,
  policy: ReadPolicy,
  known: KnownInput,
): ReadValue | UnreadableInput {
  const { level, toolName } = policy;
  const { exact, step } = known;
  const declares = (key: string) => declaresKey(schema.jsonSchema, key);
  const read = parseToolInput(raw, { level, toolName, step, exact, declares });
  if (read.kind === "several") {
    return {
      ok: false,
      issue: issueOfFault(
        ISSUE.several,
        "several JSON values",
        read.rejection,
        raw,
      ),
    };
  }
  if (read.kind === "truncated") return readCut(raw, read, policy, known);
  return readWhole(raw, read, policy, known);
}

/** Text that ends too early: at `eager`, closing braces are added. */
function readCut(
  raw: string,
  { completed, rejection }: Extract<ParsedInput, { kind: "truncated" }>,
  policy: ReadPolicy,
  { truncated }: KnownInput,
): ReadValue | UnreadableInput {
  const { level } = policy;
  const issue = issueOfFault(ISSUE.cutOff, "cut off", rejection, raw);
  if (level !== "eager" || truncated || completed === undefined)
    return { ok: false, issue };
  const repair = {
    fixer: "close-brackets",
    path: "",
    before: raw,
    after: completed,
    level,
  };
  const facts = {
    repairs: [repair],
    truncated: true,
    mustKeepForm: true,
    issue,
  } as const;
  return acceptWithin(completed, facts, policy);
}

function readWhole(
  raw: string,
  read: Extract<ParsedInput, { kind: "value" }>,
  policy: ReadPolicy,
  { truncated, parsed }: KnownInput,
): ReadValue | UnreadableInput {
  const { value, rejection, repairs, unread, mustFit, mustKeepForm } = read;
  const issue =
    rejection && issueOfFault(ISSUE.notJson, "not valid JSON", rejection, raw);
  const facts = { repairs, unread, mustFit, mustKeepForm, issue };
  const isRepaired = repairs.length > 0;
  if (truncated && (isRepaired || !isContainer(value))) return CUT_OFF;
  if (unread) return accept(value, facts);
  if (isRepaired) return acceptWithin(value, facts, policy);
  if (!isContainer(value))
    return accept(parsed || losesSpelling(value, raw) ? raw : value);
  if (!parsed) return accept(value);
  const repair = {
    fixer: "parse-json",
    path: "",
    before: raw,
    after: value,
    level: "strict",
  } as const;
  return acceptWithin(value, { repairs: [repair] }, policy);
}

/**
 * Whether a value is a number that is written otherwise: `1.0`, `1e3`, too many
 * digits. As text, a bare number loses nothing.
 */
function losesSpelling(value: JsonValue, raw: string): boolean {
  return typeof value === "number" && String(value) !== raw.trim();
}

function accept(value: JsonValue, facts: Partial<ReadValue> = {}): ReadValue {
  return { repairs: [], ...facts, ok: true, value };
}

function acceptWithin(
  value: JsonValue,
  facts: Partial<ReadValue>,
  { limits }: ReadPolicy,
): ReadValue | UnreadableInput {
  const over = limitIssue(value, limits);
  return over === undefined ? accept(value, facts) : { ok: false, ...over };
}

/** The output was cut off, by what the provider says. */
const CUT_OFF: UnreadableInput = {
  ok: false,
  issue: {
    path: "",
    code: ISSUE.cutOff,
    message: "cut off before the end: what is missing is not known",
  },
};

/** Whether an object of a schema has a field. */
function declaresKey(schema: JsonSchema, key: string): boolean {
  return toSchemaNode(schema)
    .of("object")
    .some(({ properties }) => properties.has(key));
}
