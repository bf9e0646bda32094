import type { CorrectionSource, Outcome } from "../repair/events/event.ts";
import { asValue, isJsonObject, setAt, sharesValue } from "../repair/json.ts";
import type { CompiledSchema } from "../repair/schema/compile-schema.ts";
import { findUndeclared } from "../repair/schema/node.ts";
import {
  ISSUE,
  type JsonSchema,
  type JsonValue,
  type RepairLevel,
  type ToolLike,
} from "../repair/types.ts";
import { addTo, compareTexts } from "./grouping.ts";
import {
  type CallLine,
  type CorrectionLine,
  callIds,
  type LogLine,
  SOURCES,
} from "./log-line.ts";

/** The calls of a log whose inputs were recorded. */
export interface LoggedInputs {
  /**
   * In the order of the log; pairs without a line of the rejected call last.
   */
  readonly inputs: readonly LoggedInput[];
  readonly schemaOf: (
    tool: string,
    hash: string | undefined,
  ) => JsonSchema | undefined;
  readonly counts: {
    /**
     * Of calls and corrections; those without an input were written at content
     * `none` or `keys`.
     */
    readonly lines: number;
    readonly withoutInput: number;
    /**
     * Inputs without the id of a run or thread, and those whose schema is not
     * in the log.
     */
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
  /**
   * The thread that it belongs to, else its run: what counts as one
   * conversation.
   */
  readonly run: string | undefined;
  readonly call: string | undefined;
  /** When, in milliseconds since 1970. */
  readonly time: number;
  /** What replaced a rejected input, and who said so. */
  readonly correction?: LoggedCorrection | undefined;
  /** Whether no tool of its name was offered. */
  readonly isUnknown: boolean;
}

/** What replaced a rejected input. */
interface LoggedCorrection {
  readonly source: CorrectionSource;
  readonly toolInput: JsonValue;
  /**
   * The tool of the call that replaced it: another one where the first named
   * none that exists.
   */
  readonly tool: string;
}

/** Gathers the lines of a log that fixers can be learnt from, or tried on. */
export class LogEvidence {
  readonly #schemas = new Map<string, JsonSchema>();
  readonly #calls: CallLine[] = [];
  readonly #corrections: CorrectionLine[] = [];
  #withoutInput = 0;

  add(line: LogLine): void {
    if (line.kind === "count") return;
    if (line.kind === "schema") {
      const { tool, schema, jsonSchema } = line;
      if (isJsonObject(jsonSchema))
        this.#schemas.set(`${schema} ${tool}`, jsonSchema);
      return;
    }
    const input = line.kind === "call" ? line.raw : line.toolInput;
    if (input === undefined) this.#withoutInput += 1;
    else if (line.kind === "call") this.#calls.push(line);
    else this.#corrections.push(line);
  }

  /** How many lines are in memory. */
  get size(): number {
    return this.#schemas.size + this.#calls.length + this.#corrections.length;
  }

