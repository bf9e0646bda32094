// Renames everything in scripts/rename/names.ts: npm run rename -- FOLDER…
//
// It takes the rows whose file is in one of the folders: first names, wherever they are used (src,
// tests, scripts, bench, examples, site), then files, with their imports and their mentions in the
// docs. Fails for a row whose old name is gone, and for a new name that is taken.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FILES, type FileRename, NAMES } from "./names.ts";
import { Renamer } from "./rename.ts";

const CODE = ["src", "__tests__", "scripts", "bench", "examples", "site", "integration"];

const folders = process.argv.slice(2);
if (folders.length === 0) throw new Error("Usage: npm run rename -- FOLDER…");
const isMeant = (file: string) => folders.some((folder) => file.startsWith(`${folder}/`));
const names = NAMES.filter(({ file }) => isMeant(file));
const files = FILES.filter(({ from }) => isMeant(from));

const renamer = new Renamer(process.cwd(), CODE);
const faults = names.map((row) => renamer.rename(row));
renamer.save();
faults.push(...files.map((row) => renamer.move(row)));
renamer.save();
rewriteMentions(files);
execFileSync("npx", ["biome", "check", "--write", ...CODE], { stdio: "inherit" });

const refused = faults.filter((fault) => fault !== undefined);
for (const fault of refused) console.error(fault);
console.log(`${faults.length - refused.length} renamed, ${refused.length} not.`);
if (refused.length > 0) process.exitCode = 1;

/** Updates the paths of a file in src in docs and comments. */
function rewriteMentions(moved: readonly FileRename[]): void {
  const texts = [".", "docs", "scripts", "bench", "src"].flatMap((folder) =>
    readdirSync(folder, { recursive: folder !== ".", encoding: "utf8" })
      .filter((file) => /\.(?:md|mjs|ts|json)$/.test(file) && !file.includes("node_modules"))
      .map((file) => join(folder, file)),
  );
  for (const file of texts.filter((path) => path !== "scripts/rename/names.ts")) {
    const text = readFileSync(file, "utf8");
    const next = moved.reduce((all, { from, to }) => {
      const [old, better] = [from, to].map((path) => path.replace("src/", ""));
      // The build names files by their folder, without the ending.
      const [short, shorter] = [from, to].map((path) =>
        path.split("/").slice(-2).join("/").slice(0, -3),
      );
      return all.replaceAll(String(old), String(better)).replaceAll(`"${short}"`, `"${shorter}"`);
    }, text);
    if (next !== text) writeFileSync(file, next);
  }
}
