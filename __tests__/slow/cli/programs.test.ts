import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";

const runTs = join(__dirname, "..", "..", "..", "scripts", "run-ts.mjs");

/** Runs a program in its own process, as register swaps what a process shares. */
function runProgram(code: string): { out: string; err: string; status: number | null } {
  const folder = mkdtempSync(join(__dirname, "..", "..", "..", "node_modules", ".program-"));
  try {
    const file = join(folder, "program.ts");
    writeFileSync(file, code);
    const { stdout, stderr, status } = spawnSync("node", [runTs, file], { encoding: "utf8" });
    return { out: stdout.trim(), err: stderr, status };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("register", () => {
  const program = `
import { tool } from "@langchain/core/tools";
import { z } from "zod";
const click = tool(async ({ count }) => "ran " + count, {
  name: "click", description: "", schema: z.object({ count: z.number() }),
});
const run = () => click.invoke({ count: "5" } as never).catch((error: Error) => error.name);
`;

  test("can be undone and registered again", () => {
    const { out, err } = runProgram(`${program}
import { register, unregister } from "toolmend/register";
unregister();
const before = await run();
const undo = register();
const during = await run();
undo();
console.log(JSON.stringify([before, during, await run()]));`);
    expect([err, JSON.parse(out)]).toEqual(["", ["Error", "ran 5", "Error"]]);
  }, 60_000);

  test("warns and does not crash if LangChain's prototypes are frozen", () => {
    const { out, err, status } = runProgram(`${program}
import { StructuredTool } from "@langchain/core/tools";
Object.freeze(StructuredTool.prototype);
const { unregister } = await import("toolmend/register");
console.log(await run());
unregister();`);
    expect([out, status]).toEqual(["Error", 0]);
    expect(err).toMatch(/TOOLMEND_FROZEN.*cannot swap call/);
  }, 60_000);

  test("does not throw on undo if they are frozen later", () => {
    const { out, status } = runProgram(`${program}
import { StructuredTool } from "@langchain/core/tools";
import { unregister } from "toolmend/register";
Object.freeze(StructuredTool.prototype);
unregister();
console.log(await run());`);
    expect([out, status]).toEqual(["Error", 0]);
  }, 60_000);
});

test("node finds the command line's version in its package", () => {
  const file = join(__dirname, "..", "..", "..", "src", "cli.ts");
  const said = execFileSync("node", [runTs, file, "--version"], { encoding: "utf8" });
  expect(said.trim()).toMatch(/^\d+\.\d+\.\d+/);
}, 60_000);
