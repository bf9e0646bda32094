import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { DEFAULT_LIMITS } from "#src/repair/limits.ts";
import { ISSUE, type RefusalReason } from "#src/repair/types.ts";

const root = join(__dirname, "..", "..", "..");
const readme = readFileSync(join(root, "README.md"), "utf8");
const page = (name: string) => readFileSync(join(root, "docs", `${name}.md`), "utf8");

test("every function in the table of README is exported", async () => {
  const table = /## Which one for you\n([\s\S]*?)\n## /.exec(readme)?.[1] ?? "";
  const [, ...cells] = table.split("\n").map((row) => row.split("|")[2] ?? "");
  const names = cells.flatMap((cell) =>
    [...cell.matchAll(/`([A-Za-z]+)`/g)].map(([, name]) => name),
  );
  const entries = await Promise.all([
    import("toolmend"),
    import("toolmend/middleware"),
    import("toolmend/messages"),
    import("toolmend/mcp"),
  ]);
  expect(names.length).toBeGreaterThan(6);
  expect(entries.flatMap((entry) => Object.keys(entry))).toEqual(expect.arrayContaining(names));
});

test("the tables of limits and reasons match the code", () => {
  const limits = cellsOf(page("repair").slice(page("repair").indexOf("## Limits"))).map(
    ([name = "", value = ""]) => [name.replaceAll("`", ""), Number(value.replaceAll(",", ""))],
  );
  expect(Object.fromEntries(limits)).toEqual(DEFAULT_LIMITS);
  const reasons: RefusalReason[] = ["invalid", "handler_timeout", ...Object.values(ISSUE)];
  const shown = cellsOf(page("errors").slice(page("errors").indexOf("| `error.reason` |"))).map(
    ([name = ""]) => name,
  );
  expect(shown.map((name) => name.replaceAll("`", "")).sort()).toEqual(reasons.sort());
});

test("the tables of README, of recorded outputs and of the gauge, match the benchmark", () => {
  const results = readFileSync(join(root, "bench", "RESULTS.md"), "utf8");
  const rowsOf = (title: string) =>
    new Map(
      cellsOf(results.slice(results.indexOf(`## ${title}`))).map(([name, ...row]) => [name, row]),
    );
  const recorded = rowsOf("Recorded model outputs");
  const gauge = rowsOf("Both sides");
  const shown = cellsOf(readme.slice(readme.indexOf("## Proof")));
  expect(shown.length).toBeGreaterThan(8);
  for (const [method, ...figures] of shown) {
    const [right, , , , wrongAndHopeless = "", rejected = ""] = recorded.get(method) ?? [];
    const recordedFigures = [right, ...wrongAndHopeless.split(" + "), rejected.split("/")[0]];
    const gaugeFigures = gauge.get(method)?.slice(0, 3) ?? [];
    expect([method, ...figures]).toEqual([method, ...recordedFigures, ...gaugeFigures]);
  }
});

test("README says of recorded outputs and planted faults what the benchmark says", () => {
  const results = readFileSync(join(root, "bench", "RESULTS.md"), "utf8");
  const recorded = results.slice(results.indexOf("## Recorded model outputs"));
  const [, safe, policy] = /of safe (\d+) \| of policy (\d+)/.exec(recorded) ?? [];
  const [, outputs, meant] = /(\d+) records,.* (\d+) with usable truth/.exec(recorded) ?? [];
  const reachable = ((Number(safe) + Number(policy)) / Number(meant)) * 100;
  expect(readme).toContain(`${Number(outputs).toLocaleString("en-US")} outputs of about 20 models`);
  expect(readme).toContain(`Of ${meant} malformed calls`);
  expect(readme).toContain(`reaches ${reachable.toFixed(1)} %`);
  const planted = results.slice(results.indexOf("## Synthetic faults in generated inputs"));
  const [, kinds] = /faulty inputs of (\d+) kinds/.exec(planted) ?? [];
  expect(readme).toContain(`faults, of ${kinds} kinds`);
  const safeRow = cellsOf(planted).find(([method]) => method === "toolmend, safe") ?? [];
  expect(readme).toContain(`\`safe\` has ${safeRow[1]} % right and ${safeRow[2]} % wrong`);
});

/** The rows of the first table, without its head and without emphasis. */
function cellsOf(markdown: string): string[][] {
  const [table = ""] = /(?:^\|.*\n)+/m.exec(markdown) ?? [];
  const rows = table.trim().split("\n").slice(2);
  return rows.map((row) =>
    row
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.replaceAll("*", "").trim()),
  );
}
