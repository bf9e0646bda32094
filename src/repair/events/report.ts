import { notify } from "../drive.ts";
import { copyError, type ToolInputError } from "../errors.ts";
import { orElse } from "../foreign.ts";
import {
  canonicalJson,
  digestOf,
  isContainer,
  isJsonObject,
  mapFields,
} from "../json.ts";
import { isUnknownTool } from "../model-message.ts";
import { type DescribedTool, type InputOptions, policyFor } from "../policy.ts";
import type { Resolution } from "../result.ts";
import { compileSchema } from "../schema/compile-schema.ts";
import {
  ISSUE,
  type JsonSchema,
  type JsonValue,
  type NameRepair,
  type ToolLike,
} from "../types.ts";
import {
  type CallEvent,
  type CorrectionEvent,
  type CorrectionSource,
  type EvidenceSink,
  type InputEvent,
  listenersOf,
  type MarkRun,
  type Outcome,
  type RunIds,
} from "./event.ts";

/**
 * What became of a call: of what the model wrote, for a tool that may not
 * exist.
 */
export interface CallOutcome {
  readonly raw: unknown;
  readonly tool: ToolLike | undefined;
  readonly resolution: Resolution;
  /**
   * The id of the tool call. Default: that of the `toolCall` in the options.
   */
  readonly callId?: string | undefined;
  /** How the tool's name was changed, where it was. */
  readonly nameRepair?: NameRepair | undefined;
  /** Whether LangChain would have lost the call. */
  readonly rescued?: boolean | undefined;
  /**
   * Whether a tool that reports by itself may get the call after it was
   * reported here.
   */
  readonly isHandedOn?: boolean | undefined;
  /** Whether it may have been reported by another place, which handed it on. */
  readonly wasHandedOn?: boolean | undefined;
}

/** How the call was repaired, who listens, and where it came from. */
type EmitContext = Omit<InputOptions, "onUnfixable">;

/** What a correction reports of a rejected input. */
export interface RejectedInput
  extends Pick<
    ToolInputError,
    "toolName" | "issues" | "causingData" | "jsonSchema"
  > {
  readonly toolCall?: { readonly id?: string | undefined } | undefined;
}

/** Which input stands for one that was rejected. */
export interface Correction {
  readonly error: RejectedInput;
  /** The tool that the input was rejected for; `undefined` if it is unknown. */
  readonly tool: ToolLike | undefined;
  readonly source: CorrectionSource;
  /** The id of the call that replaces it, and what ran instead. */
  readonly by: string | undefined;
  readonly toolInput: JsonValue | undefined;
}

/**
 * Reports what became of a call, once: sends its event, a frozen copy, to all
 * listeners. Only LangChain's own callbacks are awaited.
 */
export function emitCall(
  call: CallOutcome,
  context: EmitContext,
): Promise<MarkRun | undefined> | undefined {
  const outcome = outcomeOf(call, context);
  const { origin = {} } = context;
  const isValid = outcome === "valid";
  const sinks = sinksFor(call, isValid, context);
  if (isValid && origin.isAgain) return undefined;
  const show = isValid ? undefined : origin.show;
  if (sinks.length === 0 && show === undefined) return undefined;
  const event = toCallEvent(call, outcome, context);
  for (const sink of new Set(sinks)) notify(sink, event);
  const shown = show?.(event);
  return reportHandled(call, event, context)?.then(() => shown) ?? shown;
}

/** Reports, of an input that `onUnfixable` returned, which one it replaces. */
function reportHandled(
  { tool, resolution }: CallOutcome,
  { callId: by, toolInput }: CallEvent,
  context: EmitContext,
): Promise<unknown> | undefined {
  if (resolution.kind !== "run") return undefined;
  const { corrects: error } = resolution;
  if (error === undefined) return undefined;
  const source = "handler";
  return reportCorrection({ error, tool, source, by, toolInput }, context);
}

