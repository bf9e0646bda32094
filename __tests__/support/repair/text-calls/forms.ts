import type { TextFormatName } from "#src/repair/text-calls/format-names.ts";
import { textFormats } from "#src/repair/text-calls/formats.ts";
import { matchText } from "#src/repair/text-calls/read-text-calls.ts";
import type { TextFormat } from "#src/repair/text-calls/text-format.ts";
import { type MeantCall, writers } from "./write-calls.ts";

/** A form of a format, and how calls are written in it. */
export interface WrittenForm {
  /** `format` or `format/form`. */
  readonly form: string;
  readonly format: TextFormatName;
  readonly marker: TextFormat["marker"];
  readonly write: (calls: readonly MeantCall[]) => string;
}

export const writtenForms: readonly WrittenForm[] = Object.entries(writers).map(([form, write]) => {
  const [format = ""] = form.split("/");
  const marker = textFormats.find((one) => one.format === format)?.marker;
  if (marker === undefined) throw new Error(`${form} is of no format`);
  return { form, format: format as TextFormatName, marker, write };
});

/** Every format, for a text that must not be a call in any. */
export const allFormats: readonly TextFormatName[] = [
  ...new Set(writtenForms.map(({ format }) => format)),
];

/** The row that reads a text. */
export function rowOf(text: string, format: TextFormatName, names: readonly string[]): TextFormat {
  const rows = textFormats.filter((one) => one.format === format);
  const [matched] = matchText(text, rows, names);
  if (matched === undefined) throw new Error(`not in ${format}: ${text}`);
  return matched.format;
}

/** Whether prose may stand before a text in a form that no token opens. */
export function mayFollowProse(
  text: string,
  format: TextFormatName,
  names: readonly string[],
): boolean {
  return rowOf(text, format, names).mayFollowProse === true;
}

/** A sentence that announces a call, as agents write it in fourteen languages. */
export const SENTENCES: readonly string[] = [
  "Now let me run the tests to verify the fix.",
  "I'll check the weather in Paris:",
  "Ich sehe zuerst nach, wie das Wetter in Paris wird.",
  "Je vais d'abord consulter la météo à Paris :",
  "Voy a consultar el tiempo en París…",
  "Vou verificar o tempo em Paris.",
  "Ora controllo il meteo di Parigi:",
  "Сейчас проверю погоду в Париже.",
  "我先查一下巴黎的天气。",
  "パリの天気を調べます。",
  "파리 날씨를 확인하겠습니다.",
  "سأتحقق من الطقس في باريس.",
  "मैं पेरिस का मौसम देखता हूँ।",
  "Sprawdzę teraz pogodę w Paryżu.",
  "Paris'teki hava durumuna bakıyorum.",
  "Tôi sẽ kiểm tra thời tiết ở Paris:",
];
