import { foldName } from "../words/names.ts";
import { endsTurn } from "./prose.ts";
import { matchAt, skipBlanks } from "./tokens.ts";

/**
 * The words that may stand before JSON and announce it, by what they do. No
 * other word may.
 */
const LEAD_INS: readonly { readonly does: string; readonly words: string }[] = [
  { does: "agrees: Sure!", words: "sure ok okay certainly" },
  {
    does: "points at what follows: Here is the following:",
    words: "here here's it is are the these my your following for of with and",
  },
  {
    does: "names the input: my arguments:",
    words:
      "json input inputs arguments argument args parameters params payload object",
  },
  {
    does: "labels it, as agents do: Action Input:",
    words: "action action_input tool call function",
  },
];

const WORDS = new Set(LEAD_INS.flatMap(({ words }) => words.split(" ")));

/**
 * The beginning of a lead-in and all that may belong to it: words and marks on
 * some lines.
 */
export const LEAD_IN: RegExp = /[\s*#]*\p{L}[\p{L}\p{N}\s.,:!*#_=’'-]{0,200}/uy;

/**
 * Whether words only announce what follows: "Here is the input:", "Action:
 * click", "Sure!".
 */
export function announces(lead: string, toolName: string | undefined): boolean {
  const plain = lead.toLowerCase().replaceAll("’", "'");
  const words = plain.match(/[^\s.,:!*#=]+/g) ?? [];
  return words.every((word) => WORDS.has(word) || namesTool(word, toolName));
}

/**
 * Whether a lead-in is over, so that what follows is no part of its sentence:
 * "the input is {…}".
 */
export function isOver(lead: string): boolean {
  const words = lead.trimEnd();
  const isLineOver = lead.slice(words.length).includes("\n");
  return isLineOver || LEAD_ENDS.has(words.slice(-1));
}

/** The signs that end a lead-in. */
const LEAD_ENDS = new Set(":=*!.");

/** Whether a name is that of the tool that an input was given to. */
export function namesTool(name: string, toolName: string | undefined): boolean {
  if (toolName === undefined || name.length > 200) return false;
  return foldName(name) === foldName(toolName);
}

/** The line that names a tool: Action: click; not an action. */
const ACTION_LINE = /(?<=\n)[^\S\n]*Action:[^\S\n]*([^\n]{1,200})\n/g;
const INPUT_LABEL = "Action Input:";

/**
 * The end of what an agent writes before an input: a thought, this tool's name,
 * and a label. The same index if a text does not begin so, or names another
 * tool.
 *
 *     Thought: I need a short run.
 *     Action: radio_observe
 *     Action Input:
 */
export function skipAgentTurn(
  text: string,
  at: number,
  toolName: string | undefined,
): number {
  if (!text.startsWith("Thought:", at)) return at;
  const [, name] = matchAt(ACTION_LINE, text, at);
  if (name === undefined || !namesTool(name.trim(), toolName)) return at;
  const label = skipBlanks(text, ACTION_LINE.lastIndex);
  const isInput = text.startsWith(INPUT_LABEL, label);
  return isInput ? label + INPUT_LABEL.length : at;
}

/**
 * A label with which an agent goes on behind an input, at the beginning of a
 * line.
 */
const NEXT_LABEL = /(?<=\n[^\S\n]*)(Observation|Thought):/y;
/** What may be a second input: a bracket, or the label of another action. */
const MAY_ACT_AGAIN = /[{[｛［]|\n[^\S\n]*Action/;

/**
 * What stands at an agent's label behind an input: nothing, where the output
 * was stopped there; or an observation that the model invented, because it was
 * not. `undefined` without a label, and for a thought, which may take the input
 * back, or a second input.
 */
export function readNextLabel(
  text: string,
  at: number,
): "nothing" | "observation" | undefined {
  const [, label] = matchAt(NEXT_LABEL, text, at);
  if (label === undefined) return undefined;
  const end = NEXT_LABEL.lastIndex;
  if (endsTurn(text, end)) return "nothing";
  if (label === "Thought") return undefined;
  return MAY_ACT_AGAIN.test(text.slice(end)) ? undefined : "observation";
}
