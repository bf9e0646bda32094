import type { Reading } from "#src/repair/read/content.ts";
import { type ParsedInput, parseToolInput } from "#src/repair/read/parse-tool-input.ts";
import type { JsonValue } from "#src/repair/types.ts";

/** How a text is read, in a form that fits into a table. */
export type TextReading =
  /** A value, by repair. */
  | {
      readonly value: JsonValue;
      readonly mustFit?: true;
      readonly mustKeepForm?: true;
    }
  /** A fault, and the text with an arrow at it. */
  | {
      readonly fault: string;
      readonly marked: string;
      readonly kind: ParsedInput["kind"];
      readonly completed?: JsonValue;
    }
  /** Text that is no JSON, and text that holds unusable JSON. */
  | "text"
  | "unread";

export function readingOf(text: string, reading: Reading): TextReading {
  const parsed = parseToolInput(text, reading);
  if (parsed.kind === "value" && parsed.repairs.length > 0) {
    const { value, mustFit, mustKeepForm } = parsed;
    return { value, ...(mustFit && { mustFit }), ...(mustKeepForm && { mustKeepForm }) };
  }
  const { rejection } = parsed;
  if (rejection === undefined) {
    return parsed.kind === "value" && parsed.unread ? "unread" : "text";
  }
  const { fault, text: rejected } = rejection;
  const marked = `${rejected.slice(0, fault.at)}→${rejected.slice(fault.at)}`;
  const completed = parsed.kind === "truncated" ? parsed.completed : undefined;
  return {
    fault: fault.kind,
    marked,
    kind: parsed.kind,
    ...(completed !== undefined && { completed }),
  };
}
