import type { RepairLevel } from "../repair/types.ts";
import type { CallLine } from "./log-line.ts";

const TEXT = String.raw`"([^"\\\x00-\x1f]*)"`;
const field = (name: string) => `(?:,"${name}":${TEXT})?`;

/** A valid call as toolmend writes it, without what the model wrote: nothing in it is escaped. */
const VALID = new RegExp(
  `^\\{"kind":"call","v":1,"t":${TEXT},"tool":${TEXT}` +
    ["schema", "model", "provider", "run", "thread", "call"].map(field).join("") +
    `,"seam":${TEXT},"outcome":"valid","level":${TEXT},"issues":\\[\\],"repairs":\\[\\]\\}$`,
);

/** How many names are remembered. */
const MOST = 20_000;

const names = new Map<string, string>();

/**
 * Reads a line that tells of a valid call and of nothing else, some three times as fast as
 * `JSON.parse` does: of most logs, most lines are such.
 *
 * @param text The line.
 * @returns What `JSON.parse` would return, fields that are not there being `undefined`; or `undefined` for a
 * line of any other form.
 */
export function readValidLine(text: string): CallLine | undefined {
  const parts = VALID.exec(text);
  if (parts === null) return undefined;
  const [, t = "", tool = "", schema, model, provider, run, thread, call, seam, level] = parts;
  return {
    kind: "call",
    v: 1,
    t,
    tool: known(tool),
    schema: known(schema),
    model: known(model),
    provider: known(provider),
    run,
    thread,
    call,
    seam: seam as CallLine["seam"],
    outcome: "valid",
    level: level as RepairLevel,
    issues: NONE,
    repairs: NONE,
  };
}

const NONE: readonly never[] = [];

/** One string for each name, of its own: a part of a text would keep all of the text in memory. */
function known<Name extends string | undefined>(name: Name): Name;
function known(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  const found = names.get(name);
  if (found !== undefined) return found;
  if (names.size >= MOST) names.clear();
  const own = Buffer.from(name).toString();
  names.set(own, own);
  return own;
}
