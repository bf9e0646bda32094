import type { BaseMessage } from "@langchain/core/messages";
import { textFormats } from "../../../repair/text-calls/formats.ts";
import { isAIMessage, isToolMessage } from "../is-ai-message.ts";
import { shownText } from "./is-quoted.ts";

/** Words by which somebody asks to be shown code or data. */
const ASKS_FOR_TEXT =
  /\b(?:examples?|samples?|snippets?|syntax|formats?|code|python|json|explain|document(?:ation)?|show me|write (?:me )?(?:a|the|some)|how (?:do|does|can|could|would|should|to)|what (?:does|would))\b/i;

/** Words by which somebody asks for something to be shown, and for a call. */
const ASKS_TO_SHOW =
  /\b(?:examples?|samples?|snippets?|syntax|formats?|templates?|explain|document(?:ation)?|show|demonstrate|quote|repeat|print|write|how (?:do|does|can|could|would|should|to)|what (?:does|do|would|is|are))\b/i;
const OF_A_CALL =
  /\b(?:calls?|called|calling|invo(?:ke|kes|king|cation)|tools?|functions?|markup|tags?|xml|json|syntax|snippets?)\b/i;

/**
 * Checks whether a call in the answer may be what the user asked to be shown.
 *
 * @param history The messages before it.
 * @param format The call's format. In a form in which people show code or data to each other, a
 * question for any code or data counts; in a model's own markup, one for a call.
 */
export function asksForText(history: readonly BaseMessage[], format: string): boolean {
  const last = history.at(-1);
  if (last === undefined || isAIMessage(last) || isToolMessage(last)) return false;
  const asked = shownText(last.content);
  if (ASKS_TO_SHOW.test(asked) && OF_A_CALL.test(asked)) return true;
  const isCommon = textFormats.find((one) => one.format === format)?.isCommon === true;
  return isCommon && ASKS_FOR_TEXT.test(asked);
}
