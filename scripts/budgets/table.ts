/**
 * The budgets of the project. `budget` is the goal; the ceiling beside it (ceilings.json) is the
 * figure of today, while that is higher. A row without a budget must only not grow.
 */
export interface Row {
  readonly name: string;
  readonly unit: string;
  readonly budget?: number;
}

/** The rows of every checkout; `measure` adds those of single entries. */
export const ROWS = [
  { name: "files in src", unit: "files", budget: 200 },
  { name: "public names", unit: "names", budget: 64 },
  { name: "words in lists", unit: "words", budget: 300 },
  { name: "files with words in lists", unit: "files", budget: 1 },
  { name: "docs", unit: "pages", budget: 14 },
  { name: "words of docs", unit: "words", budget: 13_000 },
  { name: "README", unit: "lines", budget: 130 },
  { name: "tokens", unit: "1,000s", budget: 64 },
  { name: "tokens a line", unit: "tokens", budget: 3.2 },
  // `&&`, `||`, `??` and `?:`.
  { name: "logic in 100 lines", unit: "signs", budget: 9 },
  // Functions with a cognitive complexity over 15.
  { name: "complex functions", unit: "", budget: 8 },
  // Functions of more than 60 lines.
  { name: "long functions", unit: "", budget: 5 },
  { name: "vague names", unit: "names", budget: 15 },
  { name: "types declared twice", unit: "names", budget: 0 },
  { name: "regexes", unit: "", budget: 250 },
  // Of more than 60 characters.
  { name: "long regexes", unit: "", budget: 15 },
  { name: "toolmend, gzip", unit: "kB", budget: 80 },
  { name: "toolmend/middleware, gzip", unit: "kB", budget: 82 },
  { name: "toolmend/core, gzip", unit: "kB", budget: 62 },
] as const satisfies readonly Row[];

/** The figures of a checkout, by the names of the rows. */
export type Figures = Readonly<Record<(typeof ROWS)[number]["name"], number>>;

/** The public names of one entry: they have no budget each, but must not grow. */
export function entryRow(entry: string): Row {
  return { name: `names of ${entry}`, unit: "names" };
}