function toCallEvent(
  call: CallOutcome,
  outcome: Outcome,
  context: EmitContext,
): CallEvent {
  const {
    raw,
    tool,
    resolution,
    nameRepair,
    callId = context.toolCall?.id,
  } = call;
  // An executor may hold a tool without a schema, or with one of an unknown
  // kind.
  const schema = orElse(
    () => tool && compileSchema(tool.schema).jsonSchema,
    undefined,
  );
  const { run, error, text } = partsOf(resolution);
  const { repairs, undeclared, toolInput, corrects } = run;
  const { faults = (error ?? corrects)?.issues ?? [], microseconds } =
    resolution;
  const rawToolInput = copy(raw as JsonValue | undefined);
  return Object.freeze({
    kind: "call",
    outcome,
    ...baseOf(tool ?? { name: error?.toolName ?? "" }, schema, context),
    isOffered: tool !== undefined,
    callId,
    issues: copy(faults),
    repairs: copy(repairs),
    nameRepair: copy(nameRepair),
    undeclared: copy(undeclared),
    microseconds,
    error,
    observation: text,
    rawToolInput,
    // A valid input ran as the model wrote it.
    toolInput: toolInput === raw ? rawToolInput : copy(toolInput),
  });
}

/** What an event says of an input that ran; of another, nothing. */
type RunParts = Partial<Extract<Resolution, { kind: "run" }>> &
  Pick<CallEvent, "repairs" | "undeclared">;

const NOTHING_RAN: RunParts = { repairs: [], undeclared: [] };

/** A resolution as an event tells it: what ran, or why nothing did. */
function partsOf(resolution: Resolution): {
  readonly run: RunParts;
  readonly error?: ToolInputError;
  readonly text?: string;
} {
  if (resolution.kind === "run") return { run: resolution };
  const error = copyOfError(resolution.error);
  if (resolution.kind === "refused") return { run: NOTHING_RAN, error };
  return { run: NOTHING_RAN, error, text: resolution.text };
}

function outcomeOf(
  { resolution, nameRepair, rescued }: CallOutcome,
  { use = "all", passesUnchecked = false }: EmitContext,
): Outcome {
  if (resolution.kind === "refused") {
    if (use !== "all") return "passed";
    const isUnchecked = resolution.error.reason === ISSUE.schemaThrew;
    return passesUnchecked && isUnchecked ? "passed" : "refused";
  }
  if (resolution.kind === "observation") return "answered";
  if (resolution.repairs.some(({ fixer }) => fixer === "onUnfixable"))
    return "corrected";
  if (rescued) return "rescued";
  if (resolution.repairs.length === 0 && nameRepair === undefined)
    return "valid";
  return use === "none" ? "unused" : "repaired";
}

/**
 * Reports which inputs stand for ones that were rejected. Never throws:
 * watching never stops a run.
 */
export async function emitCorrections(
  find: () => readonly Correction[] | Promise<readonly Correction[]>,
  context: EmitContext,
): Promise<void> {
  if (listenersOf(context).length === 0 && context.origin?.show === undefined)
    return;
  try {
    for (const correction of await find())
      await reportCorrection(correction, context);
  } catch {}
}

/**
 * Reports one input that stands for one that was rejected; a promise only where
 * LangChain is shown something.
 */
function reportCorrection(
  { error, tool, source, by, toolInput }: Correction,
  context: EmitContext,
): Promise<unknown> | undefined {
  const { toolName, issues, causingData, jsonSchema, toolCall } = error;
  const event: CorrectionEvent = Object.freeze({
    kind: "correction",
    outcome: "corrected",
    ...baseOf(tool ?? { name: toolName }, jsonSchema, context),
    isOffered: !isUnknownTool(issues),
    source,
    of: toolCall?.id,
    by,
    issues: copy(issues),
    rawToolInput: copy(causingData),
    toolInput: copy(toolInput),
  });
  for (const sink of new Set(listenersOf(context)))
    notify<InputEvent>(sink, event);
  return context.origin?.show?.(event);
}

/**
 * What every event says of when it happened, of the tool, and of where the call
 * came from.
 */
