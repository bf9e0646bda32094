// Packs toolmend, installs the tarball into a fresh project, and runs checks.mjs there.
//
//   node compat/evidence/tarball.mjs [FOLDER] [1,2,…]
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "..", "..");
const [folder = mkdtempSync(join(tmpdir(), "toolmend-evidence-")), only = ""] =
  process.argv.slice(2);
const run = (command, args, cwd) => execFileSync(command, args, { cwd, stdio: "inherit" });

/** The versions that toolmend is developed with. */
const NAMES = [
  ...["langchain", "@langchain/core", "@langchain/classic", "@langchain/langgraph", "langsmith"],
  ...["@opentelemetry/api", "@opentelemetry/sdk-metrics", "@opentelemetry/sdk-trace-node"],
  ...["typescript", "zod"],
];
const read = (path) => JSON.parse(readFileSync(path, "utf8"));
const versions = {
  ...read(join(root, "package.json")).devDependencies,
  ...read(join(here, "package.json")).dependencies,
};
const wanted = [...NAMES, "@arizeai/openinference-instrumentation-langchain"];

mkdirSync(folder, { recursive: true });
run("npm", ["pack", "--pack-destination", folder], root);
const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz"));
writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
const packages = wanted.map((name) => `${name}@${versions[name]}`);
run("npm", ["install", "--no-audit", "--no-fund", `./${tarball}`, ...packages], folder);
cpSync(join(here, "checks.mjs"), join(folder, "checks.mjs"));
run(process.execPath, only === "" ? ["checks.mjs"] : ["checks.mjs", only], folder);
