/**
 * Cuts a text to a length, with an ellipsis where something was left out.
 *
 * @param text The text.
 * @param maxLength The most characters that are left.
 */
export function cutText(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`;
}
