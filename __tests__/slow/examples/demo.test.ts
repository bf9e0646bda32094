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
let rows: ReadonlyMap<string, { wrote: string; bare: string; wrapped: string }>;

/** The same for the table of createAgent. */
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
      return [lines[0]?.[0] ?? "", { wrote: cell(0, 1), bare: cell(1), wrapped: cell(2) }];
    }),
  );
}

describe("npm run demo", () => {
  test("fits 100 columns, without colours if there is no terminal", () => {
    const lines = stdout.split("\n");
    expect(Math.max(...lines.map((line) => [...line].length))).toBeLessThanOrEqual(100);
    expect(Math.max(...lines.map((line) => [...line].length))).toBeGreaterThan(90);
    expect(stdout).not.toContain("\u001b");
    expect(stderr).toBe("");
  });

  const RAN_BUY = 'ran click {"selector":"#buy"}';

  test("a valid input runs, bare and wrapped, and nothing is changed", () => {
    expect(rows.get("right")).toEqual({
      wrote: 'click {"selector":"#buy"}',
      bare: `✓ ${RAN_BUY}`,
      wrapped: `✓ ${RAN_BUY}`,
    });
  });

  test.each([
    [
      "wrong key",
      'click {"element":"#buy"}',
      "ToolInputParsingException",
      "* renameKey(element → selector)",
    ],
    ["bare string", 'click "#buy"', "ToolInputParsingException", "· wrap-bare-value"],
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
      "* onUnfixable",
    ],
  ])("%s: bare throws, toolmend clicks", (name, wrote, threw, change) => {
    const row = rows.get(name);
    expect(row?.wrote).toBe(wrote);
    expect(row?.bare).toContain(`✗ threw ${threw}`);
    expect(row?.bare).not.toContain("ran");
    expect(row?.wrapped).toContain(`✓ ${RAN_BUY}`);
    expect(row?.wrapped).toContain(change);
  });

  test("null for an optional and a number as string: bare throws, toolmend runs", () => {
    expect(rows.get("null for an optional")?.bare).toContain("✗ threw ToolInputParsingException");
    expect(rows.get("null for an optional")?.wrapped).toContain('✓ ran open {"url":"/cart"}');
    expect(rows.get("number as string")?.bare).toContain("✗ threw ToolInputParsingException");
    expect(rows.get("number as string")?.wrapped).toContain(
      '✓ ran type {"selector":"#qty","text":"2","delay":50}',
    );
  });

  test("a tool name in another case: bare records an unknown tool", () => {
    const row = rows.get("tool name in other case");
    expect(row?.bare).toContain(`! ${RAN_BUY} but recorded Click`);
    expect(row?.wrapped).toContain(`✓ ${RAN_BUY}`);
    expect(row?.wrapped).toContain("tool name Click → click");
  });

  test("two calls, one broken: bare drops it silently, toolmend runs both", () => {
    const row = rows.get("two calls, one broken");
    expect(row?.bare).toBe(`! ${RAN_BUY} but dropped the call of type`);
    expect(row?.wrapped).toContain('✓ ran type {"selector":"#qty","text":"2"}');
    expect(row?.wrapped).toContain(RAN_BUY);
  });

  test("cut off: bare types half an address, toolmend runs nothing and tells the model", () => {
    const row = rows.get("cut off");
    expect(row?.bare).toMatch(/^! ran type .*"text":"ann@exam"\} but it should not have run$/);
    expect(row?.wrapped).toMatch(/^✓ ran nothing told the model: .*cut off/);
    expect(row?.wrapped).not.toContain("ran type");
  });

  test("an unknown tool: nothing runs and the model gets an error", () => {
    const { bare, wrapped } = rows.get("no such tool") ?? {};
    expect(bare).toMatch(/^✓ ran nothing told the model: scroll is not a valid tool/);
    expect(wrapped).toMatch(/^✓ ran nothing told the model: .*scroll/);
  });

  test("createAgent: bare drops what it cannot parse, and asks again for the rest", () => {
    expect(agentRows.size).toBe(12);
    expect(agentRows.get("wrong key")?.bare).toBe("↻ ran nothing, told the model");
    expect(agentRows.get("wrong key")?.wrapped).toBe(
      `✓ ${RAN_BUY} * renameKey(element → selector)`,
    );
    expect(agentRows.get("stringified JSON")?.wrapped).toBe(`✓ ${RAN_BUY} · parse-json`);
    expect(agentRows.get("two calls, one broken")?.bare).toContain("but dropped the call of type");
    expect(agentRows.get("two calls, one broken")?.wrapped).toContain("✓ ran type");
    expect(agentRows.get("cut off")?.wrapped).toMatch(/^✓ ran nothing told the model: .*cut off/);
    expect(stdout).toContain("toolmend: 12 as meant, 0 threw, 0 silently wrong.");
  });

  test("says what is the user's own code", () => {
    expect(stdout).toContain("*  by your own code");
    expect(stdout).toContain("(2 of these by your own code: wrong key, only the page knows what.)");
  });

  test("a bare createAgent that drops the only call tells the model nothing", () => {
    expect(agentRows.get("cut off")?.bare).toBe("! ran nothing but told the model nothing");
  });

  test("leaves a log of its wrapped runs, and a report of it that says whose runs it shows", () => {
    expect(stdout).toContain("of the 24 wrapped runs above (both agents, 12 outputs each):");
    expect(stdout).toMatch(/^ {2}click +16 +75\.0% +50\.5–89\.8% +12 +0 +0$/m);
    const [, log = ""] = /^The wrapped runs left a log: (\S+)$/m.exec(stdout) ?? [];
    const lines = readFileSync(join(ROOT, log), "utf8").trimEnd().split("\n");
    expect(lines.filter((line) => !isLogLine(JSON.parse(line)))).toEqual([]);
    const [, file = ""] = /^The whole report, for a browser: (\S+)$/m.exec(stdout) ?? [];
    const page = readFileSync(join(ROOT, file), "utf8");
    expect(page).toContain("<title>toolmend report: ");
    expect(page).toContain("repaired");
  });

  test("ends with the typed steps and the score", () => {
    expect(stdout).toContain("gives #buy #buy #buy #buy #buy #buy #buy #buy;");
    expect(stdout).toContain('rawToolInput  {"element":"#buy"}');
    expect(rows.size).toBe(12);
    expect(stdout).toContain("Bare:     2 as meant, 7 threw, 3 silently wrong.");
    expect(stdout).toContain(
      "toolmend: 12 as meant, 0 threw, 0 silently wrong; no extra calls of the model.",
    );
  });

  test("shows a rejection that explains itself, and the three lines that repair it", () => {
    const [, shown = ""] = stdout.split("What cannot be proved is rejected.");
    expect(shown).toContain("- selector: expected string, received nothing");
    expect(shown).toContain('return by === "css" ? { selector: value } : undefined;');
    expect(shown).toContain('Now it runs {"selector":"#buy"}, repaired by byCss.');
  });
});
