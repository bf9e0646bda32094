// npm run test:consumer: runs the steps of docs/patches.md unchanged. A project with its
// package.json and the packed toolmend; the steps of its CI job; the behaviour suite in it; then a
// version without a patch, where --check must fail; and the patch in the format of pnpm and yarn.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { INSTALLS } from "./cells.mjs";
import { changedFiles } from "./compare.mjs";
import { root } from "./prepare.mjs";

const INSTALL_TIMEOUT = 300_000;
const BUMPED = "1.2.12";
const doc = readFileSync(join(root, "docs", "patches.md"), "utf8");
const blocks = (language) =>
  [...doc.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, "g"))].map(
    ([, text]) => text,
  );

const work = mkdtempSync(join(tmpdir(), "toolmend-consumer-"));
const project = join(work, "project");
try {
  step("pack toolmend");
  run("npm", ["pack", "--pack-destination", work], root);
  const tarball = readdirSync(work).find((name) => name.endsWith(".tgz"));

  step("the project, as a developer makes it: npm install");
  cpSync(join(root, "compat", "matrix", "consumer"), project, { recursive: true });
  const manifest = JSON.parse(blocks("json")[0]);
  manifest.dependencies.toolmend = `file:../${tarball}`;
  writeFileSync(join(project, "package.json"), JSON.stringify(manifest, null, 2));
  run("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts"], project);
  const published = join(work, "published");
  for (const name of ["core", "classic"]) {
    const at = join("node_modules", "@langchain", name);
    cpSync(join(project, at), join(published, at), { recursive: true });
  }

  const commands = [...blocks("yaml")[0].matchAll(/- run: (.+)/g)].map(([, command]) => command);
  if (commands.length !== 3) throw new Error(`The job has ${commands.length} commands, not 3.`);
  for (const command of commands) {
    step(`the job: ${command}`);
    run("bash", ["-euc", command], project);
  }

  step("the behaviour suite");
  writeFileSync(join(project, "load.mjs"), "export const load = (name) => import(name);\n");
  const { names } = INSTALLS[0];
  for (const format of ["esm", "cjs"]) {
    const cell = {
      mode: "patched",
      format,
      folder: project,
      names,
      has: ["toolCalls", "streaming"],
    };
    const script = join(root, "compat", "matrix", "run-cell.mjs");
    const results = JSON.parse(
      execFileSync("node", [script, JSON.stringify(cell)], { cwd: project, encoding: "utf8" }),
    );
    const failed = results.filter(({ ok }) => !ok);
    if (failed.length > 0)
      throw new Error(failed.map(({ name, error }) => `${name}\n${error}`).join("\n"));
    console.log(`${format}: ${results.length} of ${results.length}`);
  }

  step("the patch for pnpm and yarn is the same patch");
  run("bash", ["-euc", blocks("sh")[0].replaceAll("yarn ", "npx ")], project);
  const other = join(work, "other");
  cpSync(published, other, { recursive: true });
  const core = join(other, "node_modules", "@langchain", "core");
  run("patch", ["-s", "-p1", "-i", join(project, "patches", "langchain-core.patch")], core);
  const differing = changedFiles(project, other, "@langchain/core");
  if (differing.length > 0) throw new Error(`Not the same: ${differing.join(", ")}`);

  step("--reverse leaves no trace");
  run("npx", ["toolmend", "patch", "--reverse"], project);
  const changed = ["core", "classic"].flatMap((name) =>
    changedFiles(project, published, `@langchain/${name}`),
  );
  if (changed.length > 0) throw new Error(`Still changed: ${changed.join(", ")}`);

  step(`@langchain/core is bumped to ${BUMPED}: patch and --check must fail, and say why`);
  const bump = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--save-exact"];
  run("npm", [...bump, `@langchain/core@${BUMPED}`], project);
  const message = /```\n(@langchain\/core .+)\n```/.exec(doc)?.[1] ?? "?";
  for (const args of [["patch"], ["patch", "--check"]]) {
    const { status, stderr } = spawnSync("npx", ["toolmend", ...args], {
      cwd: project,
      encoding: "utf8",
    });
    if (status !== 1 || !stderr.includes(message))
      throw new Error(`Exit ${status}, and:\n${stderr}`);
  }
  console.log(message);
  console.log("\nThe document is right.");
} finally {
  rmSync(work, { recursive: true, force: true });
}

function run(command, args, cwd) {
  execFileSync(command, args, {
    cwd,
    stdio: ["ignore", "inherit", "inherit"],
    timeout: INSTALL_TIMEOUT,
  });
}

function step(text) {
  console.log(`\n— ${text}`);
}
