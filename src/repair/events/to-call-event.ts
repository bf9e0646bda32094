import { policyFor } from "../options.ts";
import { compileSchema } from "../schema/compile-schema.ts";
import type { JsonSchema, JsonValue } from "../types.ts";
import type { CallEvent, Outcome } from "./input-event.ts";
import { CORE, type RunIds } from "./origin.ts";
import { schemaHash } from "./schema-hash.ts";
import type { Telling, ToldCall } from "./told-call.ts";

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

/**
 * Makes the event of a call.
 *
 * @param call The call.
 * @param outcome What became of it.
 * @param options How it was repaired, and where it came from.
 */
export function toCallEvent(call: ToldCall, outcome: Outcome, options: Telling): CallEvent {
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

/**
 * Returns how far repairs could go for a tool.
 *
 * @param name The tool's name.
 * @param options How it was repaired.
 */
export function levelFor(name: string, options: Telling): CallEvent["level"] {
  return policyFor({ name, schema: undefined }, options).level;
}
