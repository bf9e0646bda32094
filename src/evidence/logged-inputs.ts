import type { CorrectionSource, Outcome } from "../repair/events/event.ts";
import { isJsonObject, parseExactly, setAt, sharesValue } from "../repair/json.ts";
import type { CompiledSchema } from "../repair/schema/compile-schema.ts";
import { findUndeclared } from "../repair/schema/node.ts";
import {
  ISSUE,
  type JsonSchema,
  type JsonValue,
  type RepairLevel,
  type ToolLike,
} from "../repair/types.ts";
import { type CallLine, type CorrectionLine, callIds, type LogLine, SOURCES } from "./log-line.ts";

/** The calls of a log whose inputs were recorded. */
export interface LoggedInputs {
  /** In the order of the log; pairs without a line of the refused call last. */
  readonly inputs: readonly LoggedInput[];
  readonly schemaOf: (tool: string, hash: string | undefined) => JsonSchema | undefined;
  readonly counts: {
    /** Of calls and corrections; those without an input were written at content `none` or `keys`. */
    readonly lines: number;
    readonly withoutInput: number;
    /** Inputs without the id of a run or thread, and those whose schema is not in the log. */
    readonly withoutRun: number;
    readonly withoutSchema: number;
  };
}

/** A call of a log whose input was recorded. */
export interface LoggedInput {
  readonly tool: string;
  /** The hash of the schema that it was checked by. */
  readonly schema: string | undefined;
  readonly raw: JsonValue;
  /** What ran; `undefined` where nothing did. */
  readonly toolInput: JsonValue | undefined;
  readonly level: RepairLevel;
  /** The thread that it belongs to, else its run: what counts as one conversation. */
  readonly run: string | undefined;
  readonly call: string | undefined;
  /** When, in milliseconds since 1970. */
  readonly time: number;
  /** What replaced a refused input, and who said so. */
  readonly correction?: Correction | undefined;
  /** Whether no tool of its name was offered. */
  readonly isUnknown: boolean;
}

/** What replaced a refused input. */
export interface Correction {
  readonly source: CorrectionSource;
  readonly toolInput: JsonValue;
  /** The tool of the call that replaced it: another one where the first named none that exists. */
  readonly tool: string;
}

