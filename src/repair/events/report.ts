import { notify } from "../drive.ts";
import { copyError, isUnknownTool, type ToolInputError } from "../errors.ts";
import { canonicalJson } from "../json/canonical-json.ts";
import { digestOf } from "../json/digest.ts";
import { policyFor, type RepairOptions } from "../policy.ts";
import type { Resolution } from "../result.ts";
import { compileSchema } from "../schema/compile-schema.ts";
import { copySchema } from "../schema/keywords.ts";
import type { JsonSchema, JsonValue, NameRepair, ToolLike } from "../types.ts";
import {
  type CallEvent,
  type CorrectionEvent,
  type CorrectionSource,
  type EvidenceSink,
  type InputEvent,
  listenersOf,
  type MarkRun,
  type Origin,
  type Outcome,
} from "./event.ts";

/** A call, and what became of it. */
export interface CallOutcome {
  /** What the model wrote. */
  readonly raw: unknown;
  /** `undefined` where none of that name was offered. */
  readonly tool: ToolLike | undefined;
  readonly resolution: Resolution;
  /** The id of the tool call. Default: that of the `toolCall` in the options. */
  readonly callId?: string | undefined;
  /** Where it came from. Default: the `origin` of the options. */
  readonly origin?: Origin | undefined;
  /** How the tool's name was changed, where it was. */
  readonly nameRepair?: NameRepair | undefined;
  /** Whether LangChain would have lost the call. */
  readonly rescued?: boolean | undefined;
  /** Whether a tool that reports by itself may get the call after it was reported here. */
  readonly isHandedOn?: boolean | undefined;
  /** Whether it may have been reported by another place, which handed it on. */
  readonly wasHandedOn?: boolean | undefined;
}

/** How the call was repaired, who is told, and where it came from. */
export type EmitContext = RepairOptions & { readonly origin?: Origin | undefined };

/** An input that was refused, as far as it is reported. */
export interface RefusedInput
  extends Pick<ToolInputError, "toolName" | "issues" | "causingData" | "jsonSchema"> {
  readonly toolCall?: { readonly id?: string | undefined } | undefined;
}

/** Which input stands for one that was refused. */
export interface Correction {
  /** Why the first was refused; it says of which tool and call it was. */
  readonly error: RefusedInput;
  readonly source: CorrectionSource;
  /** The id of the call that replaces it. */
  readonly by: string | undefined;
  /** What it was run with instead. */
  readonly toolInput: JsonValue | undefined;
}

/** Of whoever calls toolmend's repair directly. */
const CORE: Origin = { seam: "core" };

/**
 * Makes the event of a call, a frozen copy, and hands it to everybody who listens. What listeners throw
 * is ignored, and nobody is waited for but LangChain's own callbacks.
 */
export function reportCall(
  call: CallOutcome,
  context: EmitContext,
): Promise<MarkRun | undefined> | undefined {
  const origin = call.origin ?? context.origin ?? CORE;
  const outcome = outcomeOf(call);
  const isValid = outcome === "valid";
  const sinks = sinksFor(call, isValid, context);
  if (isValid && origin.isAgain) return undefined;
  const show = isValid ? undefined : origin.show;
  if (sinks.length === 0 && show === undefined) return undefined;
  const time = Date.now();
  const event = toCallEvent(call, { outcome, time }, context);
  for (const sink of new Set(sinks)) notify(sink, event);
  const shown = show?.(event);
  const { resolution } = call;
  const error = resolution.kind === "run" ? resolution.corrects : undefined;
  if (error === undefined) return shown;
  const { callId: by, toolInput } = event;
  const corrected = reportCorrection({ error, source: "handler", by, toolInput }, context);
  return corrected === undefined ? shown : corrected.then(() => shown);
}

function outcomeOf({ resolution, nameRepair, rescued }: CallOutcome): Outcome {
  if (resolution.kind === "refused") return "refused";
  if (resolution.kind === "observation") return "answered";
  if (resolution.corrects !== undefined) return "corrected";
  if (rescued) return "rescued";
  return resolution.repairs.length === 0 && nameRepair === undefined ? "valid" : "repaired";
}