  /** Joins each rejected call with its correction. */
  read(): LoggedInputs {
    const inputs = new CorrectedCalls(this.#calls, this.#corrections).inputs();
    const schemaOf = schemasIn(this.#schemas);
    const counts = {
      lines: this.#calls.length + this.#corrections.length + this.#withoutInput,
      withoutInput: this.#withoutInput,
      withoutRun: inputs.filter(({ run }) => run === undefined).length,
      withoutSchema: inputs.filter(
        ({ tool, schema }) =>
          schema !== undefined && schemaOf(tool, schema) === undefined,
      ).length,
    };
    return { inputs, schemaOf, counts };
  }
}

/**
 * A function of its own, as a closure made beside the lines would keep them all
 * in memory.
 */
function schemasIn(
  schemas: ReadonlyMap<string, JsonSchema>,
): LoggedInputs["schemaOf"] {
  return (tool, hash) => schemas.get(`${hash} ${tool}`);
}

/** A tool with its latest schema in the log. */
export type LoggedTool = ToolLike & { readonly schema: JsonSchema };

/** Lists the tools of a log by name, with the schema that each had last. */
export function latestTools({
  inputs,
  schemaOf,
}: LoggedInputs): ReadonlyMap<string, LoggedTool> {
  const latest = new Map<string, LoggedTool & { readonly time: number }>();
  for (const { tool: name, schema: hash, time } of inputs) {
    const schema = schemaOf(name, hash);
    if (schema === undefined) continue;
    const known = latest.get(name);
    if (known === undefined || time >= known.time)
      latest.set(name, { name, schema, time });
  }
  return new Map(
    [...latest].sort(([left], [right]) => compareTexts(left, right)),
  );
}

/**
 * What a tool would receive of the correction. A later call is one only if it
 * shares a value with the first.
 */
export async function labelOf(
  { raw, correction }: LoggedInput,
  schema: CompiledSchema,
): Promise<JsonValue | undefined> {
  if (correction === undefined) return undefined;
  const { source, toolInput } = correction;
  if (source === "later-call" && !sharesValue(raw, toolInput)) return undefined;
  return declaredInput(toolInput, schema);
}

/**
 * Returns an input without its undeclared keys; `undefined` where the schema
 * rejects it.
 */
export async function declaredInput(
  value: JsonValue,
  schema: CompiledSchema,
): Promise<JsonValue | undefined> {
  const validation = await schema.validate(value);
  if (!validation.ok) return undefined;
  const undeclared = findUndeclared(
    value,
    schema.jsonSchema,
    validation.parsed,
  );
  let declared = value;
  // From the last to the first, so that elements of arrays keep their places.
  for (const path of undeclared.toReversed())
    declared = setAt(declared, path, undefined) ?? declared;
  return declared;
}

/** The calls of a log, and the corrections of those that were rejected. */
class CorrectedCalls {
  readonly #calls: readonly CallLine[];
  readonly #corrections: readonly CorrectionLine[];
  readonly #callsOf: LinesById<CallLine>;
  readonly #correctionsOf: LinesById<CorrectionLine>;

  constructor(
    calls: readonly CallLine[],
    corrections: readonly CorrectionLine[],
  ) {
    this.#calls = calls;
    this.#corrections = corrections;
    this.#callsOf = byId(calls);
    this.#correctionsOf = byId(corrections);
  }

  /**
   * Lists the calls, and the pairs that were found in a history: their rejected
   * calls have no line.
   */
  inputs(): readonly LoggedInput[] {
    const inputs = this.#calls.map((line) =>
      toInput(line, this.#correctionOf(line)),
    );
    for (const line of this.#corrections) {
      const hasCall = idsOf(line).some((id) => this.#callsOf.has(id));
      if (line.raw === undefined || hasCall) continue;
      inputs.push(toInput(rejectedCallOf(line), this.#toCorrection(line)));
    }
    return inputs;
  }

  #correctionOf(line: CallLine): LoggedCorrection | undefined {
    if (isAccepted(line)) return undefined;
    const ids = idsOf(line).filter((id) => this.#isOnlyRejected(id));
    const corrections = ids.flatMap((id) => this.#correctionsOf.get(id) ?? []);
    const [best] = corrections.sort(mostCertainFirst);
    if (best !== undefined) return this.#toCorrection(best);
    const { outcome, tool, toolInput } = line;
    if (outcome !== "corrected" || toolInput === undefined) return undefined;
    // A handler replaced it in place: what ran is the correction.
    return { source: "handler", toolInput: toolInput as JsonValue, tool };
  }

  #isOnlyRejected(id: string): boolean {
    const refused = this.#callsOf.get(id)?.filter((call) => !isAccepted(call));
    return refused?.length === 1;
  }

  #toCorrection(line: CorrectionLine): LoggedCorrection {
    const replacing = callIds(line, line.by).flatMap(
      (id) => this.#callsOf.get(id) ?? [],
    );
    const { tool } = replacing.find(isAccepted) ?? line;
    return {
      source: line.source,
      toolInput: line.toolInput as JsonValue,
      tool,
    };
  }
}

function mostCertainFirst(left: CorrectionLine, right: CorrectionLine): number {
  return SOURCES.indexOf(right.source) - SOURCES.indexOf(left.source);
}

/** The line that the rejected call of a correction would have. */
function rejectedCallOf(line: CorrectionLine): CallLine {
  const refused = {
    kind: "call",
    seam: "core",
    outcome: "refused",
    repairs: [],
  } as const;
  return { ...line, ...refused, call: line.of };
}

type LinesById<Line> = ReadonlyMap<string, readonly Line[]>;

function byId<Line extends CallLine | CorrectionLine>(
  lines: readonly Line[],
): LinesById<Line> {
  const linesById = new Map<string, Line[]>();
  for (const line of lines) {
    for (const id of idsOf(line)) addTo(linesById, id, line);
  }
  return linesById;
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

/**
 * Repairs that take a call out of a message's text. What they return is the
 * input.
 */
const FROM_TEXT: readonly string[] = ["rescue-text-call", "read-action"];

function toInput(
  line: CallLine,
  correction: LoggedCorrection | undefined,
): LoggedInput {
  const { tool, schema, toolInput, level, run, thread, call, t, repairs } =
    line;
  const fromText = repairs.find(({ fixer }) => FROM_TEXT.includes(fixer));
  return {
    tool,
    schema,
    raw: (fromText?.after ?? line.raw) as JsonValue,
    toolInput: isAccepted(line)
      ? (toolInput as JsonValue | undefined)
      : undefined,
    level,
    // A thread is one person's conversation, however many runs it has.
    run: thread ?? run,
    call,
    time: Date.parse(t),
    isUnknown: line.issues.some(({ code }) => code === ISSUE.unknownTool),
    correction,
  };
}
