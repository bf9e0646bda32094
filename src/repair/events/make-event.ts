import { isUnknownTool } from "../errors/describe-refusal.ts";
import { notify } from "../notify.ts";
import { policyFor } from "../options.ts";
import { compileSchema } from "../schema/compile-schema.ts";
import type { JsonSchema, JsonValue } from "../types.ts";
import type {
  CallEvent,
  CorrectionEvent,
  EvidenceSink,
  InputEvent,
  Outcome,
} from "./input-event.ts";
import { CORE, type MarkRun, type RunIds } from "./origin.ts";
import { schemaHash } from "./schema-hash.ts";
import type { RefusalEvent } from "./tell-options.ts";
import type { Telling, ToldCall, ToldCorrection } from "./told-call.ts";
import { keepTold, untoldSinks } from "./told-calls.ts";

/**
 * Makes the event of a call, and tells it.
 *
 * @param call The call.
 * @param options Who is told, how the call was repaired, and where it came from.
 * @returns What marks the tool's run; a promise only where LangChain is shown something.
 */
export function tellCall(
  call: ToldCall,
  options: Telling,
): Promise<MarkRun | undefined> | undefined {
  const origin = call.origin ?? options.origin ?? CORE;
  const outcome = outcomeOf(call);
  const isValid = outcome === "valid";
  const evidence = sinksFor(call, isValid, options);
  if (!isValid) tellHandlers(call, options);
  if (isValid && origin.isAgain) return undefined;
  const show = isValid ? undefined : origin.show;
  if (evidence.length === 0 && show === undefined) return undefined;
  const event = toCallEvent(call, outcome, options);
  tellSinks(evidence, event);
  const shown = show?.(event);
  const { resolution } = call;
  const error = resolution.kind === "run" ? resolution.corrects : undefined;
  if (error === undefined) return shown;
  const { callId: by, toolInput } = event;
  const corrected = tellReplaced({ error, source: "handler", by, toolInput }, options);
  return corrected === undefined ? shown : corrected.then(() => shown);
}

const NONE: readonly EvidenceSink[] = [];

/** A sink that is given twice is told once. */
function tellSinks(sinks: readonly EvidenceSink[], event: InputEvent): void {
  for (const sink of new Set(sinks)) notify(sink, event);
}

/** One call may come by several places with one sink, which is told once that it was right. */
function sinksFor(
  { tool, resolution, callId, isHandedOn, wasHandedOn }: ToldCall,
  isValid: boolean,
  { evidence = NONE, toolCall }: Telling,
): readonly EvidenceSink[] {
  if (tool === undefined || resolution.kind !== "run" || evidence.length === 0) return evidence;
  const { toolInput } = resolution;
  const known = { toolName: tool.name, callId: callId ?? toolCall?.id };
  if (isHandedOn) {
    const input = typeof toolInput === "string" ? { input: toolInput } : toolInput;
    keepTold({ ...known, input }, evidence);
  }
  return isValid && wasHandedOn ? untoldSinks({ ...known, input: toolInput }, evidence) : evidence;
}

function outcomeOf({ resolution, nameRepair, rescued }: ToldCall): Outcome {
  if (resolution.kind === "refused") return "refused";
  if (resolution.kind === "observation") return "answered";
  if (resolution.corrects !== undefined) return "corrected";
  if (rescued) return "rescued";
  return resolution.repairs.length === 0 && nameRepair === undefined ? "valid" : "repaired";
}

function tellHandlers(
  { raw, tool, resolution, nameRepair }: ToldCall,
  { onRepair, onRefused, action, toolCall }: Telling,
): void {
  const rawToolInput = raw as JsonValue | undefined;
  const about = {
    rawToolInput,
    ...(action === undefined ? {} : { action }),
    ...(toolCall === undefined ? {} : { toolCall }),
  };
  if (resolution.kind !== "run") {
    const { error } = resolution;
    const { toolName, issues } = error;
    const observation = resolution.kind === "observation" ? resolution.text : undefined;
    const answered = observation === undefined ? {} : { observation };
    const event: RefusalEvent = { toolName, issues, error, ...answered, ...about };
    notify(onRefused, event);
    return;
  }
  const { toolInput, repairs, undeclared } = resolution;
  if (repairs.length === 0 && nameRepair === undefined) return;
  const toolName = tool?.name ?? "";
  const name = nameRepair === undefined ? {} : { nameRepair };
  notify(onRepair, { toolName, toolInput, repairs, undeclared, ...name, ...about });
}