/** One call may come by several places with one sink, which is told once that it was right. */
function sinksFor(
  { tool, resolution, callId, isHandedOn, wasHandedOn }: CallOutcome,
  isValid: boolean,
  context: EmitContext,
): readonly EvidenceSink[] {
  const listeners = listenersOf(context);
  if (tool === undefined || resolution.kind !== "run" || listeners.length === 0) return listeners;
  const { toolInput } = resolution;
  const known = { toolName: tool.name, callId: callId ?? context.toolCall?.id };
  if (isHandedOn) {
    const input = typeof toolInput === "string" ? { input: toolInput } : toolInput;
    rememberReported({ ...known, input }, listeners);
  }
  return isValid && wasHandedOn ? unreported({ ...known, input: toolInput }, listeners) : listeners;
}

/** A copy that nobody can change. What cannot be copied is not JSON: no tool runs with it. */
function copy<Part>(value: Part): Part {
  try {
    return frozenCopy(value);
  } catch {
    return value;
  }
}

/** Much faster than `structuredClone`, which is for what is not plain: dates, maps, instances. */
function frozenCopy<Part>(value: Part): Part {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy)) as Part;
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  if (!isPlain) return structuredClone(value);
  const fields: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    if (key === "__proto__") return freeze(structuredClone(value));
    fields[key] = frozenCopy((value as Record<string, unknown>)[key]);
  }
  return Object.freeze(fields) as Part;
}

function copyOf(error: ToolInputError): ToolInputError {
  const { issues, causingData, stack } = error;
  const fields = { issues: copy(issues), causingData: copy(causingData) };
  const copied = copyError(error, fields);
  return Object.freeze(Object.defineProperty(copied, "stack", { value: stack }));
}

/** What every event says of a tool, and of where the call came from. */
function originOf(
  toolName: string,
  schema: JsonSchema | undefined,
  origin: Origin,
  context: EmitContext,
) {
  const { seam, model, provider, ids } = origin;
  const { runId, threadId } = ids?.() ?? {};
  const { level } = policyFor({ name: toolName }, context);
  const { schema: jsonSchema, hash: schemaHash } = publish(schema);
  return { seam, model, provider, runId, threadId, toolName, level, jsonSchema, schemaHash };
}

/** An executor may hold a tool without a schema, or with one of no kind that is known. */
function schemaOf(tool: ToolLike | undefined): JsonSchema | undefined {
  try {
    return tool?.schema ? compileSchema(tool.schema).jsonSchema : undefined;
  } catch {
    return undefined;
  }
}

const NONE: readonly never[] = Object.freeze([]);

/** Makes the event of a call, all of it a frozen copy. */
function toCallEvent(
  call: CallOutcome,
  { outcome, time }: Pick<CallEvent, "outcome" | "time">,
  context: EmitContext,
): CallEvent {
  const { tool, resolution, nameRepair } = call;
  const run = resolution.kind === "run" ? resolution : undefined;
  const error = resolution.kind === "run" ? undefined : copyOf(resolution.error);
  const name = tool?.name ?? error?.toolName ?? "";
  const rawToolInput = copy(call.raw) as JsonValue | undefined;
  return Object.freeze({
    kind: "call",
    outcome,
    time,
    ...originOf(name, schemaOf(tool), call.origin ?? context.origin ?? CORE, context),
    isOffered: tool !== undefined,
    callId: call.callId ?? context.toolCall?.id,
    issues: copy(resolution.faults ?? (error ?? run?.corrects)?.issues ?? NONE),
    repairs: copy(run?.repairs ?? NONE),
    nameRepair: copy(nameRepair),
    undeclared: copy(run?.undeclared ?? NONE),
    microseconds: resolution.microseconds,
    error,
    observation: resolution.kind === "observation" ? resolution.text : undefined,
    rawToolInput,
    // What is valid ran as it was written.
    toolInput: run?.toolInput === call.raw ? rawToolInput : copy(run?.toolInput),
  });
}

