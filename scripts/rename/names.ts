/** A name that one file declares, and the better one. `Type.member` is a member of a type. */
export interface NameRename {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** A file that is better called otherwise. */
export interface FileRename {
  readonly from: string;
  readonly to: string;
}

/** The names of one file: old → new. */
function of(file: string, names: Readonly<Record<string, string>>): readonly NameRename[] {
  return Object.entries(names).map(([from, to]) => ({ file, from, to }));
}

/** Names, by the files that declare them; a row is taken out once it is done. */
export const NAMES: readonly NameRename[] = [
  ...of("src/repair/limits.ts", { whyNoInput: "limitIssue" }),
  ...of("src/repair/json/json-value.ts", { whyNot: "jsonIssue" }),
  ...of("src/repair/align/align-value.ts", {
    isUnheardInside: "hasUndeclaredBelow",
    tellsByParts: "isDiscriminated",
    alignAfresh: "alignFromScratch",
  }),
];

/** Files; a row is taken out once it is done. */
export const FILES: readonly FileRename[] = [];
