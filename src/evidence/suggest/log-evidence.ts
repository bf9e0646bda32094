import { SWITCHABLE_EDITS, type SwitchableEdit } from "../../repair/edit-switches.ts";
import { ISSUE } from "../../repair/errors/refusal-reason.ts";
import type { CorrectionSource } from "../../repair/events/input-event.ts";
import type { JsonSchema, JsonValue, RepairLevel } from "../../repair/types.ts";
import type { CallLine, CorrectionLine, LogLine } from "../log-line.ts";

/** A call of a log whose input was written down. */
export interface LoggedInput {
  readonly tool: string;
  /** The hash of the schema that it was checked by. */
  readonly schema: string | undefined;
  readonly raw: JsonValue;
  /** What ran; `undefined` where nothing did. */
  readonly toolInput: JsonValue | undefined;
  readonly level: RepairLevel;
  /** The run that it belongs to, else its thread: what counts as one piece of evidence. */
  readonly run: string | undefined;
  readonly call: string | undefined;
  readonly model: string;
  /** When, in milliseconds since 1970. */
  readonly time: number;
  /** What took the place of a refused input, and who said so. */
  readonly correction?: Correction | undefined;
  /** Whether no tool of its name was offered. */
  readonly isUnknown: boolean;
  /** Whether a fixer that was registered changed it: without that fixer, it comes out otherwise. */
  readonly hadFixer: boolean;
}

/** What took the place of a refused input. */
export interface Correction {
  readonly source: CorrectionSource;
  readonly toolInput: JsonValue;
  /** The call that took its place. */
  readonly by: string | undefined;
}

/** Gathers what a log says that fixers can be learnt from, or tried on. */
export interface LogEvidence {
  /** Takes one line of the log. */
  readonly add: (line: LogLine) => void;
  /** Joins what was taken: each refused call with its correction. */
  readonly read: () => LoggedInputs;
}

/** The calls of a log whose inputs were written down. */
export interface LoggedInputs {
  /** In the order of the log; pairs without a line of the refused call last. */
  readonly inputs: readonly LoggedInput[];
  readonly schemaOf: (tool: string, hash: string | undefined) => JsonSchema | undefined;
  readonly counts: EvidenceCounts;
}

/** How much of a log could be used. */
export interface EvidenceCounts {
  /** Lines of calls and corrections. */
  readonly lines: number;
  /** Of these, those whose input was not written down: the content of the log is `none` or `keys`. */
  readonly withoutInput: number;
  /** Inputs of calls without the id of a run or thread. */
  readonly withoutRun: number;
  /** Inputs whose schema is not in the log. */
  readonly withoutSchema: number;
}

/** The rank of a correction: a person's word counts before the model's. */
const RANKS: readonly CorrectionSource[] = ["later-call", "self-correct", "handler", "human"];

/** Creates what lines of a log are gathered in. */
export function createLogEvidence(): LogEvidence {
  const schemas = new Map<string, JsonSchema>();
  const calls: CallLine[] = [];
  const corrections: CorrectionLine[] = [];
  let withoutInput = 0;
  return {
    add(line) {
      if (line.kind === "schema") {
        const { jsonSchema } = line;
        if (jsonSchema === null || typeof jsonSchema !== "object") return;
        schemas.set(schemaKey(line.tool, line.schema), jsonSchema as JsonSchema);
      } else if (line.kind === "call") {
        if (line.raw === undefined) withoutInput += 1;
        else calls.push(line);
      } else if (line.kind === "correction") {
        if (line.toolInput === undefined) withoutInput += 1;
        else corrections.push(line);
      }
    },
    read() {
      const inputs = inputsOf(calls, corrections);
      const schemaOf: LoggedInputs["schemaOf"] = (tool, hash) =>
        hash === undefined ? undefined : schemas.get(schemaKey(tool, hash));
      const isMissing = ({ tool, schema }: LoggedInput) =>
        schema !== undefined && schemaOf(tool, schema) === undefined;
      const counts = {
        lines: calls.length + corrections.length + withoutInput,
        withoutInput,
        withoutRun: inputs.filter(({ run }) => run === undefined).length,
        withoutSchema: inputs.filter(isMissing).length,
      };
      return { inputs, schemaOf, counts };
    },
  };
}

function schemaKey(tool: string, hash: string): string {
  return `${hash} ${tool}`;
}

function inputsOf(
  calls: readonly CallLine[],
  corrections: readonly CorrectionLine[],
): readonly LoggedInput[] {
  const byCall = new Map<string, CorrectionLine>();
  for (const line of corrections) {
    if (line.of === undefined) continue;
    const known = byCall.get(idOf(line, line.of));
    if (known === undefined || rankOf(line) > rankOf(known)) byCall.set(idOf(line, line.of), line);
  }
  const used = new Set<string>();
  const made = calls.map((line): LoggedInput => {
    const id = line.call === undefined ? undefined : idOf(line, line.call);
    const found = isAccepted(line) || id === undefined ? undefined : byCall.get(id);
    if (found !== undefined && id !== undefined) used.add(id);
    return toInput(line, found ?? ownCorrection(line));
  });
  // A pair that was found in a history holds both halves: there is no line of the refused call.
  const alone = corrections.filter(
    (line) => line.raw !== undefined && !(line.of !== undefined && used.has(idOf(line, line.of))),
  );
  const pairs = alone.map((line) =>
    toInput({ ...line, call: line.of, outcome: "refused", level: line.level ?? "safe" }, line),
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
function ownCorrection(
  line: CallLine,
): Pick<CorrectionLine, "source" | "toolInput" | "by"> | undefined {
  if (line.outcome !== "corrected" || line.toolInput === undefined) return undefined;
  return { source: "handler", toolInput: line.toolInput, by: line.call ?? "" };
}

type Told = Pick<
  CallLine,
  "tool" | "schema" | "raw" | "toolInput" | "level" | "outcome" | "issues" | "t"
> &
  Partial<Pick<CallLine, "run" | "thread" | "call" | "model" | "repairs">>;

function toInput(
  line: Told,
  correction: Pick<CorrectionLine, "source" | "toolInput" | "by"> | undefined,
): LoggedInput {
  const { tool, schema, toolInput, level, run, thread, call, model = "", t } = line;
  const { repairs = [], issues } = line;
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
    isUnknown: issues.some(({ code }) => code === ISSUE.unknownTool),
    hadFixer: repairs.some(isOfRegistered),
    ...(correction !== undefined && {
      correction: {
        source: correction.source,
        toolInput: correction.toolInput as JsonValue,
        by: correction.by,
      },
    }),
  };
}

/** Repairs by which a call was taken out of a message's text: what they made of it is the input. */
const FROM_TEXT: ReadonlySet<string> = new Set(["rescue-text-call", "read-action"]);

function isOfRegistered({ fixer, level }: { fixer: string; level: string }): boolean {
  const isOwn = FROM_TEXT.has(fixer) || SWITCHABLE_EDITS.includes(fixer as SwitchableEdit);
  return level === "strict" && !isOwn;
}
