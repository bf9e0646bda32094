import { skipBlanks } from "../read/tokens.ts";
import { readJsonAt } from "./read-json-at.ts";
import type { Cursor, Found, ReadAt, WrittenArguments, WrittenEntry } from "./text-format.ts";
import { readXmlText, withoutLineBreaks } from "./xml-text.ts";

/** How arguments are tagged: `<parameter=city>Paris</parameter>`. */
export interface TagForm {
  /**
   * The opening tag, a sticky pattern. Its first group is the key; a second tells text (`true`,
   * `string`) from JSON (`false`, any other type).
   */
  readonly open: RegExp;
  /** The closing tag. */
  readonly close: string;
  /** What stands between the key and the value, where the key has a tag of its own. */
  readonly between?: string;
  /** What no value may contain: it would be another argument's beginning. */
  readonly never: string;
  /**
   * What is not the value's: a line break after the opening tag and one before the closing one
   * (`"lines"`), or these, CDATA and entities (`"xml"`). Default: nothing, every sign is.
   */
  readonly padding?: "lines" | "xml" | undefined;
}

/**
 * Creates a reader of arguments that stand in tags, one after another, until something else follows.
 *
 * @param form The tags.
 */
export function readTagged(form: TagForm): ReadAt<WrittenArguments> {
  return (cursor) => {
    const { text } = cursor;
    const children: WrittenEntry[] = [];
    const keys = new Set<string>();
    let end = cursor.at;
    for (;;) {
      form.open.lastIndex = skipBlanks(text, end);
      const [tag, key, kind] = form.open.exec(text) ?? [];
      if (tag === undefined || key === undefined) break;
      const from = afterKey(text, form.open.lastIndex, form);
      const to = from === undefined ? -1 : text.indexOf(form.close, from);
      if (from === undefined || to < 0 || keys.has(key)) return undefined;
      const value = text.slice(from, to);
      if (value.includes(form.never)) return undefined;
      const unpadded = unpad(value, form.padding);
      if (unpadded === undefined) return undefined;
      keys.add(key);
      children.push([key, { text: unpadded, is: valueKindOf(kind) }]);
      end = to + form.close.length;
    }
    return { value: { kind: "tree", children }, end };
  };
}

function valueKindOf(kind: string | undefined): "text" | "json" | undefined {
  if (kind === undefined) return undefined;
  return kind === "true" || kind === "string" ? "text" : "json";
}

function afterKey(text: string, at: number, { between }: TagForm): number | undefined {
  if (between === undefined) return at;
  const start = skipBlanks(text, at);
  return text.startsWith(between, start) ? start + between.length : undefined;
}

function unpad(value: string, padding: TagForm["padding"]): string | undefined {
  if (padding === "xml") return readXmlText(value);
  return padding === "lines" ? withoutLineBreaks(value) : value;
}

/** Reads arguments that are a JSON object. Faults of syntax are for the pipeline to repair. */
export function readJsonArguments({ text, at }: Cursor): Found<WrittenArguments> {
  const json = text.charAt(at) === "{" ? readJsonAt({ text, at }) : undefined;
  if (json === undefined) return undefined;
  const { text: source, level } = json.value;
  return { value: { kind: "json", text: source, level }, end: json.end };
}
