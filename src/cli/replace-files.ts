import {
  accessSync,
  chmodSync,
  constants,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * Replaces what is in files. Each is a new file that takes the old one's place, never the old one written to: an
 * installer may have linked that into a store, from which other projects have it too. All are replaced, or none.
 *
 * @param contents What is to be in each file, by its path.
 * @throws Error when one cannot be replaced; then all are as they were.
 */
export function replaceFiles(contents: ReadonlyMap<string, string>): void {
  const fresh = new Map<string, string>();
  const before = new Map<string, Buffer>();
  try {
    for (const [path, content] of contents) {
      accessSync(path, constants.W_OK);
      removeLeftovers(path);
      fresh.set(path, besides(path));
      writeLike(path, content);
    }
    for (const [path, beside] of fresh) {
      const old = readFileSync(path);
      renameSync(beside, path);
      before.set(path, old);
    }
  } catch (error) {
    for (const beside of fresh.values()) rmSync(beside, { force: true });
    for (const [path, content] of before) {
      writeLike(path, content);
      renameSync(besides(path), path);
    }
    throw error;
  }
}

/** What a run left that was ended in the middle; not what another is about to use. */
function removeLeftovers(path: string): void {
  const prefix = besides(basename(path), "");
  for (const name of readdirSync(dirname(path))) {
    if (!name.startsWith(prefix)) continue;
    try {
      process.kill(Number(name.slice(prefix.length)), 0);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ESRCH") rmSync(join(dirname(path), name));
    }
  }
}

/** In the same folder, so that it can be renamed; by process, as the members of a workspace patch at once. */
function besides(path: string, id: number | string = process.pid): string {
  return `${path}.toolmend-${id}`;
}

function writeLike(path: string, content: string | Buffer): void {
  rmSync(besides(path), { force: true });
  writeFileSync(besides(path), content, { flag: "wx" });
  chmodSync(besides(path), statSync(path).mode);
}
