import { spellNumbers } from "../../repair/json/spell-numbers.ts";
import { writtenNumbersOf } from "../../repair/json/written-numbers.ts";
import { parseToolInput } from "../../repair/read/parse-tool-input.ts";
import type { RepairLevel } from "../../repair/types.ts";
import { type NamedInput, readCall } from "./read-call.ts";

/** A call that was read off text, and the level that reading it takes. */
export interface TextCall extends NamedInput {
  readonly level: RepairLevel;
}

/** A code fence, closed or not, with what is in it. */
const FENCED = /(```|~~~)[ \t]*[a-zA-Z]*[ \t]*\r?\n?([\s\S]*?)(?:\1|$)/g;

/**
 * Reads the one call in a model's text: a JSON blob with the tool's name and its input, in a code
 * fence or bare, with faults of syntax or not.
 *
 * @param text The whole output of the model.
 * @returns The call; `undefined` when there is none, more than one, or it was cut off.
 */
export function readTextCall(text: string): TextCall | undefined {
  const blocks = [...text.matchAll(FENCED)].map(([, , block = ""]) => block);
  const calls = blocks.map(readBlock).filter((call) => call !== undefined);
  if (calls.length > 1) return undefined;
  return calls[0] ?? readBlock(fromFirstBracket(text));
}

function readBlock(text: string): TextCall | undefined {
  const parsed = parseToolInput(text, { level: "safe" });
  if (parsed.kind === "several") return undefined;
  const isComplete = parsed.kind === "value";
  const call = readCall(isComplete ? parsed.value : parsed.completed);
  if (call === undefined) return undefined;
  const isExact = isComplete && parsed.repairs.length === 0;
  const level = isExact ? "strict" : isComplete ? "safe" : "eager";
  if (call.input === undefined) return { ...call, level };
  const input = spellNumbers(call.input, writtenNumbersOf(text, isExact).spellings);
  return input === undefined ? undefined : { ...call, input, level };
}

/** Prose before the blob must not be taken for a part of it. */
function fromFirstBracket(text: string): string {
  const start = text.search(/[[{]/);
  return start < 0 ? text : text.slice(start);
}
