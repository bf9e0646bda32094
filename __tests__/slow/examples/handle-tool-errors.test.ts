import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "@jest/globals";

const root = join(__dirname, "..", "..", "..");

function run(file: string): string {
  return execFileSync("node", [join(root, "scripts", "run-ts.mjs"), file], { encoding: "utf8" });
}

test("the example prints the four ways", () => {
  const printed = run(join(root, "examples", "handle-tool-errors", "main.ts"));
  const ways = printed.split(/^─+ /m).map((way) => way.trim());
  expect(ways).toHaveLength(5);
  expect(ways[1]).toMatch(/^bare\n.*throws ToolInputError/s);
  expect(ways[2]).toMatch(/^try\/except\n.*Calling tool "complex_tool" with arguments:/s);
  expect(ways[3]).toMatch(/^fallback\n.*→ 10\.5/s);
  expect(ways[4]).toMatch(/^self-correcting\n.*dict_arg.*→ 10\.5/s);
  expect(Math.max(...printed.split("\n").map((line) => line.length))).toBeLessThanOrEqual(100);
}, 60_000);
