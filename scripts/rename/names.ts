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

/** The names of one file, old → new: `...renamesOf("src/repair/limits.ts", { old: "better" })`. */
export function renamesOf(
  file: string,
  names: Readonly<Record<string, string>>,
): readonly NameRename[] {
  return Object.entries(names).map(([from, to]) => ({ file, from, to }));
}

/** Names, by the files that declare them; a row is taken out once it is done. */
export const NAMES: readonly NameRename[] = [];

/** Files; a row is taken out once it is done. */
export const FILES: readonly FileRename[] = [];
