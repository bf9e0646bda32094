import type { BaseMessage } from "@langchain/core/messages";
import { withoutSeparators } from "../../repair/text.ts";
import { setOf } from "../../repair/words/vocabulary.ts";
import type { FormFields } from "./provider-forms.ts";

/**
 * Where providers say why a model stopped. OpenAI's responses have a status,
 * and not always a reason.
 */
const REASON_KEYS =
  "finish_reason finishReason stop_reason stopReason done_reason reason status".split(
    " ",
  );

/**
 * The stop reasons of an unfinished message, folded: it was too long, was
 * stopped, or failed.
 */
const CUT_OFF: ReadonlySet<string> = setOf(
  `length maxlength maxtokens maxoutputtokens maxcompletiontokens tokenlimit modellength
  modelcontextwindowexceeded contextwindowexceeded errorlimit contentfilter contentfiltered
  guardrailintervened refusal safety recitation language blocklist prohibitedcontent spii errortoxic
  malformedfunctioncall malformedtooluse malformedmodeloutput unexpectedtoolcall pauseturn incomplete
  timelimit timeout cancelled canceled usercancel error failed abort aborted
  insufficientsystemresource other`,
);

/** Checks whether the provider says that a model's message was cut off. */
export function isCutOff(
  message: Pick<BaseMessage, "additional_kwargs" | "response_metadata">,
): boolean {
  const { additional_kwargs, response_metadata } = message;
  const { incomplete_details, messageStop } = (response_metadata ??
    {}) as FormFields;
  const places = [
    response_metadata,
    additional_kwargs,
    incomplete_details,
    messageStop,
  ];
  return [...places, saved.get(message)].some(saysCutOff);
}

function saysCutOff(fields: unknown): boolean {
  return REASON_KEYS.some((key) => {
    const reason = (fields as FormFields | null | undefined)?.[key];
    // Providers write `MAX_TOKENS`, `max_tokens` and `max-tokens`.
    return typeof reason === "string" && CUT_OFF.has(withoutSeparators(reason));
  });
}

/** What providers reported about messages outside of them. */
const saved = new WeakMap<object, FormFields>();

/**
 * Saves a stop reason: that of a streamed message, LangChain passes to
 * callbacks alone (core 1.4.0; streaming.test).
 */
export function saveStopInfo(
  message: BaseMessage | undefined,
  info: FormFields | undefined,
): void {
  if (message !== undefined && info !== undefined) saved.set(message, info);
}
