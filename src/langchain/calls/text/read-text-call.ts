import { withoutThoughts } from "../../../repair/read/without-thoughts.ts";
import { functionTag } from "./function-tag.ts";
import { bareJson, fencedJson, taggedJson, toolCallsMarker } from "./json-call.ts";
import { pythonCall } from "./python-call.ts";
import { reactAction } from "./react-action.ts";
import type { TextCall, TextCallForm } from "./text-call.ts";

/** The forms in which models write calls as text. */
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

/** A tag of thoughts that is left over: what is thought and what is said cannot be told. */
const THOUGHTS = /<\/?(?:think|thinking|thought|thoughts|reasoning|reflection)>/i;

/**
 * Reads a text that is nothing but one call. Thoughts before it are passed over; nothing in them is
 * read. The one reader of calls in text.
 *
 * @param text The text.
 * @param forms The forms that it may have. Default: all that models are known to write.
 * @returns The call; `undefined` where there is none, more than one, or more than one reading.
 */
export function readTextCall(
  text: string,
  forms: readonly TextCallForm[] = FORMS,
): TextCall | undefined {
  const body = withoutThoughts(text.trim())?.trim() ?? "";
  if (body === "" || body.length > MAX_LENGTH || THOUGHTS.test(body)) return undefined;
  const readings = forms.map((form) => form(body)).filter((calls) => calls.length > 0);
  const [calls, another] = readings;
  return another === undefined && calls?.length === 1 ? calls[0] : undefined;
}
