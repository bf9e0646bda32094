import type { IsAny, JsonObject, JsonPrimitive, JsonValue } from "type-fest";
import type { AgentAction, ToolCall } from "./langchain.ts";

export type { AgentAction, JsonObject, JsonValue, ToolCall };

/**
 * How far a repair may go without a registered fixer.
 *
 * - `strict`: only the fixers registered for the tool, and the parsing of text
 *   that is JSON.
 * - `safe`: and edits whose meaning is not in doubt.
 * - `eager`: and edits that are nearly always right.
 */
export type RepairLevel = "strict" | "safe" | "eager";

/**
 * The option `level`: a level for every tool, or `"auto"`, which asks each
 * tool.
 *
 * - `auto`: `eager` for a tool whose MCP annotations say `readOnlyHint: true`,
 *   else `safe`, also for a tool without annotations. `@langchain/mcp-adapters`
 *   puts them into `metadata.annotations`. They are the server's own words: use
 *   it only with servers that you trust.
 */
export type RepairLevelOption = RepairLevel | "auto";

/**
 * What happens to a key that the schema does not declare. The schema may strip
 * it, let it through or forbid it; the tool then ignores it, or receives a key
 * that it does not know.
 *
 * - `repair`: registered fixers run; a declared key in another spelling is
 *   renamed, and a forbidden one that asks for nothing is dropped. Others stay,
 *   or the schema rejects them.
 * - `refuse`: as `repair`, but no key is dropped, and an input that keeps one
 *   is rejected.
 * - `leave`: an input that the schema accepts stays unchanged.
 * - `{ allow }`: as `repair`, with these names declared everywhere: keys that a
 *   platform adds.
 */
export type UndeclaredKeys =
  | "repair"
  | "refuse"
  | "leave"
  | { readonly allow: readonly string[] };

/** One issue of a schema with an input. */
export interface InputIssue {
  /** Where, as a JSON Pointer (RFC 6901); `""` is the whole input. */
  readonly path: string;
  /** What is wrong, in the validator's words. */
  readonly message: string;
  /**
   * The kind of fault: zod's code (`invalid_type`, …), or the JSON Schema
   * keyword (`required`, …).
   */
  readonly code: string;
  /** What the schema wants at that place, in a few words. */
  readonly expected?: string;
  /** The value there, in a few words and cut to length. */
  readonly received?: string;
  /** What was probably meant, if one candidate stands out. */
  readonly didYouMean?: string;
  /**
   * What keeps text from being JSON: `unescaped_quote`, `open_string`,
   * `comment`, `twin_keys`, …
   */
  readonly fault?: string;
  /** The line of that fault in the text, from 1. */
  readonly line?: number;
  /** Its column in that line, in UTF-16 units from 1. */
  readonly column?: number;
  /**
   * The piece of the text around it, on one line and cut to length, with an
   * arrow before it.
   */
  readonly near?: string;
}

/**
 * The codes of toolmend's own issues with an input: each is the reason of a
 * rejection.
 */
export const ISSUE = {
  cutOff: "cut_off",
  several: "several",
  notJson: "not_json",
  nothing: "nothing",
  overLimit: "limit",
  ambiguous: "ambiguous",
  unknownTool: "unknown_tool",
  schemaThrew: "schema_threw",
  badCorrection: "bad_correction",
} as const;

/**
 * Why an input was rejected.
 *
 * - `invalid`: the schema rejects it, and no repair is sure.
 * - `ambiguous`: it can be repaired in more than one way; `candidates` shows
 *   some.
 * - `limit`: it exceeds one of the limits, or its repair would; `limit` names
 *   it.
 * - `cut_off`: the model's output ended too early.
 * - `several`: it holds several values instead of one.
 * - `not_json`: it is text that is not JSON, or it holds something that is not,
 *   or a forbidden key.
 * - `nothing`: there are no arguments.
 * - `unknown_tool`: no tool has the name.
 * - `schema_threw`: the tool's own schema threw.
 * - `bad_correction`: `onUnfixable` returned an input that no tool runs with.
 * - `handler_timeout`: `onUnfixable` gave no answer in time; `issues` lists the
 *   schema's issues.
 */
export type RefusalReason =
  | (typeof ISSUE)[keyof typeof ISSUE]
  | "invalid"
  | "handler_timeout";

/** A limit that was reached. */
export interface ReachedLimit {
  readonly name: keyof RepairLimits;
  readonly value: number;
}

/**
 * One change to an input. Applied one after another to the parsed value, they
 * give the repaired input.
 */
export interface Repair {
  /** The name of the fixer or edit that made the change. */
  readonly fixer: string;
  /** Where, as a JSON Pointer (RFC 6901) into the input before this repair. */
  readonly path: string;
  /** The value before; `undefined` if none. */
  readonly before: JsonValue | undefined;
  /** The value after; `undefined` if it was removed. */
  readonly after: JsonValue | undefined;
  /**
   * The level that the change needs. A registered fixer's is `strict`: it runs
   * at every level.
   */
  readonly level: RepairLevel;
  /**
   * The evidence of an edit that changes more than syntax, in a few words: "one
   * lost letter".
   */
  readonly reason?: string;
  /**
   * What a record of the repair leaves out; absent in the repairs of a result.
   */
  readonly omitted?: OmittedParts;
}

/**
 * What the record of a repair leaves out, long values and the end of a path:
 * length and hash.
 */
interface OmittedParts
  extends Partial<Record<"before" | "after" | "path", ValueDigest>> {
  /** How many repairs the record stands for. Default: one. */
  readonly repairs?: number;
}

/**
 * One change to the name in a tool call: the edit that made it, and its level.
 */
