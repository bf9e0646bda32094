import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { readManifest } from "../langchain/register/read-manifest.ts";

/**
 * Finds the folder of the workspace that a project is in: the nearest, from its own upwards, that says that it is one.
 *
 * @param project The project's real folder.
 * @returns Its own, where there is none.
 */
export function workspaceOf(project: string): string {
  for (let folder = project; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "pnpm-workspace.yaml"))) return folder;
    if (readManifest(folder)?.workspaces !== undefined) return folder;
    if (dirname(folder) === folder) return project;
  }
}
