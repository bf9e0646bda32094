import type { Content } from "./log-line.ts";
import type { Redact } from "./redact.ts";

/** What a line holds. */
export interface LineOptions {
  readonly content: Content;
  readonly redact?: Redact | undefined;
}

/** All that there are, the least first. */
export const CONTENTS: readonly Content[] = ["none", "keys", "full"];

/**
 * Returns how much of what models write is told where nothing is said of it: what the environment's
 * `TOOLMEND_CONTENT` says, else nothing.
 *
 * @param content What is said of it.
 */
export function contentOrDefault(content: Content | undefined): Content {
  if (content === undefined) {
    const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
    const said = process?.env?.TOOLMEND_CONTENT;
    return isContent(said) ? said : "none";
  }
  return content;
}

/** Tells whether something says how much is told. */
export function isContent(value: unknown): value is Content {
  return CONTENTS.includes(value as Content);
}
