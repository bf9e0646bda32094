import type { Reading } from "#src/repair/read/content.ts";
import { type ParsedInput, parseToolInput } from "#src/repair/read/parse-tool-input.ts";

/** What `parseToolInput` makes of a text, without the reason of a rejection. */
export function parseText(text: string, reading: Reading): ParsedInput {
  return { ...parseToolInput(text, reading), rejection: undefined } as ParsedInput;
}
