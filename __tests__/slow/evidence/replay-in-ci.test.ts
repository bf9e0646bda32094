import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, jest, test } from "@jest/globals";
import { root } from "../../support/cli/run-cli.ts";
import { closed, linesOf, repeat } from "../../support/evidence/suggest/make-log.ts";
import { makeProject } from "../../support/langchain/register/make-project.ts";

jest.setTimeout(120_000);

const lines = linesOf(
  closed({ note: { type: "string" } }),
  repeat(5, (n) => ({ raw: { note: `n${n}` }, outcome: "valid" as const })),
);
const tools = (key: string) => `
const click = {
  name: "click",
  schema: { type: "object", properties: { ${key}: { type: "string" } }, required: ["${key}"] },
};
export const toolsOfAgent = { list: [click] };
`;
const project = makeProject({
  "log.jsonl": lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
  "tools.mjs": tools("note"),
  "renamed.mjs": tools("text"),
  "none.mjs": "export const answer = 42;",
  "fixers.mjs": "export const fixers = { click: [], clik: [() => undefined] };",
});

function toolmend(...args: string[]) {
  const script = [join(root, "scripts", "run-ts.mjs"), join(root, "src", "cli.ts")];
  const options = { cwd: project, encoding: "utf8", timeout: 100_000 } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [...script, ...args], options);
  return { code: status, out: stdout, err: stderr };
}

test("the schemas of a module's tools guard a log in two lines", () => {
  expect(toolmend("schemas", "tools.mjs", "--out", "schemas")).toMatchObject({ code: 0, err: "" });
  const written = JSON.parse(readFileSync(join(project, "schemas", "click.json"), "utf8"));
  expect(written).toMatchObject({ required: ["note"] });
  expect(toolmend("replay", "log.jsonl", "--schemas", "schemas").code).toBe(0);
  toolmend("schemas", "renamed.mjs", "--out", "schemas");
  const { code, out } = toolmend("replay", "log.jsonl", "--schemas", "schemas");
  expect([code, out]).toEqual([1, expect.stringMatching(/^lost +5 +click +\/text +required$/m)]);
});

test("fixers for a tool that the log does not know are named", () => {
  const { code, out } = toolmend("replay", "log.jsonl", "--fixers", "fixers.mjs");
  expect([code, out]).toEqual([0, expect.stringContaining('for "clik", of which the log has no')]);
  expect(out).toContain('Did you mean "click"?');
});

test("a module without tools, and one that does not exist, are misuse", () => {
  for (const [file, says] of [
    ["none.mjs", /exports no tools/],
    ["nowhere.mjs", /cannot be imported/],
  ] as const) {
    const { code, err } = toolmend("schemas", file, "--out", "other");
    expect([code, err]).toEqual([1, expect.stringMatching(says)]);
  }
});
