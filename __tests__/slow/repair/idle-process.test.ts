import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";

const root = join(__dirname, "../../..");

test("a fixer that hangs is abandoned, even if the process is idle", () => {
  const script = `
    import { createFixerRegistry, repairToolInput } from "toolmend";
    const fixers = createFixerRegistry();
    fixers.register("t", () => new Promise(() => {}));
    const tool = { name: "t", schema: { type: "object", required: ["a"] } };
    const result = await repairToolInput({}, tool, { fixers, limits: { fixerTimeoutMs: 50 } });
    console.log(result.ok, result.error.cause.message);`;
  const folder = mkdtempSync(join(root, "node_modules", ".hanging-fixer-"));
  try {
    const file = join(folder, "hanging-fixer.ts");
    writeFileSync(file, script);
    const runner = join(root, "scripts", "run-ts.mjs");
    const printed = execFileSync("node", [runner, file], { encoding: "utf8" });
    expect(printed.trim()).toBe("false fixer 1 took longer than 50 ms");
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 30_000);
