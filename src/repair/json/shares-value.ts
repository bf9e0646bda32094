import type { JsonValue } from "../types.ts";

/** The most values of an input that are compared. */
const MAX_VALUES = 2_000;

/**
 * Checks whether the replacement of an input shares a value with it. A later call that does not is
 * another call, and no correction. Flags, `null` and empty texts do not count.
 */
export function sharesValue(raw: JsonValue, correction: JsonValue): boolean {
  const said = new Set(textsIn(raw).flatMap((text) => [text, ...piecesOf(text)]));
  return textsIn(correction).some(
    (text) => said.has(text) || piecesOf(text).some((one) => said.has(one)),
  );
}

/** The texts and numbers in a value, at any place. */
function textsIn(value: JsonValue): readonly string[] {
  const found: string[] = [];
  const stack: JsonValue[] = [value];
  while (stack.length > 0 && found.length < MAX_VALUES) {
    const one = stack.pop() as JsonValue;
    if (typeof one === "number") found.push(String(one));
    else if (typeof one === "string") found.push(one.trim());
    else if (one !== null && typeof one === "object") {
      for (const child of Object.values(one).slice(0, MAX_VALUES)) stack.push(child as JsonValue);
    }
  }
  return found.filter((text) => text !== "");
}

/** The parts of a text that is a list or JSON. */
function piecesOf(text: string): readonly string[] {
  if (text.length > 10_000) return [];
  return text.split(/[\s,;|"'{}[\]:]+/).filter((piece) => piece !== "" && piece !== text);
}
