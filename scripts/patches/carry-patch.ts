import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { PATCHES, type Patched, parsePatch, patchFileOf } from "../../src/cli/patch.ts";
import { carryHunks, type Misfit } from "./carry-hunks.ts";

/** The patch to carry over, and its target. */
interface Carrying {
  readonly patch: Patched;
  readonly version: string;
  /** The folder of the patches. */
  readonly patches: string;
  /** The folder for the package as published, in `a`, and as patched, in `b`. */
  readonly work: string;
}

/**
 * Writes the patch for another version: the changes of an existing one, where its lines occur there. If the work
 * folder already has `b`, that was edited by hand, and becomes the patch.
 *
 * @param carrying The patch to carry over, and its target.
 * @returns The hunks that did not fit, by file.
 */
export function carryPatch({
  patch,
  version,
  patches,
  work,
}: Carrying): ReadonlyMap<string, readonly Misfit[]> {
  const misfits = new Map<string, readonly Misfit[]>();
  if (!existsSync(join(work, "b"))) {
    const published = unpack(patch.name, version, work);
    for (const { path, hunks } of parsePatch(readPatchText(patches, patch))) {
      const source = join(published, path.slice(`node_modules/${patch.name}/`.length));
      if (!existsSync(source)) {
        const reason = "there is no such file";
        misfits.set(
          path,
          hunks.map(({ before }, i) => ({ hunk: i + 1, reason, lines: before })),
        );
        continue;
      }
      const text = readFileSync(source, "utf8");
      const carried = carryHunks(text, hunks);
      write(join(work, "a", path), text);
      write(join(work, "b", path), carried.text);
      if (carried.misfits.length > 0) misfits.set(path, carried.misfits);
    }
  }
  const file = join(patches, patchFileOf({ ...patch, version }));
  write(file, diff(work));
  const readme = join(dirname(file), "README.md");
  if (!existsSync(readme)) {
    const text = readFileSync(join(patches, dirname(patchFileOf(patch)), "README.md"), "utf8");
    write(readme, text.replace(patch.version, version));
  }
  return misfits;
}

/**
 * Names the line that `patch.ts` needs for a version, where it has none yet.
 *
 * @param patch The patch that was carried over.
 * @param version The version that it was carried over to.
 */
export function missingLine({ name }: Patched, version: string): string | undefined {
  const versions = PATCHES[name] ?? [];
  if (versions.includes(version)) return undefined;
  return `  "${name}": ${JSON.stringify([version, ...versions])},`;
}

function unpack(name: string, version: string, work: string): string {
  const folder = join(work, "published");
  mkdirSync(folder, { recursive: true });
  const args = ["pack", `${name}@${version}`, "--pack-destination", folder];
  execFileSync("npm", args, {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
    timeout: 120_000,
  });
  const tarball = readdirSync(folder).find((one) => one.endsWith(".tgz"));
  execFileSync("tar", ["xzf", `${tarball}`], { cwd: folder });
  return join(folder, "package");
}

function readPatchText(patches: string, patch: Patched): string {
  return readFileSync(join(patches, patchFileOf(patch)), "utf8");
}

function diff(work: string): string {
  const args = ["diff", "--no-index", "--no-prefix", "--no-color", "a", "b"];
  const { status, stdout, stderr } = spawnSync("git", args, { cwd: work, encoding: "utf8" });
  // 1: they differ.
  if (status !== 1) throw new Error(`There is nothing to patch. ${stderr}`);
  return stdout;
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
