import { skipBlanks } from "../read/tokens.ts";
import type { ReadAt, WrittenArguments, WrittenEntry, WrittenValue } from "./text-format.ts";
import { readXmlText } from "./xml-text.ts";

const MAX_DEPTH = 32;

interface Elements {
  readonly text: string;
  /** What stands before each tag. */
  readonly mark: string;
  at: number;
}

/**
 * Creates a reader of arguments that are elements, within each other or not:
 * `<city>Paris</city><days>3</days>`.
 *
 * @param mark What stands before each tag, in formats with such a token; without it, it is XML.
 */
export function readElements(mark = ""): ReadAt<WrittenArguments> {
  return ({ text, at }) => {
    const elements: Elements = { text, mark, at };
    const children = readChildren(elements, 0);
    return children && { value: { kind: "tree", children }, end: elements.at };
  };
}

const TAG = /<([A-Za-z_][\w.-]*)>/y;

function readChildren(elements: Elements, depth: number): WrittenEntry[] | undefined {
  const children: WrittenEntry[] = [];
  for (;;) {
    const key = readOpening(elements);
    if (key === undefined) return children;
    const value = depth === MAX_DEPTH ? undefined : readElement(elements, key, depth);
    if (value === undefined) return undefined;
    children.push([key, value]);
  }
}

/** Elements, or text up to the closing tag. Another tag of the same name in a text makes doubt. */
function readElement(elements: Elements, key: string, depth: number): WrittenValue | undefined {
  const { text, at, mark } = elements;
  const closing = `${mark}</${key}>`;
  const children = readChildren(elements, depth + 1) ?? [];
  const close = skipBlanks(text, elements.at);
  if (children.length > 0 && text.startsWith(closing, close)) {
    elements.at = close + closing.length;
    return { text: text.slice(at, close), children };
  }
  const end = text.indexOf(closing, at);
  if (end < 0) return undefined;
  elements.at = end + closing.length;
  const inner = text.slice(at, end);
  if (inner.includes(mark === "" ? `<${key}>` : mark)) return undefined;
  const value = mark === "" ? readXmlText(inner) : inner;
  const isTorn = mark === "" && /<\/?[A-Za-z]/.test(inner);
  return value === undefined ? undefined : { text: value, isTorn };
}

function readOpening(elements: Elements): string | undefined {
  const { text, mark } = elements;
  const start = skipBlanks(text, elements.at);
  if (!text.startsWith(mark, start)) return undefined;
  TAG.lastIndex = skipBlanks(text, start + mark.length);
  const key = TAG.exec(text)?.[1];
  if (key !== undefined) elements.at = TAG.lastIndex;
  return key;
}
