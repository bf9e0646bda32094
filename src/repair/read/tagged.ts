import { Fault } from "./faults.ts";
import { endsTurn } from "./prose.ts";
import { endOf, matchesAt, skipBlanks } from "./tokens.ts";

/**
 * Reads a text of nothing but elements that each hold a declared argument:
 * `<parameter=city>Paris</parameter>`. Their values are texts: the schema says
 * what they stand for.
 *
 * @param declares Whether the tool has a field of a name.
 * @returns The arguments, or why there is no one reading; `undefined` for
 *   another text.
 */
export function readParameterElements(
  text: string,
  declares: (key: string) => boolean,
): Record<string, string> | Fault | undefined {
  const args = new Map<string, string>();
  let at = 0;
  while (matchesAt(OPEN_TAG, text, at)) {
    const from = OPEN_TAG.lastIndex;
    const key = keyOfTag(text, at);
    const to = text.indexOf(CLOSE_TAG, from);
    if (key === undefined || !declares(key))
      return new Fault("unknown_element", at);
    if (to < 0) return new Fault("open_value", text.length);
    if (args.has(key)) return new Fault("twin_keys", at);
    const value = text.slice(from, to);
    // an argument within another: one of the two is not closed
    if (value.includes("<parameter")) return new Fault("wrong_bracket", from);
    args.set(key, value.replace(/^\r?\n/, "").replace(/\r?\n$/, ""));
    at = skipBlanks(text, to + CLOSE_TAG.length);
  }
  if (args.size === 0)
    return matchesAt(BROKEN_TAG, text, 0)
      ? new Fault("open_value", 0)
      : undefined;
  const end = endOf(CLOSING_TAGS, text, at);
  if (endsTurn(text, end)) return Object.fromEntries(args);
  const isCut = matchesAt(BROKEN_TAG, text, end);
  return isCut ? new Fault("open_value", end) : new Fault("text_behind", end);
}

function keyOfTag(text: string, at: number): string | undefined {
  OPEN_TAG.lastIndex = at;
  const [, plain, quoted] = OPEN_TAG.exec(text) ?? [];
  return plain ?? quoted;
}

const KEY = String.raw`=([\w.-]{1,100})|\s+name="([^"<>]{1,100})"`;
const OPEN_TAG = new RegExp(String.raw`<parameter(?:${KEY})\s*>`, "y");
const CLOSE_TAG = "</parameter>";
/** The beginning of a tag that the end of the text cuts off. */
const BROKEN_TAG = /<(?:\/?[\w:-]{0,60}|parameter[=\s][^<>]{0,120})$/y;
/** The tags that stand around the elements, where only their ends are left. */
const CLOSING_TAGS =
  /(?:\s*<\/(?:invoke|function|tool_call|function_calls)>)*/y;
