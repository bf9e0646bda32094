import { skipSpace } from "./scan-json.ts";
import type { ReadAt, WrittenArguments, WrittenEntry, WrittenValue } from "./text-format.ts";

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
 * @param mark What stands before each tag, in formats with such a token.
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
    const value = depth === MAX_DEPTH ? undefined : readValue(elements, key, depth);
    if (value === undefined) return undefined;
    children.push([key, value]);
  }
}

function readValue(elements: Elements, key: string, depth: number): WrittenValue | undefined {
  const closing = `${elements.mark}</${key}>`;
  const { text, at } = elements;
  const children = readChildren(elements, depth + 1);
  if (children === undefined) return undefined;
  if (children.length > 0) {
    elements.at = skipSpace(text, elements.at);
    if (!text.startsWith(closing, elements.at)) return undefined;
    elements.at += closing.length;
    return { children };
  }
  const end = text.indexOf(closing, at);
  if (end < 0) return undefined;
  elements.at = end + closing.length;
  const inner = text.slice(at, end);
  // Another tag of the same name within: where the value ends is not known.
  return inner.includes(`${elements.mark}<${key}>`) ? undefined : { text: inner };
}

function readOpening(elements: Elements): string | undefined {
  const { text, mark } = elements;
  const start = skipSpace(text, elements.at);
  if (!text.startsWith(mark, start)) return undefined;
  TAG.lastIndex = skipSpace(text, start + mark.length);
  const key = TAG.exec(text)?.[1];
  if (key !== undefined) elements.at = TAG.lastIndex;
  return key;
}
