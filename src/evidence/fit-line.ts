/** The longest line, in bytes, its end not counted. */
const MAX_BYTES = 8_190;

/** What is left out first, of what a line can do without. */
const DROPPED = ["toolInput", "raw", "correctedShape", "shape"] as const;

/** What is shortened after that, and to how many. */
const SHORTENED = ["repairs", "issues", "undeclared"] as const;
const SHORTENED_TO = [20, 5, 1] as const;

/**
 * Returns a line that is no longer than a line of a log may be: what makes it longer is left out, and
 * named in `cut`.
 *
 * @param line The line. It is not changed.
 */
export function fitLine<Line extends object>(line: Line): Line {
  if (isShortLine(line)) return line;
  let fitted = { ...line } as Record<string, unknown>;
  const cut = new Set<string>();
  const change = (field: string, value: unknown) => {
    cut.add(field);
    fitted = { ...fitted, [field]: value, cut: [...cut] };
    return isShortLine(fitted);
  };
  const { repairs } = fitted;
  if (Array.isArray(repairs) && change("repairs", repairs.map(withoutValues)))
    return fitted as Line;
  for (const field of DROPPED) {
    if (field in fitted && change(field, undefined)) return fitted as Line;
  }
  for (const most of SHORTENED_TO) {
    for (const field of SHORTENED) {
      const list = fitted[field];
      if (!Array.isArray(list) || list.length <= most) continue;
      if (change(field, list.slice(0, most))) return fitted as Line;
    }
  }
  return fitted as Line;
}

function withoutValues({ before: _, after: __, ...repair }: Record<string, unknown>): object {
  return repair;
}

/**
 * Tells whether a line is no longer than a line of a log may be.
 *
 * @param line The line.
 */
export function isShortLine(line: object): boolean {
  const text = JSON.stringify(line);
  if (text.length > MAX_BYTES) return false;
  // No character takes more than three bytes for each of its code units.
  return text.length * 3 <= MAX_BYTES || new TextEncoder().encode(text).length <= MAX_BYTES;
}
