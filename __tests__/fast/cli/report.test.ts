import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { runCli } from "../../support/cli/run-cli.ts";
import { callLine } from "../../support/evidence/call-line.ts";
import { plantedLog } from "../../support/evidence/planted-log/planted-log.ts";

let project = "";
let text = "";
beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), "toolmend-report-"));
  const lines = await plantedLog({ runs: 150, content: "none" });
  text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  writeFileSync(join(project, "a.jsonl"), text);
  writeFileSync(join(project, "b.jsonl"), `${text}{"v":1,"kind"`);
}, 60_000);
const report = (...args: string[]) => runCli(project, ["report", ...args]);

describe("toolmend report", () => {
  test("prints a summary, each tool and model with its rate", async () => {
    const { code, out, err } = await report("a.jsonl");
    expect([code, err]).toEqual([0, ""]);
    const lines = out.split("\n");
    expect(lines[0]).toMatch(/^\d+ Oct – \d+ Nov 2026 · Calls: \d+ .* · Faulty: [\d.]+% /);
    expect(out).toMatch(/^create_invoice +\d+ +[\d.]+% +[\d.]+–[\d.]+% +\d+ +\d+ +\d+$/m);
    expect((await report("a.jsonl", "--by", "model")).out).toMatch(/^terra-7b +\d+ /m);
  });

  test("--json is one object; for two copies of a file the sums double", async () => {
    const one = JSON.parse((await report("a.jsonl", "--json")).out);
    const two = JSON.parse((await report(".", "--json")).out);
    expect(two.total.calls).toBe(2 * one.total.calls);
    expect(two.read).toMatchObject({ files: 2, torn: 1 });
    expect((await report("b.jsonl")).out).toContain("Ignored: 1 line incomplete.");
  });

  test("- is the standard input", async () => {
    const { out } = await runCli(project, ["report", "-", "--json"], { input: text });
    expect(JSON.parse(out).total).toEqual(
      JSON.parse((await report("a.jsonl", "--json")).out).total,
    );
  });

  test.each([
    ["schemas", { kind: "schema", jsonSchema: {} }],
    ["corrections", { kind: "correction", source: "human", toolInput: {}, issues: [] }],
  ])("gives no suggestions for more %s than it keeps in memory", async (_, fields) => {
    const t = "2026-11-03T10:20:30.400Z";
    const log = await plantedLog({ runs: 20 });
    for (const [count, isSearched] of [
      [10, true],
      [10_001, false],
    ] as const) {
      const more = Array.from({ length: count }, (_, index) => {
        return { v: 1, t, tool: "pick", schema: `hash-${index}`, of: `call-${index}`, ...fields };
      });
      const input = [...more, ...log].map((line) => `${JSON.stringify(line)}\n`).join("");
      const { suggestions } = JSON.parse(
        (await runCli(project, ["report", "-", "--json"], { input })).out,
      );
      expect(suggestions !== undefined).toBe(isSearched);
    }
  });

  test("--out writes a page, and reports its size", async () => {
    const { code, out } = await report("a.jsonl", "--out", "page.html");
    expect(code).toBe(0);
    expect(out).toMatch(/^page\.html: \d+ kB\n/);
    expect(readFileSync(join(project, "page.html"), "utf8")).toMatch(/^<!doctype html>/);
  });

  test("the page says what made it, what to do next, and on a narrow screen that tables scroll", async () => {
    await report("a.jsonl", "--out", "page.html");
    const page = readFileSync(join(project, "page.html"), "utf8");
    expect(page).toContain("<h1>toolmend: tool inputs ");
    expect(page.slice(page.indexOf("<footer>"))).toContain("Next: <code>toolmend suggest LOG…");
    expect(page).toContain("Scroll for more columns");
  });

  test("names one call, file, tool, model and minute in the singular", async () => {
    const call = JSON.stringify(callLine());
    const { out } = await runCli(project, ["report", "-", "--out", "one.html"], { input: call });
    expect(out).toContain("3 Nov 2026, 10:20 UTC · Calls: 1 ");
    expect(out).toContain("(1 call)");
    const page = readFileSync(join(project, "one.html"), "utf8");
    expect(page).toContain("1 tool, 1 model<");
    expect(page).toContain("Made of 1 line of 1 file by");
  });

  test.each([
    [[], "No log is named"],
    [["nowhere.jsonl"], "There is no file nowhere.jsonl."],
    [["a.jsonl", "--by", "day"], "--by must be tool or model"],
    [["a.jsonl", "--wrong"], "--wrong"],
  ])("%j is misuse, and nothing is written", async (args, message) => {
    const { code, out, err } = await report(...args, "--out", "wrong.html");
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain(message);
    expect(existsSync(join(project, "wrong.html"))).toBe(false);
  });

  test("control characters in a log do not reach the terminal", async () => {
    const name = "\u001b[2J\u001b]0;owned\u0007\r\u202etool\u009b31m";
    const line = JSON.parse(text.split("\n").find((one) => one.includes('"refused"')) ?? "");
    const issue = { path: `/${name}`, code: name, expected: name };
    const hostile = { ...line, tool: name, model: name, schema: name, issues: [issue] };
    const input = `${JSON.stringify(hostile)}\n`;
    for (const by of ["tool", "model"]) {
      const { out, err } = await runCli(project, ["report", "-", "--by", by], { input });
      expect(out).toContain("\\u001b[2J");
      expect(`${out}${err}`).not.toMatch(/[^\P{C}\n]/u);
    }
  });
});
