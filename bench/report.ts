// Measures `toolmend report` on a log of a million lines: node scripts/run-ts.mjs bench/report.ts
// [--lines 1000000]. The goals: 5 s, 200 MB, a page of 300 kB. It is not a test: the time depends on the machine.
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { plantedLog } from "../__tests__/support/evidence/planted-log/planted-log.ts";

const { values } = parseArgs({ options: { lines: { type: "string", default: "1000000" } } });
const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "toolmend-bench-"));
const cli = join(root, "node_modules", ".cache", `toolmend-bench-${process.pid}.mjs`);

/** Prints the cost of the process when it ends. */
const METER = `process.on("exit", () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  console.error(JSON.stringify({ rss: maxRSS * 1024, cpu: (userCPUTime + systemCPUTime) / 1e6 }));
});`;

/** Writes a log of so many lines: the planted one repeatedly, with five times as many tools. */
async function writeLog(file: string, count: number): Promise<void> {
  const lines = (await plantedLog({ runs: 6_000, content: "none", valid: "each" })).map((line) =>
    JSON.stringify(line),
  );
  const log = createWriteStream(file);
  for (let index = 0; index < count; index++) {
    const line = lines[index % lines.length] ?? "";
    const crowd = Math.floor(index / lines.length) % 5;
    if (!log.write(`${line.replace(/"tool":"\w+/, `$&_${crowd}`)}\n`)) {
      await once(log, "drain");
    }
  }
  log.end();
  await finished(log);
}

try {
  await build({
    entryPoints: [join(root, "src", "cli.ts")],
    outfile: cli,
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    banner: { js: METER },
    // It reads package.json relative to its place in dist/.
    define: { "import.meta.url": JSON.stringify(pathToFileURL(join(root, "src", "cli.ts")).href) },
    logLevel: "error",
  });
  const log = join(folder, "log.jsonl");
  await writeLog(log, Number(values.lines));
  const page = join(folder, "report.html");
  console.log(`${values.lines} lines, ${Math.round(statSync(log).size / 1e6)} MB`);
  console.log("round   wall s   CPU s   RSS MB   page kB");
  for (let round = 1; round <= 3; round++) {
    const start = performance.now();
    const { stderr, status } = spawnSync(process.execPath, [cli, "report", log, "--out", page], {
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(stderr);
    const wall = (performance.now() - start) / 1000;
    const { rss, cpu } = JSON.parse(stderr.trim().split("\n").at(-1) ?? "");
    const row = [round, wall.toFixed(1), cpu.toFixed(1), Math.round(rss / 1e6)];
    console.log(
      [...row, Math.ceil(statSync(page).size / 1000)]
        .map((one) => String(one).padStart(7))
        .join(" "),
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
  rmSync(cli, { force: true });
}
