import type { CallLine } from "../log-line.ts";
import { createTally, type OpenTally } from "./create-tally.ts";
import { HOUR } from "./time-steps.ts";

/** A model that the log does not name. */
const UNNAMED = "(not named)";

/** What stands for names beyond those that are told apart. */
const OTHERS = "(others)";

/** How many are told apart of each kind: whatever a model makes up, memory is bounded. */
const MOST = {
  tools: 3_000,
  models: 300,
  schemas: 100,
  faults: 20_000,
  fixers: 5_000,
  refusals: 5_000,
};

/** A kind of fault while it is counted. */
export interface OpenFault {
  readonly path: string;
  readonly code: string;
  expected: string | undefined;
  count: number;
  ran: number;
  readonly models: Map<OpenModel, number>;
  first: number;
  last: number;
}

/** A fixer while it is counted. */
export interface OpenFixer {
  readonly fixer: string;
  readonly level: string;
  count: number;
  first: number;
}

/** Refused calls of one kind while they are counted. */
export interface OpenRefusal {
  readonly issues: readonly {
    readonly path: string;
    readonly code: string;
    readonly expected?: string;
  }[];
  count: number;
  correctedLater: number;
  last: number;
  raw: unknown;
  correction: { readonly source: string; readonly toolInput: unknown } | undefined;
}

/** Calls of a tool by a model, over time. */
export interface OpenCell {
  readonly tally: OpenTally;
  readonly times: Map<number, { calls: number; faulty: number }>;
}

/** A model, and when it was first seen, before the period, too. */
export interface OpenModel {
  readonly name: string;
  readonly index: number;
  first: number;
  /** Calls in the period. */
  count: number;
}

/** All that is counted of a tool. */
export interface OpenTool extends Omit<OpenModel, "index"> {
  /** The first time of each schema. */
  readonly schemas: Map<string, number>;
  /** By the index of the model. */
  readonly cells: (OpenCell | undefined)[];
  readonly faults: Map<string, OpenFault>;
  readonly fixers: Map<string, OpenFixer>;
  readonly refusals: Map<string, OpenRefusal>;
}

/** Everything that is counted. */
export interface Sums {
  readonly by: "tool" | "model";
  readonly since: number | undefined;
  /** Lines from before the period, and the first of them. */
  before: number;
  earliest: number | undefined;
  from: number;
  to: number;
  /** What times are counted in, in milliseconds. */
  unit: number;
  readonly total: OpenTally;
  readonly times: Map<number, OpenTally>;
  readonly tools: Map<string, OpenTool>;
  readonly models: Map<string, OpenModel>;
  /** How many there are of all tools together. */
  readonly kinds: { faults: number; fixers: number; refusals: number };
}

/** Creates sums of nothing. */
export function createSums(by: Sums["by"], since: number | undefined): Sums {
  return {
    by,
    since,
    before: 0,
    earliest: undefined,
    from: Number.POSITIVE_INFINITY,
    to: Number.NEGATIVE_INFINITY,
    unit: HOUR,
    total: createTally(),
    times: new Map(),
    tools: new Map(),
    models: new Map(),
    kinds: { faults: 0, fixers: 0, refusals: 0 },
  };
}

/** Returns what is counted of a tool. */
export function toolOf({ tools }: Sums, wanted: string, time: number): OpenTool {
  const known = tools.get(wanted);
  if (known !== undefined) {
    if (time < known.first) known.first = time;
    return known;
  }
  const name = tools.size < MOST.tools ? wanted : OTHERS;
  return getOrMake(tools, name, () => ({
    name,
    first: time,
    count: 0,
    schemas: new Map(),
    cells: [],
    faults: new Map(),
    fixers: new Map(),
    refusals: new Map(),
  }));
}

/** Returns what is counted of a model. */
export function modelOf({ models }: Sums, wanted: string | undefined, time: number): OpenModel {
  const known = models.get(wanted ?? UNNAMED);
  if (known !== undefined) {
    if (time < known.first) known.first = time;
    return known;
  }
  const name = models.size < MOST.models ? (wanted ?? UNNAMED) : OTHERS;
  return getOrMake(models, name, () => ({ name, index: models.size, first: time, count: 0 }));
}

/** Returns what is counted of a tool's calls by a model. */
export function cellOf({ cells }: OpenTool, { index }: OpenModel): OpenCell {
  const known = cells[index];
  if (known !== undefined) return known;
  const cell = { tally: createTally(), times: new Map() };
  cells[index] = cell;
  return cell;
}

/** Remembers since when a tool has a schema. */
export function seeSchema({ schemas }: OpenTool, hash: string, time: number): void {
  const first = schemas.get(hash);
  if (first === undefined ? schemas.size < MOST.schemas : time < first) schemas.set(hash, time);
}

/** Returns what is counted of a kind of fault. */
export function faultOf(
  { kinds }: Sums,
  { faults }: OpenTool,
  { path: place, code }: CallLine["issues"][number],
): OpenFault {
  const path = kindOfPath(place);
  const make = (isOther: boolean): OpenFault => ({
    path: isOther ? "" : path,
    code: isOther ? OTHERS : code,
    expected: undefined,
    count: 0,
    ran: 0,
    models: new Map(),
    first: Number.POSITIVE_INFINITY,
    last: Number.NEGATIVE_INFINITY,
  });
  const known = faults.get(`${code} ${path}`);
  if (known !== undefined) return known;
  kinds.faults += 1;
  const isOther = kinds.faults > MOST.faults;
  return getOrMake(faults, isOther ? OTHERS : `${code} ${path}`, () => make(isOther));
}

/** Returns what is counted of a fixer. */
export function repairCountsOf(
  { kinds }: Sums,
  { fixers }: OpenTool,
  { fixer, level }: Pick<OpenFixer, "fixer" | "level">,
): OpenFixer {
  const key = `${level} ${fixer}`;
  const known = fixers.get(key);
  if (known !== undefined) return known;
  kinds.fixers += 1;
  const named = kinds.fixers > MOST.fixers ? { fixer: OTHERS, level: "" } : { fixer, level };
  const first = Number.POSITIVE_INFINITY;
  return getOrMake(fixers, named.level === "" ? OTHERS : key, () => ({
    ...named,
    count: 0,
    first,
  }));
}

/** Returns what is counted of refused calls with these faults. */
export function refusalOf(
  { kinds }: Sums,
  { refusals }: OpenTool,
  issues: CallLine["issues"],
): OpenRefusal {
  const named = new Map<string, OpenRefusal["issues"][number]>();
  for (const { path: place, code, expected } of issues) {
    const path = kindOfPath(place);
    named.set(`${code} ${path}`, { path, code, ...(expected === undefined ? {} : { expected }) });
  }
  const key = [...named.keys()].join("\n");
  const known = refusals.get(key);
  if (known !== undefined) return known;
  kinds.refusals += 1;
  const isOther = kinds.refusals > MOST.refusals;
  return getOrMake(refusals, isOther ? OTHERS : key, () => ({
    issues: isOther ? [{ path: "", code: OTHERS }] : [...named.values()],
    count: 0,
    correctedLater: 0,
    last: Number.NEGATIVE_INFINITY,
    raw: undefined,
    correction: undefined,
  }));
}

/** Returns what a map has for a key, or puts it there. */
export function getOrMake<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** A list's items have one kind of fault, whatever their number. */
function kindOfPath(path: string): string {
  return path.replace(/\/\d+(?=\/|$)/g, "/*");
}