/** What an event is made of. */
const SOURCE = Symbol("toolmend.source");

/** An event, with what it is made of. */
interface Sourced {
  readonly [SOURCE]: { readonly call: ToldCall; readonly options: Telling };
}

/**
 * What is looked up when it is asked for, as valid calls are many, and few listeners ask for all. On a
 * prototype: accessors of its own would make each event ten times as dear.
 */
const LOOKED_UP = {
  get level(): CallEvent["level"] {
    const { call, options } = sourceOf(this);
    return levelFor(nameOfTool(call), options);
  },
  get runId(): string | undefined {
    return idsOfCall(this).runId;
  },
  get threadId(): string | undefined {
    return idsOfCall(this).threadId;
  },
  get jsonSchema(): JsonSchema | undefined {
    const { tool } = sourceOf(this).call;
    // An executor may hold a tool without a schema.
    return tool?.schema ? compileSchema(tool.schema).jsonSchema : undefined;
  },
  get schemaHash(): string | undefined {
    const { jsonSchema } = this;
    return jsonSchema === undefined ? undefined : schemaHash(jsonSchema);
  },
};

function sourceOf(event: unknown): Sourced[typeof SOURCE] {
  return (event as Sourced)[SOURCE];
}

function idsOfCall(event: unknown): RunIds {
  const { call, options } = sourceOf(event);
  return (call.origin ?? options.origin)?.ids?.() ?? {};
}

function nameOfTool({ tool, resolution }: ToldCall): string {
  return tool?.name ?? (resolution.kind === "run" ? "" : resolution.error.toolName);
}

function toCallEvent(call: ToldCall, outcome: Outcome, options: Telling): CallEvent {
  const { tool, resolution } = call;
  const { seam, model, provider } = call.origin ?? options.origin ?? CORE;
  const run = resolution.kind === "run" ? resolution : undefined;
  const error = resolution.kind === "run" ? undefined : resolution.error;
  const event: Omit<CallEvent, keyof typeof LOOKED_UP> & Sourced & { __proto__: object } = {
    __proto__: LOOKED_UP,
    [SOURCE]: { call, options },
    kind: "call",
    outcome,
    time: Date.now(),
    seam,
    toolName: nameOfTool(call),
    isOffered: tool !== undefined,
    model,
    provider,
    callId: call.callId ?? options.toolCall?.id,
    issues: resolution.faults ?? error?.issues ?? [],
    repairs: run?.repairs ?? [],
    nameRepair: call.nameRepair,
    undeclared: run?.undeclared ?? [],
    microseconds: resolution.microseconds,
    error,
    rawToolInput: call.raw as JsonValue | undefined,
    toolInput: run?.toolInput,
  };
  return event as unknown as CallEvent;
}

function levelFor(name: string, options: Telling): CallEvent["level"] {
  return policyFor({ name, schema: undefined }, options).level;
}

/**
 * Makes the event of an input that stands for one that was refused, and tells it.
 *
 * @param correction What stands for what.
 * @param options Who is told, and how inputs are repaired.
 * @returns A promise only where LangChain is shown something.
 */
export function tellReplaced(
  { error, source, by, toolInput }: ToldCorrection,
  options: Telling,
): Promise<unknown> | undefined {
  const { evidence = NONE, origin = CORE } = options;
  if (evidence.length === 0 && origin.show === undefined) return undefined;
  const { toolName, issues, causingData, jsonSchema, toolCall } = error;
  const { seam, model, provider, ids } = origin;
  const { runId, threadId } = ids?.() ?? {};
  const event: CorrectionEvent = {
    kind: "correction",
    outcome: "corrected",
    time: Date.now(),
    seam,
    toolName,
    isOffered: !isUnknownTool(issues),
    model,
    provider,
    runId,
    threadId,
    jsonSchema,
    schemaHash: jsonSchema === undefined ? undefined : schemaHash(jsonSchema),
    level: levelFor(toolName, options),
    source,
    of: toolCall?.id,
    by,
    issues,
    rawToolInput: causingData,
    toolInput,
  };
  tellSinks(evidence, event);
  return origin.show?.(event);
}