/** Creates what gathers the lines of a log that fixers can be learnt from, or tried on. */
export function createLogEvidence() {
  const schemas = new Map<string, JsonSchema>();
  const calls: CallLine[] = [];
  const corrections: CorrectionLine[] = [];
  let withoutInput = 0;
  return {
    add(line: LogLine): void {
      if (line.kind === "schema") {
        const { tool, schema, jsonSchema } = line;
        if (isJsonObject(jsonSchema)) schemas.set(`${schema} ${tool}`, jsonSchema);
      } else if (line.kind === "call" && line.raw !== undefined) calls.push(line);
      else if (line.kind === "correction" && line.toolInput !== undefined) corrections.push(line);
      else if (line.kind !== "count") withoutInput += 1;
    },
    /** How many lines are in memory. */
    kept: (): number => schemas.size + calls.length + corrections.length,
    /** Joins each refused call with its correction. */
    read(): LoggedInputs {
      const inputs = joinCorrections(calls, corrections);
      const schemaOf = schemasIn(schemas);
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

/** A function of its own, as a closure made beside the lines would keep them all in memory. */
function schemasIn(schemas: ReadonlyMap<string, JsonSchema>): LoggedInputs["schemaOf"] {
  return (tool, hash) => schemas.get(`${hash} ${tool}`);
}

/** A tool with its latest schema in the log. */
export type LoggedTool = ToolLike & { readonly schema: JsonSchema };

/** Lists the tools of a log by name, with the schema that each had last. */
export function latestTools({ inputs, schemaOf }: LoggedInputs): ReadonlyMap<string, LoggedTool> {
  const latest = new Map<string, LoggedTool & { readonly time: number }>();
  for (const { tool: name, schema: hash, time } of inputs) {
    const schema = schemaOf(name, hash);
    if (schema === undefined) continue;
    const isLater = time >= (latest.get(name)?.time ?? Number.NEGATIVE_INFINITY);
    if (isLater) latest.set(name, { name, schema, time });
  }
  return new Map([...latest].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Returns what a model wrote as the value that it stands for, where it is JSON text. */
export function asValue(raw: unknown): JsonValue {
  return typeof raw === "string" ? (parseExactly(raw) ?? raw) : (raw as JsonValue);
}

/** What a tool would receive of the correction. A later call is one only if it shares a value with the first. */
export async function labelOf(
  { raw, correction }: LoggedInput,
  schema: CompiledSchema,
): Promise<JsonValue | undefined> {
  if (correction === undefined) return undefined;
  const { source, toolInput } = correction;
  if (source === "later-call" && !sharesValue(raw, toolInput)) return undefined;
  return declaredInput(toolInput, schema);
}

/** Returns an input without its undeclared keys; `undefined` where the schema rejects it. */
export async function declaredInput(
  value: JsonValue,
  schema: CompiledSchema,
): Promise<JsonValue | undefined> {
  const validation = await schema.validate(value);
  if (!validation.ok) return undefined;
  const { parsed } = validation;
  const undeclared = findUndeclared(value, schema.jsonSchema, parsed);
  // From the last to the first, so that elements of arrays keep their places.
  const remove = (rest: JsonValue, path: string) => setAt(rest, path, undefined) ?? rest;
  return undeclared.reduceRight(remove, value);
}

function joinCorrections(
  calls: readonly CallLine[],
  corrections: readonly CorrectionLine[],
): readonly LoggedInput[] {
  const callsOf = byId(calls);
  const correctionsOf = byId(corrections);
  const isOnly = (id: string) => callsOf.get(id)?.filter((one) => !isAccepted(one)).length === 1;
  const toCorrection = (line: CorrectionLine): Correction => {
    const by = callIds(line, line.by).flatMap((id) => callsOf.get(id) ?? []);
    const { tool } = by.find(isAccepted) ?? line;
    return { source: line.source, toolInput: line.toolInput as JsonValue, tool };
  };
  const correctionOf = (line: CallLine): Correction | undefined => {
    const { outcome, tool, toolInput } = line;
    if (isAccepted(line)) return undefined;
    const ids = idsOf(line).filter(isOnly);
    const found = ids.flatMap((id) => correctionsOf.get(id) ?? []);
    const rank = ({ source }: CorrectionLine) => SOURCES.indexOf(source);
    const [best] = found.sort((one, other) => rank(other) - rank(one));
    if (best !== undefined) return toCorrection(best);
    if (outcome !== "corrected" || toolInput === undefined) return undefined;
    // A handler replaced it in place: what ran is the correction.
    return { source: "handler", toolInput: toolInput as JsonValue, tool };
  };
  const isAlone = (line: CorrectionLine) =>
    line.raw !== undefined && !idsOf(line).some((id) => callsOf.has(id));
  return [
    ...calls.map((line) => toInput(line, correctionOf(line))),
    // A pair that was found in a history holds both halves: there is no line of the refused call.
    ...corrections.filter(isAlone).map((line) => {
      const refused = { kind: "call", seam: "core", outcome: "refused", repairs: [] } as const;
      const call = { ...line, ...refused, call: line.of, level: line.level ?? "safe" } as CallLine;
      return toInput(call, toCorrection(line));
    }),
  ];
}

function byId<Line extends CallLine | CorrectionLine>(
  lines: readonly Line[],
): ReadonlyMap<string, readonly Line[]> {
  const found = new Map<string, Line[]>();
  for (const line of lines) {
    for (const id of idsOf(line)) {
      const same = found.get(id);
      if (same === undefined) found.set(id, [line]);
      else same.push(line);
    }
  }
  return found;
}

/** Names the call of a line: by its id, else by what the model wrote. */
function idsOf(line: CallLine | CorrectionLine): readonly string[] {
  const id = line.kind === "call" ? line.call : line.of;
  return callIds(line, id ?? JSON.stringify([line.tool, asValue(line.raw)]));
}

/** The outcomes of valid inputs, and of those that could be repaired. */
const ACCEPTED: readonly Outcome[] = ["valid", "repaired", "rescued", "unused"];

function isAccepted({ outcome }: CallLine): boolean {
  return ACCEPTED.includes(outcome);
}

/** Repairs that take a call out of a message's text. What they return is the input. */
const FROM_TEXT: readonly string[] = ["rescue-text-call", "read-action"];

function toInput(line: CallLine, correction: Correction | undefined): LoggedInput {
  const { tool, schema, toolInput, level, run, thread, call, t, repairs } = line;
  const text = repairs.find(({ fixer }) => FROM_TEXT.includes(fixer));
  return {
    tool,
    schema,
    raw: (text?.after ?? line.raw) as JsonValue,
    toolInput: isAccepted(line) ? (toolInput as JsonValue | undefined) : undefined,
    level,
    // A thread is one person's conversation, however many runs it has.
    run: thread ?? run,
    call,
    time: Date.parse(t),
    isUnknown: line.issues.some(({ code }) => code === ISSUE.unknownTool),
    ...(correction !== undefined && { correction }),
  };
}
