/** What a terminal acts on, or shows otherwise than it is: C0 but line breaks and tabs, DEL, C1, marks of direction. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROLS = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Makes what a stranger wrote harmless to a terminal: `\\u001b[2J` instead of clearing the screen.
 *
 * @param text What is to be printed.
 * @returns The text, with control characters as JSON escapes.
 */
export function escapeForTerminal(text: string): string {
  return text.replace(CONTROLS, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
