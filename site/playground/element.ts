/** What stands for what has no shape of its own: controls, marks of direction, half characters. */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Co}]/gu;

/**
 * Makes an element. What is put into it is text and stays text, whatever a model wrote.
 *
 * @param tag Its tag, and its classes: `"p.note"`.
 * @param content Texts and elements.
 */
export function element(tag: string, ...content: readonly (string | Node)[]): HTMLElement {
  const [name = "", ...classes] = tag.split(".");
  const made = document.createElement(name);
  if (classes.length > 0) made.className = classes.join(" ");
  made.append(...content.map((one) => (typeof one === "string" ? visible(one) : one)));
  return made;
}

/** The text, with what a page would obey or not show as its code; lines stay lines. */
function visible(text: string): string {
  return text.replace(UNSHOWN, (one) =>
    one === "\n" ? one : `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
