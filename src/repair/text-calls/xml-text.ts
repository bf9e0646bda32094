const ENTITIES: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  amp: "&",
  quot: '"',
  apos: "'",
};

/**
 * Reads the text of an XML element: its CDATA, or what its entities stand for.
 *
 * @param value What stands between the tags.
 * @returns `undefined` where there is more than one CDATA section, or a part of one.
 */
export function readXmlText(value: string): string | undefined {
  const text = withoutLineBreaks(value);
  const trimmed = text.trim();
  if (trimmed.startsWith("<![CDATA[") && trimmed.indexOf("]]>") === trimmed.length - 3) {
    return trimmed.slice(9, -3);
  }
  if (text.includes("CDATA[") || text.includes("]]>")) return undefined;
  return text
    .replace(/&(lt|gt|quot|apos);|&#(\d{1,7});|&#x([\da-fA-F]{1,6});/g, (all, name, code, hex) => {
      if (name !== undefined) return ENTITIES[name] ?? all;
      const point = hex === undefined ? Number(code) : Number.parseInt(hex, 16);
      return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : all;
    })
    .replaceAll("&amp;", "&");
}

/**
 * A text without the line break after an opening tag and the one before a closing tag.
 *
 * @param value What stands between the tags.
 */
export function withoutLineBreaks(value: string): string {
  return value.replace(/^\r?\n/, "").replace(/\r?\n$/, "");
}
