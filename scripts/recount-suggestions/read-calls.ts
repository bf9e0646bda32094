import { createHash } from "node:crypto";
import type { JsonValue, RepairLevel } from "toolmend";

type Line = { readonly [key: string]: never } & {
  readonly kind: string;
  readonly tool: string;
  readonly t: string;
  readonly run: string;
  readonly call?: string;
  readonly of?: string;
  readonly by?: string;
  readonly source: string;
  readonly schema: string;
  readonly jsonSchema: Schema;
  readonly outcome: string;
  readonly level: RepairLevel;
  readonly raw: JsonValue;
  readonly toolInput?: JsonValue;
  readonly issues: readonly { readonly code: string }[];
};

interface Schema {
  readonly properties?: { readonly [key: string]: Schema };
  readonly items?: Schema;
  readonly additionalProperties?: unknown;
}

/** A call, as the log tells of it. */
export interface Told {
  readonly tool: string;
  readonly run: string;
  readonly raw: JsonValue;
  readonly level: RepairLevel;
  readonly ownSchema: Schema | undefined;
  readonly wasAccepted: boolean;
  readonly toolInput: JsonValue | undefined;
  readonly isUnknown: boolean;
  readonly isMined: boolean;
  /** What took its place. */
  readonly label: JsonValue | undefined;
  /** Whether that was a call of this tool. */
  readonly isLabelOf: (tool: string) => boolean;
}

const ORDER = ["human", "handler", "self-correct", "later-call"];

/** Reads a log. */
export function readCalls(text: string) {
  const lines = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);
  const schemas = new Map(
    lines
      .filter(({ kind }) => kind === "schema")
      .map(({ tool, schema, jsonSchema }) => [`${tool}#${schema}`, jsonSchema]),
  );
  const corrections = lines.filter(({ kind }) => kind === "correction");
  const all = lines.filter(({ kind }) => kind === "call");
  const accepted = new Set(
    all.filter(({ outcome }) => ["valid", "repaired", "rescued"].includes(outcome)),
  );
  const ofRun = grouped([...accepted]);
  const correctionsOf = grouped(corrections);

  const calls = all.map((line): Told => {
    const isUnknown = line.issues.some(({ code }) => code === "unknown_tool");
    const wasAccepted = accepted.has(line);
    const [said] = (correctionsOf.get(line.run) ?? [])
      .filter(({ of }) => of === line.call)
      .sort((one, other) => ORDER.indexOf(one.source) - ORDER.indexOf(other.source));
    const near = ofRun.get(line.run) ?? [];
    const repeated = isUnknown
      ? near.findLast((one) => sameJson(one.raw, line.raw) && one.t >= line.t)
      : undefined;
    const by = said === undefined ? repeated : near.find(({ call }) => call === said.by);
    const made = wasAccepted ? undefined : (said ?? repeated);
    const isLater = said === undefined || said.source === "later-call";
    const isKnown = made !== undefined && (!isLater || haveWordInCommon(line.raw, made.toolInput));
    return {
      tool: line.tool,
      run: line.run,
      raw: line.raw,
      level: line.level,
      ownSchema: schemas.get(`${line.tool}#${line.schema}`),
      wasAccepted,
      toolInput: line.toolInput,
      isUnknown,
      isMined: (createHash("sha256").update(line.run).digest()[0] ?? 0) < 128,
      label: isKnown ? made.toolInput : undefined,
      isLabelOf: (tool) => (by ?? made)?.tool === tool,
    };
  });

  const latest = () => {
    const known = new Map<string, Schema>();
    const sorted = [...all].sort((one, other) => Date.parse(one.t) - Date.parse(other.t));
    for (const { tool, schema } of sorted) {
      const its = schemas.get(`${tool}#${schema}`);
      if (its !== undefined) known.set(tool, its);
    }
    return [...known].map(([name, schema]) => ({ name, schema }));
  };
  const tools = latest();
  return {
    calls,
    latest: () => tools,
    /** What a tool hears of an input, as text with sorted keys. */
    heard: (tool: string, input: unknown): string | undefined => {
      const schema = tools.find(({ name }) => name === tool)?.schema;
      if (schema === undefined || input === undefined) return undefined;
      return JSON.stringify(declared(input as JsonValue, schema));
    },
  };
}

/** Whether what comes out is what the log says that ran. */
export function isRepaired({ toolInput }: Told, made: unknown): boolean {
  return sameJson(toolInput, made);
}

function grouped(lines: readonly Line[]): Map<string, Line[]> {
  const groups = new Map<string, Line[]>();
  for (const line of lines) groups.set(line.run, [...(groups.get(line.run) ?? []), line]);
  return groups;
}

function sameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(declared(one, {})) === JSON.stringify(declared(other, {}));
}

/** Without keys that are not among the properties, the others sorted. */
function declared(value: unknown, { properties, items }: Schema): unknown {
  if (Array.isArray(value)) return value.map((item) => declared(item, items ?? {}));
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value)
    .filter(([key]) => properties === undefined || key in properties)
    .map(([key, one]) => [key, declared(one, properties?.[key] ?? {})] as const);
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function haveWordInCommon(one: unknown, other: unknown): boolean {
  const words = new Set(wordsOf(one));
  return wordsOf(other).some((word) => words.has(word));
}

/** All texts and numbers, and the words of texts. */
function wordsOf(value: unknown): string[] {
  if (typeof value === "number") return [String(value)];
  if (typeof value === "string") {
    return [value.trim(), ...value.split(/[\s,;|"'{}[\]:]+/)].filter((word) => word !== "");
  }
  if (value === null || typeof value !== "object") return [];
  return Object.values(value).flatMap(wordsOf);
}
