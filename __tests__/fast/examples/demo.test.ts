import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "@jest/globals";

import { isLogLine } from "#src/evidence/log-line.ts";

const ROOT = join(__dirname, "..", "..", "..");

let stdout = "";
let stderr = "";
/** Scenario → cells of the table, each as one line. */
let rows: ReadonlyMap<string, { wrote: string; bare: string; mended: string }>;

/** The same of the table of createAgent. */
let agentRows: typeof rows;

beforeAll(async () => {
  const { FORCE_COLOR: _, ...env } = process.env;
  const file = join("examples", "demo", "demo.ts");
  ({ stdout, stderr } = await promisify(execFile)(process.execPath, ["scripts/run-ts.mjs", file], {
    cwd: ROOT,
    env,
  }));
  const [executor = "", agent = ""] = stdout.split("The same outputs, given to LangChain 1");
  rows = readTable(executor);
  agentRows = readTable(agent);
}, 60_000);

function readTable(text: string): typeof rows {
  const blocks = text.split(/^─[─┼]*$/m).slice(1, -1);
  return new Map(
    blocks.map((block) => {
      const lines = block
        .trim()
        .split("\n")
        .map((line) => line.split(" │").map((cell) => cell.trim()));
      const cell = (column: number, from = 0) =>
        lines
          .slice(from)
          .map((line) => line[column])
          .join(" ")
          .replaceAll(/\s+/g, " ")
          .replaceAll(', "', ',"')
          .trim();
      return [lines[0]?.[0] ?? "", { wrote: cell(0, 1), bare: cell(1), mended: cell(2) }];
    }),
  );
}

