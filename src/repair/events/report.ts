import { notify } from "../drive.ts";
import { isUnknownTool } from "../errors/messages.ts";
import { copyError, type ToolInputError } from "../errors/tool-input-error.ts";
import { canonicalJson } from "../json/canonical-json.ts";
import { digestOf } from "../json/digest.ts";
import { policyFor, type RepairOptions } from "../policy.ts";
import type { Resolution } from "../result.ts";
import { compileSchema } from "../schema/compile-schema.ts";
import { copySchema } from "../schema/schema-copy.ts";
import type { InputIssue, JsonSchema, JsonValue, NameRepair, Repair, ToolLike } from "../types.ts";
import type {
  CallEvent,
  CorrectionEvent,
  CorrectionSource,
  EvidenceSink,
  InputEvent,
  MarkRun,
  Origin,
  Outcome,
  RefusalEvent,
  RunIds,
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
 * Makes the event of a call and hands it to everybody who listens, to each a copy. What listeners throw
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
  if (!isValid) callHandlers(call, context);
  const show = isValid ? undefined : origin.show;
  if (sinks.length === 0 && show === undefined) return undefined;
  const time = Date.now();
  const make = () => toCallEvent(call, { outcome, time }, context);
  for (const sink of new Set(sinks)) notify(sink, make());
  const shown = show?.(make());
  const { resolution } = call;
  const error = resolution.kind === "run" ? resolution.corrects : undefined;
  if (error === undefined) return shown;
  const { callId: by, toolInput } = make();
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

const NONE: readonly EvidenceSink[] = [];

/** One call may come by several places with one sink, which is told once that it was right. */
function sinksFor(
  { tool, resolution, callId, isHandedOn, wasHandedOn }: CallOutcome,
  isValid: boolean,
  { evidence = NONE, toolCall }: EmitContext,
): readonly EvidenceSink[] {
  if (tool === undefined || resolution.kind !== "run" || evidence.length === 0) return evidence;
  const { toolInput } = resolution;
  const known = { toolName: tool.name, callId: callId ?? toolCall?.id };
  if (isHandedOn) {
    const input = typeof toolInput === "string" ? { input: toolInput } : toolInput;
    rememberReported({ ...known, input }, evidence);
  }
  return isValid && wasHandedOn ? unreported({ ...known, input: toolInput }, evidence) : evidence;
}

function callHandlers(
  { raw, tool, resolution, nameRepair }: CallOutcome,
  { onRepair, onRefused, action, toolCall }: EmitContext,
): void {
  const about = () => ({
    rawToolInput: copy(raw),
    ...(action && { action: { ...action, toolInput: copy(action.toolInput) as never } }),
    ...(toolCall && { toolCall: { ...toolCall, args: copy(toolCall.args) as never } }),
  });
  if (resolution.kind !== "run") {
    if (onRefused === undefined) return;
    const error = copyOf(resolution.error);
    const { toolName, issues } = error;
    const answered = resolution.kind === "observation" ? { observation: resolution.text } : {};
    const event: RefusalEvent = { toolName, issues, error, ...answered, ...about() };
    notify(onRefused, event);
    return;
  }
  const { toolInput, repairs, undeclared } = resolution;
  if (onRepair === undefined || (repairs.length === 0 && nameRepair === undefined)) return;
  const changes = {
    toolInput: copy(toolInput) as JsonValue,
    repairs: copyRepairs(repairs),
    undeclared: [...undeclared],
    ...(nameRepair && { nameRepair: { ...nameRepair } }),
  };
  notify(onRepair, { toolName: tool?.name ?? "", ...changes, ...about() });
}

/** A copy of what a model wrote, or of what was made of it. What cannot be copied is not JSON: no tool runs with it. */
function copy(value: unknown): JsonValue | undefined {
  if (value === null || typeof value !== "object") return value as JsonValue | undefined;
  try {
    return structuredClone(value) as JsonValue;
  } catch {
    return value as JsonValue;
  }
}

function copyRepairs(repairs: readonly Repair[]): readonly Repair[] {
  return repairs.map((repair) => ({
    ...repair,
    before: copy(repair.before),
    after: copy(repair.after),
  }));
}

function copyIssues(issues: readonly InputIssue[]): readonly InputIssue[] {
  return issues.map((issue) => ({ ...issue }));
}

function copyOf(error: ToolInputError): ToolInputError {
  const { issues, causingData, stack } = error;
  const fields = { issues: copyIssues(issues), causingData: copy(causingData) ?? "" };
  return Object.defineProperty(copyError(error, fields), "stack", { value: stack });
}

/** What an event is made of. */
const SOURCE = Symbol("toolmend.source");

interface Sourced {
  readonly [SOURCE]: { readonly call: CallOutcome; readonly context: EmitContext };
}

/**
 * What is looked up when it is asked for, as valid calls are many, and few listeners ask for all. On a
 * prototype: accessors of its own would make each event ten times as dear.
 */
const LOOKED_UP = {
  get level(): CallEvent["level"] {
    const { call, context } = sourceOf(this);
    return levelFor(toolNameOf(call), context);
  },
  get runId(): string | undefined {
    return runIdsOf(this).runId;
  },
  get threadId(): string | undefined {
    return runIdsOf(this).threadId;
  },
  get jsonSchema(): JsonSchema | undefined {
    return publicSchema(schemaOf(this));
  },
  get schemaHash(): string | undefined {
    return schemaHash(schemaOf(this));
  },
};

function sourceOf(event: unknown): Sourced[typeof SOURCE] {
  return (event as Sourced)[SOURCE];
}

function runIdsOf(event: unknown): RunIds {
  const { call, context } = sourceOf(event);
  return (call.origin ?? context.origin)?.ids?.() ?? {};
}

function schemaOf(event: unknown): JsonSchema | undefined {
  const { tool } = sourceOf(event).call;
  // An executor may hold a tool without a schema.
  return tool?.schema ? compileSchema(tool.schema).jsonSchema : undefined;
}

function toolNameOf({ tool, resolution }: CallOutcome): string {
  return tool?.name ?? (resolution.kind === "run" ? "" : resolution.error.toolName);
}

function levelFor(name: string, context: EmitContext): CallEvent["level"] {
  return policyFor({ name }, context).level;
}

/** Makes the event of a call, all of it a copy. */
function toCallEvent(
  call: CallOutcome,
  { outcome, time }: Pick<CallEvent, "outcome" | "time">,
  context: EmitContext,
): CallEvent {
  const { tool, resolution, nameRepair } = call;
  const { seam, model, provider } = call.origin ?? context.origin ?? CORE;
  const run = resolution.kind === "run" ? resolution : undefined;
  const error = resolution.kind === "run" ? undefined : copyOf(resolution.error);
  const event: Omit<CallEvent, keyof typeof LOOKED_UP> & Sourced & { __proto__: object } = {
    __proto__: LOOKED_UP,
    [SOURCE]: { call, context },
    kind: "call",
    outcome,
    time,
    seam,
    toolName: toolNameOf(call),
    isOffered: tool !== undefined,
    model,
    provider,
    callId: call.callId ?? context.toolCall?.id,
    issues: copyIssues(resolution.faults ?? error?.issues ?? []),
    repairs: copyRepairs(run?.repairs ?? []),
    nameRepair: nameRepair && { ...nameRepair },
    undeclared: [...(run?.undeclared ?? [])],
    microseconds: resolution.microseconds,
    error,
    rawToolInput: copy(call.raw),
    toolInput: copy(run?.toolInput),
  };
  return event as unknown as CallEvent;
}

/** Reports one input that stands for one that was refused; a promise only where LangChain is shown something. */
export function reportCorrection(
  { error, source, by, toolInput }: Correction,
  context: EmitContext,
): Promise<unknown> | undefined {
  const { evidence = NONE, origin = CORE } = context;
  if (evidence.length === 0 && origin.show === undefined) return undefined;
  const { toolName, issues, causingData, jsonSchema, toolCall } = error;
  const { seam, model, provider, ids } = origin;
  const { runId, threadId } = ids?.() ?? {};
  const time = Date.now();
  const make = (): CorrectionEvent => ({
    kind: "correction",
    outcome: "corrected",
    time,
    seam,
    toolName,
    isOffered: !isUnknownTool(issues),
    model,
    provider,
    runId,
    threadId,
    jsonSchema: publicSchema(jsonSchema),
    schemaHash: schemaHash(jsonSchema),
    level: levelFor(toolName, context),
    source,
    of: toolCall?.id,
    by,
    issues: copyIssues(issues),
    rawToolInput: copy(causingData),
    toolInput: copy(toolInput),
  });
  for (const sink of new Set(evidence)) notify<InputEvent>(sink, make());
  return origin.show?.(make());
}

/** What is made once per schema: its hash, and a copy that nobody can change. */
const published = new WeakMap<object, { hash: string; schema: JsonSchema }>();

function publish(schema: JsonSchema): { readonly hash: string; readonly schema: JsonSchema } {
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

function publicSchema(schema: JsonSchema | undefined): JsonSchema | undefined {
  return schema === undefined ? undefined : publish(schema).schema;
}

/** A hash of a schema, whatever the order of its keywords: eight hexadecimal digits. */
function schemaHash(schema: JsonSchema | undefined): string | undefined {
  return schema === undefined ? undefined : publish(schema).hash;
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