/** Reports one input that stands for one that was refused; a promise only where LangChain is shown something. */
export function reportCorrection(
  { error, source, by, toolInput }: Correction,
  context: EmitContext,
): Promise<unknown> | undefined {
  const { origin = CORE } = context;
  const listeners = listenersOf(context);
  if (listeners.length === 0 && origin.show === undefined) return undefined;
  const { toolName, issues, causingData, jsonSchema, toolCall } = error;
  const time = Date.now();
  const event: CorrectionEvent = Object.freeze({
    kind: "correction",
    outcome: "corrected",
    time,
    ...originOf(toolName, jsonSchema, origin, context),
    isOffered: !isUnknownTool(issues),
    source,
    of: toolCall?.id,
    by,
    issues: copy(issues),
    rawToolInput: copy(causingData),
    toolInput: copy(toolInput),
  });
  for (const sink of new Set(listeners)) notify<InputEvent>(sink, event);
  return origin.show?.(event);
}

/** Made once per schema: a hash, whatever the order of its keywords, and a copy that nobody can change. */
interface Published {
  /** Eight hexadecimal digits. */
  readonly hash: string | undefined;
  readonly schema: JsonSchema | undefined;
}

const published = new WeakMap<object, Published>();

function publish(schema: JsonSchema | undefined): Published {
  if (schema === undefined) return { hash: undefined, schema };
  const known = typeof schema === "object" ? published.get(schema) : undefined;
  if (known !== undefined) return known;
  const hash = digestOf(canonicalJson(schema)).hash.slice(0, 8);
  const made = { hash, schema: freeze(copySchema(schema)) };
  if (typeof schema === "object") published.set(schema, made);
  return made;
}

function freeze<Part>(part: Part): Part {
  if (part === null || typeof part !== "object" || Object.isFrozen(part)) return part;
  Object.freeze(part);
  for (const value of Object.values(part)) freeze(value);
  return part;
}

/** The sinks that were told of a call, by its id and what its input says: LangGraph copies inputs. */
const reported = new Map<string, readonly EvidenceSink[]>();

/** The most calls that are remembered; the oldest are forgotten. */
const MAX_CALLS = 1_000;

/** The longest input that is compared as it is, in characters of JSON. */
const MAX_LENGTH = 1_000;

/** What a call of a tool is known by again: the tool, its id, and what the tool is run with. */
interface KnownCall {
  readonly toolName: string;
  readonly input: unknown;
  readonly callId: string | undefined;
}

/**
 * Remembers which sinks were told of a call. It may come by several places that have one sink, say an
 * agent's middleware and a wrapped tool, and is reported once.
 */
function rememberReported(call: KnownCall, sinks: readonly EvidenceSink[]): void {
  const key = keyOfCall(call);
  if (key === undefined) return;
  const known = reported.get(key) ?? [];
  reported.delete(key);
  reported.set(key, [...new Set([...known, ...sinks])]);
  const [oldest] = reported.keys();
  if (reported.size > MAX_CALLS && oldest !== undefined) reported.delete(oldest);
}

/** The sinks that were not told of a call yet; the very list where none of them was. */
function unreported(call: KnownCall, sinks: readonly EvidenceSink[]): readonly EvidenceSink[] {
  // Most processes have one place only: then no key is made.
  const key = reported.size === 0 ? undefined : keyOfCall(call);
  const known = key === undefined ? undefined : reported.get(key);
  return known === undefined ? sinks : sinks.filter((sink) => !known.includes(sink));
}

function keyOfCall({ toolName, callId, input }: KnownCall): string | undefined {
  if (callId === undefined || callId === "") return undefined;
  try {
    const text = JSON.stringify(input) ?? "";
    const said = text.length > MAX_LENGTH ? digestOf(text).hash : text;
    return JSON.stringify([toolName, callId, said]);
  } catch {
    return undefined;
  }
}