describe("npm run demo", () => {
  test("fits 100 columns, without colours where there is no terminal", () => {
    const lines = stdout.split("\n");
    expect(Math.max(...lines.map((line) => [...line].length))).toBeLessThanOrEqual(100);
    expect(Math.max(...lines.map((line) => [...line].length))).toBeGreaterThan(90);
    expect(stdout).not.toContain("\u001b");
    expect(stderr).toBe("");
  });

  const RAN_BUY = 'ran click {"selector":"#buy"}';

  test("a right input runs, bare and mended, and nothing is changed", () => {
    expect(rows.get("right")).toEqual({
      wrote: 'click {"selector":"#buy"}',
      bare: `✓ ${RAN_BUY}`,
      mended: `✓ ${RAN_BUY}`,
    });
  });

  test.each([
    [
      "wrong key",
      'click {"element":"#buy"}',
      "ToolInputParsingException",
      "renameKey(element → selector)",
    ],
    ["bare string", 'click "#buy"', "ToolInputParsingException", "wrapValue(selector)"],
    ["stringified JSON", 'click "{\\"selector\\":\\"#buy\\"}"', "ToolInputParsingException", "· "],
    [
      "fenced and broken JSON",
      "click ```json {'selector': '#buy',} ```",
      "OutputParserException",
      "· ",
    ],
    [
      "only the page knows what",
      'click {"x":412,"y":96}',
      "ToolInputParsingException",
      "onUnfixable",
    ],
  ])("%s: bare throws, toolmend clicks", (name, wrote, threw, change) => {
    const row = rows.get(name);
    expect(row?.wrote).toBe(wrote);
    expect(row?.bare).toContain(`✗ threw ${threw}`);
    expect(row?.bare).not.toContain("ran");
    expect(row?.mended).toContain(`✓ ${RAN_BUY}`);
    expect(row?.mended).toContain(change);
  });

  test("null for an optional and a number as string: bare throws, toolmend runs", () => {
    expect(rows.get("null for an optional")?.bare).toContain("✗ threw ToolInputParsingException");
    expect(rows.get("null for an optional")?.mended).toContain('✓ ran open {"url":"/cart"}');
    expect(rows.get("number as string")?.bare).toContain("✗ threw ToolInputParsingException");
    expect(rows.get("number as string")?.mended).toContain(
      '✓ ran type {"selector":"#qty","text":"2","delay":50}',
    );
  });

  test("a tool name in other case: bare records a tool that there is not", () => {
    const row = rows.get("tool name in other case");
    expect(row?.bare).toContain(`! ${RAN_BUY} but recorded Click`);
    expect(row?.mended).toContain(`✓ ${RAN_BUY}`);
    expect(row?.mended).toContain("tool name Click → click");
  });

  test("two calls, one broken: bare drops it without a word, toolmend runs both", () => {
    const row = rows.get("two calls, one broken");
    expect(row?.bare).toBe(`! ${RAN_BUY} but dropped the call of type`);
    expect(row?.mended).toContain('✓ ran type {"selector":"#qty","text":"2"}');
    expect(row?.mended).toContain(RAN_BUY);
  });

  test("cut off: bare types half an address, toolmend runs nothing and tells the model", () => {
    const row = rows.get("cut off");
    expect(row?.bare).toMatch(/^! ran type .*"text":"ann@exam"\} but it should not have run$/);
    expect(row?.mended).toMatch(/^✓ ran nothing told the model: .*cut off/);
    expect(row?.mended).not.toContain("ran type");
  });

  test("no such tool: nothing runs and the model is told", () => {
    const { bare, mended } = rows.get("no such tool") ?? {};
    expect(bare).toMatch(/^✓ ran nothing told the model: scroll is not a valid tool/);
    expect(mended).toMatch(/^✓ ran nothing told the model: .*scroll/);
  });

  test("the tool itself throws: bare tells the model nothing", () => {
    const row = rows.get("the tool itself throws");
    expect(row?.bare).toBe('! ran click {"selector":"#gone"} but told the model ""');
    expect(row?.mended).toContain('✓ ran click {"selector":"#gone"}');
    expect(row?.mended).toContain('The page has no element "#gone".');
  });

  test("createAgent: bare drops what it cannot read, and asks again for the rest", () => {
    expect(agentRows.size).toBe(13);
    expect(agentRows.get("wrong key")?.bare).toBe("↻ ran nothing, told the model");
    expect(agentRows.get("wrong key")?.mended).toBe(`✓ ${RAN_BUY} · renameKey(element → selector)`);
    expect(agentRows.get("stringified JSON")?.mended).toBe(`✓ ${RAN_BUY} · parse-json`);
    expect(agentRows.get("two calls, one broken")?.bare).toContain("but dropped the call of type");
    expect(agentRows.get("two calls, one broken")?.mended).toContain("✓ ran type");
    expect(agentRows.get("cut off")?.mended).toMatch(/^✓ ran nothing told the model: .*cut off/);
    expect(stdout).toContain("toolmend: 13 as meant, 0 threw, 0 silently wrong.");
  });

  test("leaves a log of its wrapped runs, and a report of it", () => {
    expect(stdout).toMatch(/^ {2}click +18 +66\.7% +43\.7–83\.7% +12 +0 +0$/m);
    const [, log = ""] = /^The wrapped runs have left a log: (\S+)$/m.exec(stdout) ?? [];
    const lines = readFileSync(join(ROOT, log), "utf8").trimEnd().split("\n");
    expect(lines.filter((line) => !isLogLine(JSON.parse(line)))).toEqual([]);
    const [, file = ""] = /^The whole report, for a browser: (\S+)$/m.exec(stdout) ?? [];
    const page = readFileSync(join(ROOT, file), "utf8");
    expect(page).toContain("<title>toolmend report: ");
    expect(page).toContain("repaired");
  });

  test("ends with the typed steps and the score", () => {
    expect(stdout).toContain("gives #buy #buy #buy #buy #buy #buy #buy #buy #gone;");
    expect(stdout).toContain('rawToolInput  {"element":"#buy"}');
    expect(rows.size).toBe(13);
    expect(stdout).toContain("Bare:     2 as meant, 7 threw, 4 silently wrong.");
    expect(stdout).toContain(
      "toolmend: 13 as meant, 0 threw, 0 silently wrong; no extra calls of the model.",
    );
  });
});
