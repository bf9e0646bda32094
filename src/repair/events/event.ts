import type { ToolInputError } from "../errors.ts";
import type {
  InputIssue,
  JsonSchema,
  JsonValue,
  NameRepair,
  Repair,
  RepairLevel,
} from "../types.ts";

/**
 * What became of a call's input.
 *
 * - `valid`: it was right, and ran unchanged.
 * - `repaired`: it, or the tool's name, was changed, and then ran.
 * - `rescued`: LangChain would have lost the call: it could not read it, or the
 *   call stood in the text.
 * - `answered`: it was not run; `onUnfixable` gave the text that the model gets
 *   instead.
 * - `refused`: it was not run.
 * - `passed`: it could not be repaired, and went on as the model wrote it, for
 *   others to decide (option `use`).
 * - `unused`: it could be repaired, but what the model wrote was used (option
 *   `use`).
 * - `corrected`: it could not be repaired, and was replaced by `onUnfixable`,
 *   by a person, or by the model itself.
 */
export type Outcome =
  | "valid"
  | "repaired"
  | "rescued"
  | "answered"
  | "refused"
  | "passed"
  | "unused"
  | "corrected";

/** The ways that a call may come to toolmend. */
export const SEAMS = [
  "tool",
  "executor",
  "middleware",
  "messages",
  "register",
  "core",
  "mcp",
  "record",
] as const;

/**
 * Which way a call came to toolmend. Calls of `record` ran without it, and are
 * repaired afterwards.
 */
export type Seam = (typeof SEAMS)[number];

/** Who replaced an input that was rejected. */
export type CorrectionSource =
  | "human"
  | "handler"
  | "self-correct"
  | "later-call";

/** What every event says. */
interface EventBase {
  /** When it happened, in milliseconds since 1970, UTC. */
  readonly time: number;
  readonly seam: Seam;
  /**
   * The name of the tool: as it is offered, or, where no such tool is, as the
   * model wrote it.
   */
  readonly toolName: string;
  /** Whether a tool of that name was offered. */
  readonly isOffered: boolean;
  /** A hash of the tool's JSON Schema, eight hexadecimal digits. */
  readonly schemaHash: string | undefined;
  /** The tool's schema as JSON Schema. */
  readonly jsonSchema: JsonSchema | undefined;
  /** How far repairs could go for this tool. */
  readonly level: RepairLevel;
  /** The model that made the call, as its provider names it. */
  readonly model: string | undefined;
  /** The provider of the model, as LangChain names it. */
  readonly provider: string | undefined;
  /** The id of LangChain's run: the outermost that is known. */
  readonly runId: string | undefined;
  /** The id of LangGraph's thread. */
  readonly threadId: string | undefined;
  /** What the schema has against the input as the model wrote it. */
  readonly issues: readonly InputIssue[];
  /** What the model wrote. */
  readonly rawToolInput: JsonValue | undefined;
  /**
   * What ran; of an `unused` repair, what would have run; `undefined` where
   * nothing did.
   */
  readonly toolInput: JsonValue | undefined;
}

/**
 * What became of one call, reported once, by the seam that it came to. All of
 * it is a copy.
 */
export interface CallEvent extends EventBase {
  readonly kind: "call";
  readonly outcome: Outcome;
  /** The id of the tool call. */
  readonly callId: string | undefined;
  readonly repairs: readonly Repair[];
  /** How the tool's name was changed; `undefined` when it was right. */
  readonly nameRepair: NameRepair | undefined;
  /**
   * The keys of `toolInput` that the schema does not declare, as JSON Pointers.
   */
  readonly undeclared: readonly string[];
  /**
   * How long it took to repair or reject it, in microseconds; `undefined` for a
   * valid input.
   */
  readonly microseconds: number | undefined;
  /** Why it was not run; `undefined` where it was. */
  readonly error: ToolInputError | undefined;
  /**
   * What `onUnfixable` answered instead of the tool; `undefined` where it did
   * not.
   */
  readonly observation: string | undefined;
}

/**
 * Which input stands for one that was rejected. Reported in addition to the
 * calls.
 */
export interface CorrectionEvent extends EventBase {
  readonly kind: "correction";
  readonly outcome: "corrected";
  readonly source: CorrectionSource;
  /** The id of the call that was rejected. */
  readonly of: string | undefined;
  /**
   * The id of the call that replaces it; the same one where it was changed in
   * place.
   */
  readonly by: string | undefined;
}

/** What toolmend reports of tool inputs. */
export type InputEvent = CallEvent | CorrectionEvent;

/**
 * Takes every event. What it throws is ignored, and a promise that it returns
 * is not awaited.
 */
export interface EvidenceSink {
  (event: InputEvent): unknown;
  /** Writes out what it has kept back. */
  flush?(): Promise<void>;
}

export interface Listeners {
  /**
   * Gets an event for every call, valid ones too: a function or sink, or
   * several. Default: none.
   */
  readonly onToolCall?: EvidenceSink | readonly EvidenceSink[] | undefined;
}

export function listenersOf({
  onToolCall = [],
}: Listeners): readonly EvidenceSink[] {
  return typeof onToolCall === "function" ? [onToolCall] : onToolCall;
}

/** The ids of the run and the thread that made a call. */
export type RunIds = Partial<Pick<EventBase, "runId" | "threadId">>;

/** Marks the run of a tool, by the config that it is run with. */
export type MarkRun = <Config>(config: Config) => Config;

/** Where a call came from. */
export interface CallOrigin {
  /** The way that it came. Default: `"core"`, a direct call of the repair. */
  readonly seam?: Seam | undefined;
  /** The model that made the call. Default: unknown. */
  readonly model?: string | undefined;
  /** The provider of the model. Default: unknown. */
  readonly provider?: string | undefined;
  /**
   * Looks up the ids of the run and the thread, if the call is reported.
   * Default: unknown.
   */
  readonly ids?: (() => RunIds) | undefined;
}

/** Where a call came from, as the seam that it came to knows it. */
export interface Origin extends CallOrigin {
  /**
   * Shows an event where LangChain shows its runs; returns what marks the run
   * of the tool. Never throws.
   */
  readonly show?:
    | ((event: InputEvent) => Promise<MarkRun | undefined>)
    | undefined;
  /**
   * Whether the calls were looked at before: then valid ones have been
   * reported.
   */
  readonly isAgain?: boolean | undefined;
}

/** What was changed of a call: the tool's name, and the input. */
export function changesOf({
  nameRepair,
  repairs,
}: CallEvent): readonly (NameRepair | Repair)[] {
  return nameRepair === undefined ? repairs : [nameRepair, ...repairs];
}

/**
 * The name of a fixer without its parameters, which may be what a model wrote.
 */
export function bareFixer(fixer: string): string {
  return (fixer.split("(", 1)[0] ?? "").trimEnd();
}
