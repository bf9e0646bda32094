import { SWITCHABLE_EDITS, type SwitchableEdit } from "../../repair/edit-switches.ts";
import { ISSUE } from "../../repair/errors/refusal-reason.ts";
import type { CorrectionSource } from "../../repair/events/event.ts";
import type { JsonValue } from "../../repair/types.ts";
import { callIds } from "../call-ids.ts";
import type { CallLine, CorrectionLine } from "../log-line.ts";
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
  const known = new Map<string, CorrectionLine>();
  for (const line of corrections) {
    for (const id of line.of === undefined ? [] : callIds(line, line.of)) {
      const other = known.get(id);
      if (other === undefined || rankOf(line) > rankOf(other)) known.set(id, line);
    }
  }
  const callsOf = new Map<string, CallLine[]>();
  for (const line of calls) {
    for (const id of line.call === undefined ? [] : callIds(line, line.call)) {
      const same = callsOf.get(id);
      if (same === undefined) callsOf.set(id, [line]);
      else same.push(line);
    }
  }
  const correctionOf = (line: CallLine): CorrectionLine | undefined => {
    const ids = line.call === undefined ? [] : callIds(line, line.call);
    const isOnly = (id: string) => callsOf.get(id)?.filter((one) => !isAccepted(one)).length === 1;
    const found = ids.flatMap((id) => (isOnly(id) ? (known.get(id) ?? []) : []));
    return found.sort((one, other) => rankOf(other) - rankOf(one))[0];
  };
  const toolOf = ({ by, ...line }: CorrectionLine): string | undefined => {
    const ids = by === undefined ? [] : callIds(line, by);
    return ids.flatMap((id) => callsOf.get(id) ?? []).find(isAccepted)?.tool;
  };
  const toCorrection = (line: CorrectionLine): Correction => ({
    source: line.source,
    toolInput: line.toolInput as JsonValue,
    tool: toolOf(line) ?? line.tool,
  });
  const again = repeatedCalls(calls);
  const made = calls.map((line): LoggedInput => {
    const found = isAccepted(line) ? undefined : correctionOf(line);
    const own = () => ownCorrection(line) ?? again(line);
    return toInput(line, found === undefined ? own() : toCorrection(found));
  });
  // A pair that was found in a history holds both halves: there is no line of the refused call.
  const isAlone = (line: CorrectionLine) =>
    line.of === undefined || !callIds(line, line.of).some((id) => callsOf.has(id));
  const pairs = corrections
    .filter((line) => line.raw !== undefined && isAlone(line))
    .map((line) => {
      const refused = { call: line.of, outcome: "refused", level: line.level ?? "safe" } as const;
      return toInput({ ...line, ...refused }, toCorrection(line));
    });
  return [...made, ...pairs];
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
