/** A name that one file declares, and its new name. `Type.member` is a member of a type. */
export interface NameRename {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** A file to rename. */
export interface FileRename {
  readonly from: string;
  readonly to: string;
}

/** The names of one file, old → new: `...renamesOf("src/repair/limits.ts", { old: "better" })`. */
export function renamesOf(
  file: string,
  names: Readonly<Record<string, string>>,
): readonly NameRename[] {
  return Object.entries(names).map(([from, to]) => ({ file, from, to }));
}

/** Names, by the files that declare them; rows are removed once they are done. */
export const NAMES: readonly NameRename[] = [];

/** Files; rows are removed once they are done. */
export const FILES: readonly FileRename[] = [];
