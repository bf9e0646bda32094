import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, isAbsolute, join, resolve, sep } from "node:path";

/** The endings of the files that a folder is read for. */
const LOG = /\.(?:jsonl|ndjson|jsonl\.gz|ndjson\.gz|parquet)$/;

/** A place that is no file of this machine: DuckDB's business. */
const REMOTE = /^[a-z][a-z0-9+.-]+:\/\//i;

/**
 * Finds the files that a command line names.
 *
 * @param names Files; folders, which stand for the logs in them; patterns with `*`, `?` and `**`;
 * `-` for the standard input; `s3://…` and `https://…`, handed on as they are.
 * @param folder What relative names start from.
 * @returns The files by their names, sorted within each pattern, none twice.
 * @throws Error when a name stands for no file.
 */
export function findLogs(names: readonly string[], folder: string): readonly string[] {
  const found = names.flatMap((name) => {
    if (name === "-" || REMOTE.test(name)) return [name];
    const files = filesOf(name, folder);
    if (files.length > 0) return files;
    throw new Error(
      /[*?]/.test(name)
        ? `No file matches ${name}.`
        : existsSync(resolve(folder, name))
          ? `${name} holds no logs (*.jsonl, *.jsonl.gz, *.parquet).`
          : `There is no file ${name}.`,
    );
  });
  return [...new Set(found)];
}

/** Whether a name is of a place on another machine. */
export function isRemote(name: string): boolean {
  return REMOTE.test(name);
}

function filesOf(name: string, folder: string): readonly string[] {
  const path = resolve(folder, name);
  if (existsSync(path)) return statSync(path).isDirectory() ? logsIn(path) : [path];
  if (!/[*?]/.test(name)) return [];
  const segments = name.split(sep === "\\" ? /[\\/]/ : /\//).filter((one) => one !== "");
  const drive = isAbsolute(name) && sep === "\\" ? segments.shift() : "";
  const root = isAbsolute(name) ? `${drive}${sep}` : folder;
  return walk(root, segments).sort();
}

function logsIn(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => LOG.test(name))
    .sort()
    .map((name) => join(folder, name));
}

/** The files below a folder whose path matches the segments. */
function walk(folder: string, [segment = "", ...rest]: readonly string[]): string[] {
  if (segment === "." || segment === "..") return walk(join(folder, segment), rest);
  const entries = readdirOrNothing(folder);
  if (segment === "**") {
    const folders = entries.filter((one) => one.isDirectory() && !one.name.startsWith("."));
    const below = folders.flatMap(({ name }) => walk(join(folder, name), [segment, ...rest]));
    return [...walk(folder, rest.length > 0 ? rest : ["*"]), ...below];
  }
  return entries
    .filter(({ name }) => matchesWildcard(name, segment))
    .filter(({ name }) => !name.startsWith(".") || segment.startsWith("."))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (rest.length > 0) return entry.isDirectory() ? walk(path, rest) : [];
      return statSync(path).isFile() ? [path] : [];
    });
}

function readdirOrNothing(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** A file's name as people are shown it. */
export function showFile(file: string): string {
  return file === "-" ? "the standard input" : isRemote(file) ? file : basename(file);
}

/** How large a file is, in bytes; 0 where that is not known before it is read. */
export function sizeOfLog(file: string): number {
  return file === "-" || isRemote(file) ? 0 : statSync(file).size;
}

/**
 * Checks a name against a pattern in which `*` stands for any characters and `?` for one. Takes no
 * regular expression: the steps are bounded by the product of the lengths.
 *
 * @param name The name.
 * @param pattern The pattern.
 */
function matchesWildcard(name: string, pattern: string): boolean {
  let at = 0;
  let of = 0;
  let star = -1;
  let resume = 0;
  while (at < name.length) {
    if (pattern[of] === "*") {
      star = of;
      of += 1;
      resume = at;
    } else if (pattern[of] === "?" || pattern[of] === name[at]) {
      of += 1;
      at += 1;
    } else if (star >= 0) {
      of = star + 1;
      resume += 1;
      at = resume;
    } else {
      return false;
    }
  }
  while (pattern[of] === "*") of += 1;
  return of === pattern.length;
}