function baseOf(
  tool: DescribedTool,
  schema: JsonSchema | undefined,
  context: EmitContext,
) {
  const { name: toolName } = tool;
  const { origin = {} } = context;
  const { seam = "core", model, provider, ids } = origin;
  const { runId, threadId } =
    orElse<RunIds | undefined>(() => ids?.(), undefined) ?? {};
  const { level } = policyFor(tool, context);
  const time = Date.now();
  return {
    time,
    seam,
    model,
    provider,
    runId,
    threadId,
    toolName,
    level,
    ...publish(schema),
  };
}

/** A frozen copy. What cannot be copied is not JSON: no tool runs with it. */
function copy<Part>(value: Part): Part {
  return orElse(() => frozenCopy(value), value);
}

/**
 * Much faster than `structuredClone`, which is for what is not plain: dates,
 * maps, instances.
 */
function frozenCopy<Part>(value: Part): Part {
  if (!isContainer(value)) return value;
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy)) as Part;
  if (!isJsonObject(value)) return structuredClone(value);
  return Object.freeze(mapFields(value, frozenCopy)) as Part;
}

function copyOfError(error: ToolInputError): ToolInputError {
  const { issues, causingData, stack } = error;
  const changes = { issues: copy(issues), causingData: copy(causingData) };
  return Object.freeze(
    Object.defineProperty(copyError(error, changes), "stack", { value: stack }),
  );
}

/** Schemas as events have them, made once for each. */
const published = new WeakMap<
  object,
  Pick<InputEvent, "jsonSchema" | "schemaHash">
>();

/**
 * A frozen copy of a schema, and a hash that ignores the order of its keywords.
 */
function publish(
  schema: JsonSchema | undefined,
): Pick<InputEvent, "jsonSchema" | "schemaHash"> {
  const known = published.get(Object(schema));
  if (known !== undefined) return known;
  const fields = { jsonSchema: copy(schema), schemaHash: hashOf(schema) };
  published.set(Object(schema), fields);
  return fields;
}

function hashOf(schema: JsonSchema | undefined): string | undefined {
  if (schema === undefined) return undefined;
  return digestOf(canonicalJson(schema)).hash.slice(0, 8);
}

/**
 * The sinks that have the event of a recent call, by its id and input:
 * LangGraph copies inputs.
 */
const reported = new Map<string, readonly EvidenceSink[]>();

/** The most calls that are remembered; the oldest are forgotten. */
const MAX_REPORTED = 1_000;

/**
 * The sinks that get the event: of places that share one, such as a middleware
 * and a wrapped tool, the first.
 */
function sinksFor(
  call: CallOutcome,
  isValid: boolean,
  context: EmitContext,
): readonly EvidenceSink[] {
  const sinks = listenersOf(context);
  if (sinks.length === 0) return sinks;
  if (call.isHandedOn) {
    remember(reportedKey(call, context), sinks);
    return sinks;
  }
  const mayBeKnown = isValid && call.wasHandedOn;
  if (!mayBeKnown) return sinks;
  if (reported.size === 0) return sinks;
  const known = sinksThatHave(reportedKey(call, context));
  return sinks.filter((sink) => !known.includes(sink));
}

function sinksThatHave(key = ""): readonly EvidenceSink[] {
  return reported.get(key) ?? [];
}

function remember(
  key: string | undefined,
  sinks: readonly EvidenceSink[],
): void {
  if (key === undefined) return;
  const known = sinksThatHave(key);
  reported.delete(key);
  reported.set(key, [...new Set([...known, ...sinks])]);
  const [oldest] = reported.keys();
  if (reported.size > MAX_REPORTED && oldest !== undefined)
    reported.delete(oldest);
}

/**
 * The key of a call that runs, as the place that handed it on and the one that
 * gets it see it.
 */
function reportedKey(
  { tool, resolution, callId, isHandedOn }: CallOutcome,
  context: EmitContext,
): string | undefined {
  const id = callId ?? context.toolCall?.id;
  if (!tool || !id) return undefined;
  if (resolution.kind !== "run") return undefined;
  const { toolInput } = resolution;
  // LangChain's string tools get a text as the `input` of an object.
  const isWrapped = isHandedOn && typeof toolInput === "string";
  const input = isWrapped ? { input: toolInput } : toolInput;
  return orElse(
    () => digestOf(JSON.stringify([tool.name, id, input])).hash,
    undefined,
  );
}
