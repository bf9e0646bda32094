// npm run test:matrix [-- INSTALL…]: the behaviour suite in every cell; without names, writes the table of
// compat/matrix/README.md. With --latest, in the newest versions on npm: a version without a patch fails.
// Installs are kept in node_modules/.cache/toolmend-matrix.
import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { FORMATS, INSTALLS, ISSUES, LATEST } from "./cells.mjs";
import { checkTypes } from "./check-types.mjs";
import { changedFiles } from "./compare.mjs";
import { buildToolmend, copyInstall, prepareInstall } from "./prepare.mjs";
import { writeTable } from "./write-table.mjs";

const AT_ONCE = 2;
const CELL_TIMEOUT = 120_000;
const PATCHED = ["@langchain/core", "@langchain/classic", "@langchain/langgraph", "langchain"];
const run = promisify(execFile);

const args = process.argv.slice(2);
const wanted = args.filter((arg) => arg !== "--latest");
const known = args.includes("--latest") ? LATEST : [...INSTALLS, ISSUES];
const unknown = wanted.filter((name) => !known.some((install) => install.name === name));
if (unknown.length > 0) {
  const names = known.map(({ name }) => name).join(", ");
  throw new Error(`There is no install ${unknown.join(", ")}. There are ${names}.`);
}
const installs = known.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
const dist = buildToolmend();
const folders = new Map();
const failures = [];
const rows = [];
const patched = [];
const isPatched = (mode) => mode === "patched" || mode === "both";

await eachOf(installs, async (install) => {
  const row = { install, results: new Map() };
  rows.push(row);
  const base = folders.get(install.name.replace("zod3", "zod4"));
  folders.set(install.name, prepareInstall(install, dist, base));
  const folder = await folders.get(install.name);
  if (install.isLatest) console.log(`${install.name} is ${describeVersions(folder)}`);
  await runModes({ row, folder, modes: install.modes.filter((mode) => !isPatched(mode)) });
  const patchedModes = install.modes.filter(isPatched);
  if (patchedModes.length === 0) return;
  const patching = startPatching(folder);
  if (patching.results.some(({ ok }) => !ok)) {
    // Without the patch, tests would fail by the dozen.
    report(`${install.name} patch`, patching.results);
    return;
  }
  await runModes({ row, folder: patching.copy, modes: patchedModes });
  patched.push({ install, row, ...patching });
});

const types = patched.length === 0 ? new Map() : checkTypes(patched);
for (const { install, row, results, finish } of patched) {
  const all = [...types.get(install), ...results, ...finish()];
  row.results.set("types and reverse", all);
  report(`${install.name} types and reverse`, all);
}

if (args.length === 0) writeTable(rows.sort(inOrder));
for (const failure of failures) console.error(`\n${failure}`);
console.log(failures.length === 0 ? "\nEvery cell is green." : `\n${failures.length} failed.`);
process.exitCode = failures.length === 0 ? 0 : 1;

async function runModes({ row, folder, modes }) {
  for (const mode of modes) {
    for (const format of FORMATS) {
      const results = await runCell({ ...row.install, mode, format, folder });
      row.results.set(`${mode} ${format}`, results);
      report(`${row.install.name} ${mode} ${format}`, results);
    }
  }
}

async function runCell(cell) {
  const args = [join(import.meta.dirname, "run-cell.mjs"), JSON.stringify(cell)];
  const options = { cwd: cell.folder, timeout: CELL_TIMEOUT, maxBuffer: 1e8 };
  return run("node", args, options).then(
    ({ stdout }) => JSON.parse(stdout),
    (error) => [{ area: "cell", name: "runs", ok: false, error: String(error.stderr ?? error) }],
  );
}

/** Applies the patches to a copy, as a consumer does. */
function startPatching(folder) {
  const copy = copyInstall(folder);
  const cli = (...args) =>
    spawnSync(
      "node",
      [join(copy, "node_modules", "toolmend", "dist", "cli.js"), "patch", ...args],
      {
        cwd: copy,
        encoding: "utf8",
      },
    );
  const results = [["apply"], ["check", "--check"]].map(([step, ...args]) =>
    toResult(step, cli(...args)),
  );
  return {
    copy,
    results,
    finish() {
      const reversed = toResult("reverse", cli("--reverse"));
      const changed = PATCHED.flatMap((one) => changedFiles(folder, copy, one));
      const trace = changed.length === 0 ? "" : `still changed: ${changed.join(", ")}`;
      return [reversed, { area: "patch", name: "no trace", ok: trace === "", error: trace }];
    },
  };
}

function toResult(step, { status, stdout, stderr }) {
  return { area: "patch", name: step, ok: status === 0, error: `${stdout}${stderr}` };
}

function describeVersions(folder) {
  const versions = [...PATCHED, "zod"].map((name) => {
    const file = join(folder, "node_modules", name, "package.json");
    return `${name} ${JSON.parse(readFileSync(file, "utf8")).version}`;
  });
  return versions.join(", ");
}

function report(title, results) {
  const failed = results.filter(({ ok }) => !ok);
  console.log(
    `${failed.length === 0 ? "✓" : "✗"} ${title}: ${results.length - failed.length}/${results.length}`,
  );
  for (const { area, name, error } of failed) failures.push(`${title}: ${area}: ${name}\n${error}`);
}

function inOrder(one, other) {
  return installs.indexOf(one.install) - installs.indexOf(other.install);
}

async function eachOf(items, work) {
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
