// npm run test:matrix [-- INSTALL…]: the behaviour suite in every cell; writes the table of
// docs/support.md. Installs are kept in node_modules/.cache/toolmend-matrix.
import { execFile, spawnSync } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { FORMATS, INSTALLS, ISSUES } from "./cells.mjs";
import { checkTypes } from "./check-types.mjs";
import { changedFiles } from "./compare.mjs";
import { buildToolmend, copyInstall, prepareInstall } from "./prepare.mjs";
import { writeTable } from "./write-table.mjs";

const AT_ONCE = 2;
const CELL_TIMEOUT = 120_000;
const PATCHED = ["@langchain/core", "@langchain/classic", "@langchain/langgraph", "langchain"];
const run = promisify(execFile);

const wanted = process.argv.slice(2);
const installs = [...INSTALLS, ISSUES].filter(
  ({ name }) => wanted.length === 0 || wanted.includes(name),
);
const dist = buildToolmend();
const failures = [];
const rows = [];
await eachOf(installs, async (install) => {
  const row = { install, results: new Map() };
  rows.push(row);
  const folder = await prepareInstall(install, dist);
  const isPatched = (mode) => mode === "patched" || mode === "both";
  await runModes({ row, folder, modes: install.modes.filter((mode) => !isPatched(mode)) });
  const patchedModes = install.modes.filter(isPatched);
  if (patchedModes.length === 0) return;
  const patching = startPatching(install, folder);
  await runModes({ row, folder: patching.copy, modes: patchedModes });
  const results = [...checkTypes(install, patching.copy), ...patching.finish()];
  row.results.set("types and reverse", results);
  report(`${install.name} types and reverse`, results);
});

if (wanted.length === 0) writeTable(rows.sort(inOrder));
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
function startPatching({ name }, folder) {
  const copy = copyInstall(
    folder,
    PATCHED.filter((one) => isInstalled(folder, one)),
  );
  const cli = (...args) =>
    spawnSync(
      "node",
      [join(copy, "node_modules", "toolmend", "dist", "cli.js"), "patch", ...args],
      {
        cwd: copy,
        encoding: "utf8",
      },
    );
  const steps = [["apply"], ["check", "--check"]].map(([step, ...args]) =>
    toResult(step, cli(...args)),
  );
  return {
    copy,
    finish() {
      const reversed = toResult("reverse", cli("--reverse"));
      const changed = PATCHED.flatMap((one) => changedFiles(folder, copy, one));
      const trace = changed.length === 0 ? "" : `${name}: still changed: ${changed.join(", ")}`;
      return [
        ...steps,
        reversed,
        { area: "patch", name: "no trace", ok: trace === "", error: trace },
      ];
    },
  };
}

function toResult(step, { status, stdout, stderr }) {
  return { area: "patch", name: step, ok: status === 0, error: `${stdout}${stderr}` };
}

function isInstalled(folder, name) {
  return spawnSync("test", ["-d", join(folder, "node_modules", name)]).status === 0;
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
