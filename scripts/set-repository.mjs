// The repository's address, in three fields of package.json and nowhere else. They are absent until the
// release workflow, or you, write them:
//
//   node scripts/set-repository.mjs OWNER/NAME     writes them
//   node scripts/set-repository.mjs --check        fails while they are absent; npm publish runs this
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const file = fileURLToPath(new URL("../package.json", import.meta.url));
const described = JSON.parse(readFileSync(file, "utf8"));
const [given = process.env.GITHUB_REPOSITORY] = process.argv.slice(2);

if (given === "--check") {
  if (described.repository === undefined) {
    console.error("package.json has no repository yet: node scripts/set-repository.mjs OWNER/NAME");
    process.exit(1);
  }
} else if (/^[\w.-]+\/[\w.-]+$/.test(given ?? "")) {
  const home = `https://github.com/${given}`;
  const fields = {
    homepage: `${home}#readme`,
    bugs: { url: `${home}/issues` },
    repository: { type: "git", url: `git+${home}.git` },
  };
  writeFileSync(file, `${JSON.stringify({ ...described, ...fields }, null, 2)}\n`);
  console.log(`${file}: ${home}`);
} else {
  console.error("Usage: node scripts/set-repository.mjs OWNER/NAME | --check");
  process.exit(2);
}
