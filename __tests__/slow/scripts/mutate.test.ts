import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import ts from "typescript";
import { instrument } from "../../../scripts/mutate/instrument.ts";
import { mutantsOf } from "../../../scripts/mutate/mutants.ts";

const root = join(__dirname, "../../..");

test("every file of src is still TypeScript when it is instrumented", () => {
  const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => join(root, "src", path));
  expect(files.length).toBeGreaterThan(50);
  for (const file of files) {
    const text = readFileSync(file, "utf8");
    const { mutants, reads } = mutantsOf(file, text);
    const instrumented = instrument(
      text,
      mutants.map((mutant, index) => ({ ...mutant, file, id: index, reachId: index })),
      reads.map((read) => ({ ...read, id: 0 })),
    );
    const { diagnostics } = ts.transpileModule(instrumented, { reportDiagnostics: true });
    expect([file, diagnostics]).toEqual([file, []]);
  }
});

/** Runs `npm run mutate`; returns its exit code, and what it prints. */
async function mutate(...args: readonly string[]): Promise<{ code: unknown; printed: string }> {
  const command = ["scripts/run-ts.mjs", "scripts/mutate/main.ts", ...args];
  const ran = await promisify(execFile)("node", command, { cwd: root }).catch((error) => error);
  return { code: ran.code ?? 0, printed: `${ran.stdout}${ran.stderr}` };
}

const FILE = "src/repair/words/slots.ts";

test("a score over the minimum passes, and the file is never written to", async () => {
  const text = readFileSync(join(root, FILE), "utf8");
  const { code, printed } = await mutate(FILE, "--own", "--count", "4", "--min", "50");
  expect(printed).toMatch(/^src\/repair\/words\/slots\.ts: \d+\.\d % of 4 killed/m);
  expect(code).toBe(0);
  expect(readFileSync(join(root, FILE), "utf8")).toBe(text);
}, 300_000);

test("a score under the minimum fails; each mutant is named by its place and its change", async () => {
  const args = ["--own", "--count", "2", "--min", "101", "--verbose"];
  const { code, printed } = await mutate("src/repair/words/slo*.ts", ...args);
  expect(printed).toMatch(/ {2,}src\/repair\/words\/slots\.ts:\d+:\d+ {2}\w+ {2}.+ → /);
  expect(printed).toContain("Less than the 101 % of --min.");
  expect(code).toBe(1);
}, 300_000);

test("a path without a file of src is an error", async () => {
  const { code, printed } = await mutate("src/no-such-file.ts");
  expect(printed).toContain("No file of src is src/no-such-file.ts");
  expect(code).toBe(1);
});
