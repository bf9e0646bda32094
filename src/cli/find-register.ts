import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { readManifest } from "../langchain/register/read-manifest.ts";
import type { Terminal } from "./terminal.ts";

const NAME = "toolmend/register";
const SOURCE = /\.[cm]?[jt]sx?$/;
const FOLDERS = [".", "src", "app", "lib", "server", "bin", "scripts"];

/**
 * Finds where a project activates `toolmend/register`: its Node.js options, its scripts, its source.
 *
 * @param terminal The project and its environment.
 * @returns The places, in words.
 */
export function findRegister({ project, env }: Terminal): readonly string[] {
  const places = (env.NODE_OPTIONS ?? "").includes(NAME) ? ["NODE_OPTIONS"] : [];
  const scripts = readManifest(project)?.scripts ?? {};
  for (const [script, command] of Object.entries(scripts)) {
    if (String(command).includes(NAME)) places.push(`the script "${script}"`);
  }
  for (const folder of FOLDERS) {
    const path = join(project, folder);
    const entries = isFolder(path) ? readdirSync(path, { withFileTypes: true }) : [];
    for (const entry of entries) {
      if (!entry.isFile() || !SOURCE.test(entry.name)) continue;
      const text = readFileSync(join(path, entry.name), "utf8");
      if (text.includes(`"${NAME}"`) || text.includes(`'${NAME}'`)) {
        places.push(join(folder, entry.name));
      }
    }
  }
  return places;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
