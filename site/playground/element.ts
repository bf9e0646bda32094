import { escapeUnshown } from "../../src/evidence/print-name.ts";

/**
 * Creates an element. Its text stays text, even if a model wrote markup.
 *
 * @param tag Its tag, and its classes: `"p.note"`.
 * @param content Texts and elements.
 */
export function element(tag: string, ...content: readonly (string | Node)[]): HTMLElement {
  const [name = "", ...classes] = tag.split(".");
  const made = document.createElement(name);
  if (classes.length > 0) made.className = classes.join(" ");
  made.append(...content.map((one) => (typeof one === "string" ? escapeUnshown(one, "\n") : one)));
  return made;
}
