import { functionTag } from "./function-tag.ts";
import { bareJson, fencedJson, taggedJson, toolCallsMarker } from "./json-call.ts";
import { pythonCall } from "./python-call.ts";
import { reactAction } from "./react-action.ts";
import type { TextCall, TextCallForm } from "./text-call.ts";

const FORMS: readonly TextCallForm[] = [
  fencedJson,
  bareJson,
  taggedJson,
  functionTag,
  toolCallsMarker,
  pythonCall,
  reactAction,
];

/** The longest text that is read as a call. */
const MAX_LENGTH = 100_000;

/**
 * Reads a text that is nothing but one call, in one of the forms in which models write calls as
 * text. A block of reasoning before it is passed over; nothing in it is read.
 *
 * @param text The text.
 * @returns The call; `undefined` where there is none, more than one, or more than one reading.
 */
export function readTextCall(text: string): TextCall | undefined {
  const body = text.replace(/^\s*<think>[\s\S]*?<\/think>/, "").trim();
  if (body === "" || body.length > MAX_LENGTH || /<\/?think>/.test(body)) return undefined;
  const readings = FORMS.map((form) => form(body)).filter((calls) => calls.length > 0);
  const [calls, another] = readings;
  return another === undefined && calls?.length === 1 ? calls[0] : undefined;
}
