import { SWITCHABLE_EDITS, type SwitchableEdit } from "../../repair/edit-switches.ts";
import { ISSUE } from "../../repair/errors/refusal-reason.ts";
import type { CorrectionSource } from "../../repair/events/input-event.ts";
import type { JsonValue } from "../../repair/types.ts";
import type { CallLine, CorrectionLine, LogLine } from "../log-line.ts";
import { asValue } from "./as-value.ts";
import type { Correction, LoggedInput } from "./logged-input.ts";

/** The rank of a correction: a person's word counts before the model's. */
const RANKS: readonly CorrectionSource[] = ["later-call", "self-correct", "handler", "human"];

/**
 * Joins the calls of a log with what took their place.
 *
 * @param calls The lines of calls, in the order of the log.
 * @param corrections The lines of corrections.
 * @returns The inputs in the order of the log; pairs without a line of the refused call last.
 */
export function joinCorrections(
  calls: readonly CallLine[],
  corrections: readonly CorrectionLine[],
): readonly LoggedInput[] {
  const byCall = new Map<string, CorrectionLine>();
  for (const line of corrections) {
    if (line.of === undefined) continue;
    const known = byCall.get(idOf(line, line.of));
    if (known === undefined || rankOf(line) > rankOf(known)) byCall.set(idOf(line, line.of), line);
  }
  const toolOf = new Map<string, string>();
  for (const line of calls) {
    if (line.call !== undefined && isAccepted(line)) toolOf.set(idOf(line, line.call), line.tool);
  }
  const corrected = (line: CorrectionLine): Correction => ({
    source: line.source,
    toolInput: line.toolInput as JsonValue,
    tool: (line.by === undefined ? undefined : toolOf.get(idOf(line, line.by))) ?? line.tool,
  });
  const again = repeatedCalls(calls);
  const used = new Set<string>();
  const made = calls.map((line): LoggedInput => {
    const id = line.call === undefined ? undefined : idOf(line, line.call);
    const found = isAccepted(line) || id === undefined ? undefined : byCall.get(id);
    if (found !== undefined && id !== undefined) used.add(id);
    const label = found === undefined ? (ownCorrection(line) ?? again(line)) : corrected(found);
    return toInput(line, label);
  });
  // A pair that was found in a history holds both halves: there is no line of the refused call.
  const alone = corrections.filter(
    (line) => line.raw !== undefined && !(line.of !== undefined && used.has(idOf(line, line.of))),
  );
  const pairs = alone.map((line) =>
    toInput(
      { ...line, call: line.of, outcome: "refused", level: line.level ?? "safe" },
      corrected(line),
    ),
  );
  return [...made, ...pairs];
}

/** Ids of calls are unique within a run only: some models count them from 1. */
function idOf({ run, thread }: Pick<LogLine & CallLine, "run" | "thread">, call: string): string {
  return JSON.stringify([run ?? thread ?? "", call]);
}

function rankOf({ source }: CorrectionLine): number {
  return RANKS.indexOf(source);
}

function isAccepted({ outcome }: Pick<CallLine, "outcome">): boolean {
  return outcome === "valid" || outcome === "repaired" || outcome === "rescued";
}

/** An input that a handler replaced in place: what ran is the correction. */
function ownCorrection({ outcome, tool, toolInput }: CallLine): Correction | undefined {
  if (outcome !== "corrected" || toolInput === undefined) return undefined;
  return { source: "handler", toolInput: toolInput as JsonValue, tool };
}

/**
 * Finds the accepted call of a tool that there is, which repeats a call of one that there is not: in
 * the same run, later, with the same input.
 */
function repeatedCalls(calls: readonly CallLine[]): (line: CallLine) => Correction | undefined {
  const key = ({ run, thread, raw }: CallLine) => JSON.stringify([run ?? thread, asValue(raw)]);
  const accepted = new Map<string, CallLine>();
  const hasUnknown = calls.some(isOfUnknown);
  for (const line of hasUnknown ? calls : []) {
    if (isAccepted(line) && (line.run ?? line.thread) !== undefined) accepted.set(key(line), line);
  }
  return (line) => {
    const found = isOfUnknown(line) ? accepted.get(key(line)) : undefined;
    if (found === undefined || found.t < line.t) return undefined;
    return { source: "later-call", toolInput: found.toolInput as JsonValue, tool: found.tool };
  };
}

function isOfUnknown({ issues }: Pick<CallLine, "issues">): boolean {
  return issues.some(({ code }) => code === ISSUE.unknownTool);
}

type Told = Pick<
  CallLine,
  "tool" | "schema" | "raw" | "toolInput" | "level" | "outcome" | "issues" | "t"
> &
  Partial<Pick<CallLine, "run" | "thread" | "call" | "model" | "repairs">>;

function toInput(line: Told, correction: Correction | undefined): LoggedInput {
  const { tool, schema, toolInput, level, run, thread, call, model = "", t } = line;
  const { repairs = [] } = line;
  const text = repairs.find(({ fixer }) => FROM_TEXT.has(fixer));
  return {
    tool,
    schema,
    raw: (text?.after ?? line.raw) as JsonValue,
    toolInput: isAccepted(line) ? (toolInput as JsonValue | undefined) : undefined,
    level,
    run: run ?? thread,
    call,
    model,
    time: Date.parse(t),
    isUnknown: isOfUnknown(line),
    hadFixer: repairs.some(isOfRegistered),
    ...(correction !== undefined && { correction }),
  };
}

/** Repairs by which a call was taken out of a message's text: what they made of it is the input. */
const FROM_TEXT: ReadonlySet<string> = new Set(["rescue-text-call", "read-action"]);

function isOfRegistered({ fixer, level }: { fixer: string; level: string }): boolean {
  const isOwn = FROM_TEXT.has(fixer) || SWITCHABLE_EDITS.includes(fixer as SwitchableEdit);
  return level === "strict" && !isOwn;
}
