// Writes the repository's address into package.json, in all the fields that have it:
// node scripts/set-repository.mjs OWNER/NAME. Until then they have a placeholder.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const [repository = process.env.GITHUB_REPOSITORY] = process.argv.slice(2);
if (!/^[\w.-]+\/[\w.-]+$/.test(repository ?? "")) {
  console.error("Usage: node scripts/set-repository.mjs OWNER/NAME");
  process.exit(2);
}
const file = fileURLToPath(new URL("../package.json", import.meta.url));
const home = `https://github.com/${repository}`;
const fields = {
  homepage: `${home}#readme`,
  bugs: { url: `${home}/issues` },
  repository: { type: "git", url: `git+${home}.git` },
};
const described = JSON.parse(readFileSync(file, "utf8"));
writeFileSync(file, `${JSON.stringify({ ...described, ...fields }, null, 2)}\n`);
console.log(`${file}: ${home}`);
