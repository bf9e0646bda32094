import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The files of a package that differ between two installs, including files that only one has. */
export function changedFiles(one, other, name) {
  const at = (folder) => join(folder, "node_modules", name);
  if (!existsSync(at(one))) return [];
  const [files, others] = [one, other].map((folder) => new Set(listFiles(at(folder))));
  const all = [...new Set([...files, ...others])];
  return all.filter(
    (file) =>
      !files.has(file) ||
      !others.has(file) ||
      !readFileSync(join(at(one), file)).equals(readFileSync(join(at(other), file))),
  );
}

function listFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}
