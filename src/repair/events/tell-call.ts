import { isUnknownTool } from "../errors/describe-refusal.ts";
import { notify } from "../notify.ts";
import type { JsonValue } from "../types.ts";
import type { CorrectionEvent, EvidenceSink, InputEvent, Outcome } from "./input-event.ts";
import { CORE, type MarkRun } from "./origin.ts";
import { schemaHash } from "./schema-hash.ts";
import type { RefusalEvent } from "./tell-options.ts";
import { levelFor, toCallEvent } from "./to-call-event.ts";
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