export interface NameRepair extends Pick<Repair, "fixer" | "level"> {
  /** The name as the model wrote it. */
  readonly before: string;
  /** The name of the tool that runs. */
  readonly after: string;
}

/** A JSON Schema: an object of keywords, or `true`/`false`. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown };

/**
 * What a tool must have for its input to be repaired: every LangChain tool has
 * it.
 */
export interface ToolLike<Name extends string = string, Schema = unknown> {
  readonly name: Name;
  readonly description?: string | undefined;
  /** A zod 3 or zod 4 schema, a Standard Schema, or a JSON Schema. */
  readonly schema: Schema;
  /**
   * LangChain's metadata. `level: "auto"` reads the MCP annotations in its
   * `annotations`.
   */
  readonly metadata?: unknown;
  /**
   * The annotations of an MCP tool, where its description has them. Those in
   * `metadata` take precedence.
   */
  readonly annotations?: unknown;
}

/** What a fixer receives in addition to the input. */
export interface FixContext {
  readonly toolName: string;
  readonly tool: ToolLike;
  /** The tool's schema as JSON Schema, converted from any kind. */
  readonly jsonSchema: JsonSchema;
  /** The schema's issues with the fixer's input. */
  readonly issues: readonly InputIssue[];
  /** What the model wrote, before parsing. */
  readonly rawToolInput: JsonValue | undefined;
  /** Whether what the model wrote was cut off. */
  readonly truncated: boolean;
  /** The agent's action, if an agent made the call. */
  readonly action?: AgentAction;
  /** The tool call, if the model made one. */
  readonly toolCall?: ToolCall;
  /** Aborted when the fixer's time is up or the run is aborted. */
  readonly signal: AbortSignal;
}

/**
 * A copy of a tool input, a fixer's own: JSON whose objects and arrays it may
 * change.
 */
export type FixerInput =
  | JsonPrimitive
  | { [Key in string]: FixerInput }
  | FixerInput[];

/**
 * Repairs one known mistake in the input of one tool.
 *
 * @param input A copy of the input: a fixer may change it in place, as long as
 *   it returns it.
 * @param context The tool, its schema, the issues and what the model wrote.
 * @returns The repaired input, or `undefined` for "not mine".
 */
export type Fixer = (
  input: FixerInput,
  context: FixContext,
) => JsonValue | undefined | Promise<JsonValue | undefined>;

/**
 * Bounds of one repair. If an input exceeds the size, steps, candidates or
 * `timeoutMs`, it is rejected, and the error's `reason` is `"limit"`. A fixer
 * whose time is up is skipped.
 */
export interface RepairLimits {
  /**
   * The longest input, and the longest repaired input, in characters of JSON
   * text. Default: 1,048,576.
   */
  readonly maxLength: number;
  /**
   * The deepest nesting of objects and arrays, before and after the repair.
   * Default: 64.
   */
  readonly maxDepth: number;
  /**
   * The most steps of one repair, which bound the work alike on every machine:
   * one is about a look at an element, or at 64 characters of text. Default:
   * 500,000, about half a second.
   */
  readonly maxSteps: number;
  /**
   * The most candidates that the schema-driven repair may try. Default: 2,000.
   */
  readonly maxCandidates: number;
  /**
   * Time for one repair without fixers and validations, in milliseconds, as the
   * last resort. Default: 1,000.
   */
  readonly timeoutMs: number;
  /**
   * Time for one registered fixer, in milliseconds; 0: no limit. Default:
   * 5,000.
   */
  readonly fixerTimeoutMs: number;
  /**
   * Time for `onUnfixable`, in milliseconds; 0: no limit. When it is up, the
   * input is rejected, and the error's `cause` says so. Default: 600,000, ten
   * minutes, because the handler may ask a person.
   */
  readonly handlerTimeoutMs: number;
}

/**
 * The types of a Standard Schema, which zod 3.25 and zod 4 are; of a JSON
 * Schema, JSON and unknown.
 */
type SchemaTypes<Schema> = Schema extends {
  readonly "~standard": {
    readonly types?: { input: infer Input; output: infer Output } | undefined;
  };
}
  ? { input: Input; output: Output }
  : { input: JsonValue; output: unknown };

/**
 * Whether a schema is that of LangChain's string tools, which unwrap an
 * optional `input`.
 */
type IsStringTool<Schema> = Schema extends {
  _output: infer Output;
  _input: infer Input;
}
  ? [Output, { input?: string | undefined }, undefined] extends [
      string | undefined,
      Input,
      Output,
    ]
    ? true
    : false
  : false;

/**
 * The input that a tool runs with and that is recorded: JSON that its schema
 * accepts.
 */
export type ToolInput<Tool extends ToolLike> =
  IsAny<Tool["schema"]> extends true
    ? JsonValue
    : IsStringTool<Tool["schema"]> extends true
      ? string | { input: string }
      : IsAny<SchemaTypes<Tool["schema"]>["input"]> extends true
        ? JsonObject
        : SchemaTypes<Tool["schema"]>["input"];

/**
 * The type of a tool's parsed input, with defaults, coercions and transforms.
 */
export type ToolOutput<Tool extends ToolLike> = SchemaTypes<
  Tool["schema"]
>["output"];

declare enum ToolNames {
  Other = "\0other",
}

/**
 * The name of a tool that the types do not know: opaque, as `=== "click"` keeps
 * a branded string.
 */
export type OtherToolName = ToolNames.Other;

/** Describes a JSON value that is left out. */
export interface ValueDigest {
  /** The length of its JSON text, in characters. */
  readonly length: number;
  /**
   * A hash of its JSON text, 16 hex digits: to compare values, not as proof.
   */
  readonly hash: string;
}
