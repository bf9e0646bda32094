import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import type { KnownPatch } from "./known-patches.ts";

/**
 * Applies one patch with the project's own patch-package.
 *
 * @param patch The patch.
 * @param options Where the project and the patches are, and whether to take it back.
 * @returns What went wrong, if anything did.
 */
export function runPatchPackage(
  patch: KnownPatch,
  options: { readonly project: string; readonly patches: string; readonly reverse: boolean },
): string | undefined {
  const { project, patches, reverse } = options;
  const command = findPatchPackage([project, patches]);
  if (command === undefined) {
    return "patch-package is not installed: `npm install --save-dev patch-package@8`.";
  }
  // patch-package takes a relative folder only.
  const folder = relative(project, join(patches, patch.folder));
  const args = [
    command,
    "--patch-dir",
    folder,
    "--error-on-fail",
    ...(reverse ? ["--reverse"] : []),
  ];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: project,
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: "0" },
  });
  return status === 0 ? undefined : `patch-package says:\n${stdout}${stderr}`.trimEnd();
}

function findPatchPackage(places: readonly string[]): string | undefined {
  for (const place of places) {
    try {
      const file = createRequire(join(place, "package.json")).resolve("patch-package/package.json");
      return join(dirname(file), "index.js");
    } catch {
      // Perhaps in the next place.
    }
  }
  return undefined;
}
