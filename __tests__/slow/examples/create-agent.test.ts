import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "@jest/globals";

const ROOT = join(__dirname, "..", "..", "..");

test("the createAgent example runs what the model meant", () => {
  const output = execFileSync(
    process.execPath,
    ["scripts/run-ts.mjs", "examples/create-agent/main.ts"],
    { cwd: ROOT, encoding: "utf8" },
  );
  expect(output.split("\n")).toEqual([
    "repaired search: read-number",
    "repaired click: renameKey(element → selector)",
    "repaired click: wrapValue(selector)",
    "refused search",
    "",
    "What was run:",
    "  search for red shoes, limit 3",
    "  click on #first-hit",
    "  click on #buy",
    "  nothing, for search({})",
    "",
    "The answer: I have bought the red shoes.",
    "",
  ]);
}, 60_000);
