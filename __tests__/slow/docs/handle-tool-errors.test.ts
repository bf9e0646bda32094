import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";

const root = join(__dirname, "..", "..", "..");
const guide = readFileSync(join(root, "docs", "handle-tool-errors.md"), "utf8");

function blocks(language: string): string[] {
  const fences = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g");
  return [...guide.matchAll(fences)].map((match) => match[1] ?? "");
}

function run(file: string): string {
  return execFileSync("node", [join(root, "scripts", "run-ts.mjs"), file], { encoding: "utf8" });
}

test("the guide's code runs as it stands, and prints what its comments say", () => {
  const code = blocks("ts").join("\n");
  const [message = ""] = blocks("text");
  const folder = mkdtempSync(join(root, "node_modules", ".handle-tool-errors-"));
  try {
    const file = join(folder, "guide.ts");
    writeFileSync(file, code);
    const lines = code.split("\n").flatMap((line) => {
      if (line === "console.log(told);") return message.trimEnd().split("\n");
      const said = /console\.log\(.*\); \/\/ (.*)$|^\/\/ (\d .*|[a-z-]+( repeated)?)$/.exec(line);
      return said === null ? [] : [said[1] ?? said[2] ?? ""];
    });
    expect(lines.length).toBeGreaterThan(15);
    const printed = run(file).trimEnd().split("\n");
    expect(printed.map((line) => line.trimEnd())).toEqual(lines);
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 60_000);

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
