import { createHash } from "node:crypto";
import { canonicalJson } from "../../repair/json/canonical-json.ts";
import { isJsonObject } from "../../repair/json/json-value.ts";
import type { JsonValue } from "../../repair/types.ts";
import type { LoggedInput } from "../suggest/logged-inputs.ts";

/** What came of each input, by a hash of it: nothing of what a model wrote. */
export type Baseline = ReadonlyMap<string, string>;

/** What came of an input: the tool that is run, and with what. */
export interface Replayed {
  readonly tool: string;
  readonly toolInput: JsonValue;
}

/** What a baseline has for an input that was refused. */
export const REFUSED = "refused";

/** Names an input: by its tool and schema, the level and what the model wrote. */
export function keyOfInput({ tool, schema = "", level, raw }: LoggedInput): string {
  return shortHash([tool, schema, level, raw]);
}

/** Names what came of an input; `undefined` is for one that was refused. */
export function hashOutcome(outcome: Replayed | undefined): string {
  return outcome === undefined ? REFUSED : shortHash([outcome.tool, outcome.toolInput]);
}

/** Writes a baseline as the text of a file, the same for the same inputs. */
export function writeBaseline(baseline: Baseline): string {
  const outcomes = Object.fromEntries(
    [...baseline].sort(([one], [other]) => (one < other ? -1 : 1)),
  );
  return `${JSON.stringify({ v: 1, outcomes }, null, 1)}\n`;
}

/** Reads a baseline. */
export function readBaseline(text: string, name: string): Baseline {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new TypeError(`${name} is no baseline: ${(error as Error).message}`, { cause: error });
  }
  const outcomes = isJsonObject(value) && value.v === 1 ? value.outcomes : undefined;
  if (!isJsonObject(outcomes) || !Object.values(outcomes).every((one) => typeof one === "string")) {
    throw new TypeError(`${name} is no baseline: write one with --baseline ${name} --update.`);
  }
  return new Map(Object.entries(outcomes as Record<string, string>));
}

function shortHash(value: JsonValue): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex").slice(0, 16);
}
