import { withoutOuterBreaks } from "../text.ts";
import { Fault } from "./faults.ts";
import { endsTurn } from "./prose.ts";
import { endOf, matchAt, matchesAt, skipBlanks } from "./tokens.ts";

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
  let element = readElement(text, at);
  while (element !== undefined) {
    if (!declares(element.key)) return new Fault("unknown_element", at);
    const fault = addArgument(args, element, text);
    if (fault !== undefined) return fault;
    at = skipBlanks(text, element.to);
    element = readElement(text, at);
  }
  if (args.size > 0) return faultBehind(text, at) ?? Object.fromEntries(args);
  const isCut = matchesAt(BROKEN_TAG, text, 0);
  return isCut ? new Fault("open_value", 0) : undefined;
}

/** Adds the argument of an element, or returns what is wrong with it. */
function addArgument(
  args: Map<string, string>,
  { key, value, at, from }: Element,
  text: string,
): Fault | undefined {
  if (value === undefined) return new Fault("open_value", text.length);
  if (args.has(key)) return new Fault("twin_keys", at);
  // an argument within another: one of the two is not closed
  if (value.includes("<parameter")) return new Fault("wrong_bracket", from);
  args.set(key, withoutOuterBreaks(value));
  return undefined;
}

/** What keeps the rest of a text from being the end of the elements. */
function faultBehind(text: string, at: number): Fault | undefined {
  const end = endOf(CLOSING_TAGS, text, at);
  if (endsTurn(text, end)) return undefined;
  const isCut = matchesAt(BROKEN_TAG, text, end);
  return new Fault(isCut ? "open_value" : "text_behind", end);
}

interface Element {
  readonly key: string;
  /** Its content; `undefined` if it is not closed. */
  readonly value: string | undefined;
  readonly at: number;
  /** The index of its content. */
  readonly from: number;
  /** The index behind it. */
  readonly to: number;
}

function readElement(text: string, at: number): Element | undefined {
  const [, plain, quoted] = matchAt(OPEN_TAG, text, at);
  const key = plain ?? quoted;
  if (key === undefined) return undefined;
  const from = OPEN_TAG.lastIndex;
  const end = text.indexOf(CLOSE_TAG, from);
  const value = end < 0 ? undefined : text.slice(from, end);
  return { key, value, at, from, to: end + CLOSE_TAG.length };
}

const KEY = String.raw`=([\w.-]{1,100})|\s+name="([^"<>]{1,100})"`;
const OPEN_TAG = new RegExp(String.raw`<parameter(?:${KEY})\s*>`, "y");
/** The line breaks between the tags and the content. */
const CLOSE_TAG = "</parameter>";
/** The beginning of a tag that the end of the text cuts off. */
const BROKEN_TAG = /<(?:\/?[\w:-]{0,60}|parameter[=\s][^<>]{0,120})$/y;
/** The tags that stand around the elements, where only their ends are left. */
const CLOSING_TAGS =
  /(?:\s*<\/(?:invoke|function|tool_call|function_calls)>)*/y;
