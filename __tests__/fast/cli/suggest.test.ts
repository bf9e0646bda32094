import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, jest, test } from "@jest/globals";
import { createFixerRegistry } from "toolmend";
import * as builtIn from "toolmend/fixers";
import type { LogLine } from "#src/evidence/log-line.ts";
import { runCli } from "../../support/cli/run-cli.ts";
import { closed, linesOf } from "../../support/evidence/suggest/make-log.ts";
import { makeProject } from "../../support/langchain/register/make-project.ts";

const schema = {
  type: "object",
  properties: { note: { type: "string" }, limit: { type: "integer" } },
  required: ["note"],
  additionalProperties: false,
};
const calls = [
  ...Array.from({ length: 40 }, (_, n) => ({ raw: { memo: `n${n}` }, meant: { note: `n${n}` } })),
  ...Array.from({ length: 10 }, (_, n) => ({
    raw: { note: `v${n}` },
    outcome: "valid" as const,
    run: `valid-${n}`,
  })),
  { raw: { note: "r", limit: "5" }, meant: { note: "r", limit: 5 }, outcome: "repaired" as const },
];
const toText = (lines: readonly LogLine[]) =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join("");
const withoutContent = (lines: readonly LogLine[]) =>
  lines.map((line) => ({ ...line, raw: undefined, toolInput: undefined }) as LogLine);

// The first test of a command compiles its imports.
jest.setTimeout(60_000);

let project = "";
beforeAll(() => {
  const lines = linesOf(schema, calls);
  project = makeProject({
    "full.jsonl": toText(lines),
    "none.jsonl": toText(withoutContent(lines)),
    "few.jsonl": toText(lines.slice(0, 3)),
    "renamed/click.json": {
      ...schema,
      properties: { text: { type: "string" }, limit: { type: "integer" } },
      required: ["text"],
    },
    "wider/click.json": { ...schema, properties: { ...schema.properties, memo: {} }, required: [] },
    "broken/click.json": "{",
    "misspelt/clik.json": schema,
    "misspelt/click.json": schema,
  });
});
const run = (...args: string[]) => runCli(project, args);

describe("toolmend suggest", () => {
  test("states its findings, their counts and who agrees; never that it is right", async () => {
    const { code, out } = await run("suggest", "full.jsonl");
    expect(code).toBe(0);
    expect(out).toContain('renameKey("memo", "note")');
    expect(out).toMatch(/agrees with 40 of 40 corrections \(later-call 40; held out \d+ of \d+;/);
    expect(out).toMatch(/only a person|only later corrections support it/);
    expect(out).not.toMatch(/\bright\b|\bcorrect\b/);
    expect(existsSync(join(project, "fixers.suggested.ts"))).toBe(false);
  });

  test("writes a file only if there is something to write", async () => {
    expect(await run("suggest", "full.jsonl", "--write", "found.ts")).toMatchObject({ code: 0 });
    const text = readFileSync(join(project, "found.ts"), "utf8");
    expect(text).toContain('// fixers.register("click", renameKey("memo", "note"));\n');
    const imported =
      /import \{ (.*) \} from "toolmend\/fixers";/.exec(text)?.[1]?.split(", ") ?? [];
    expect(imported).toContain("renameKey");
    // The commented lines without an ellipsis, as a reader takes their slashes away.
    const lines = text.match(/^\/\/ fixers\.register\([^…\n]*$/gm) ?? [];
    const registry = createFixerRegistry();
    const scope = { fixers: registry, ...builtIn };
    const register = new Function(...Object.keys(scope), lines.join("\n").replaceAll("// ", ""));
    register(...Object.values(scope));
    expect(registry.registeredTools()).toEqual(["click"]);
    const { code, out } = await run("suggest", "few.jsonl", "--write", "nothing.ts");
    expect([code, out]).toEqual([0, expect.stringContaining("Nothing is proven.")]);
    expect(out).toContain("nothing.ts is not written");
    expect(existsSync(join(project, "nothing.ts"))).toBe(false);
  });

  test("says what is missing from a log without inputs: exit code 2", async () => {
    const { code, err } = await run("suggest", "none.jsonl");
    expect(code).toBe(2);
    expect(err).toMatch(/holds no inputs: \d+ calls .* content: "full"/);
  });

  test.each([
    [[], /No log is named/],
    [["full.jsonl", "--min-runs", "0"], /--min-runs must be a whole number from 1 on/],
    [["full.jsonl", "--wrong"], /--wrong/],
    [["nowhere.jsonl"], /no file nowhere.jsonl/],
  ])("misuse is exit code 2: %j", async (args, message) => {
    const { code, out, err } = await run("suggest", ...args);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(message);
  });
});

describe("toolmend replay", () => {
  test("of the log as recorded loses and changes nothing: exit code 0", async () => {
    const { code, out } = await run("replay", "full.jsonl");
    expect([code, out]).toEqual([0, expect.stringContaining("Lost: 0 (at most 0). Changed: 0")]);
  });

  test("repairs the bare text of a text agent again, whose calls have no ids", async () => {
    const selector = closed({ selector: { type: "string" } });
    const agent = [{ raw: "#buy", meant: { selector: "#buy" }, outcome: "repaired" as const }];
    const lines = linesOf(selector, agent).map((line) => ({ ...line, call: undefined }) as LogLine);
    writeFileSync(join(project, "agent.jsonl"), toText(lines));
    const { code, out } = await run("replay", "agent.jsonl");
    expect([code, out]).toEqual([0, expect.stringContaining("Lost: 0 (at most 0). Changed: 0")]);
  });

  test("after a key was renamed names why calls are lost: exit code 1", async () => {
    const { code, out } = await run("replay", "full.jsonl", "--schemas", "renamed");
    expect(code).toBe(1);
    expect(out).toMatch(/Lost: 11 \(at most 0\)/);
    expect(out).toMatch(/^lost +11 +click +\/text +required$/m);
    const allowed = await run("replay", "full.jsonl", "--schemas", "renamed", "--max-lost", "11");
    expect(allowed.code).toBe(0);
  });

  test("with --update makes the current results the expected ones", async () => {
    const args = ["replay", "full.jsonl", "--schemas", "renamed", "--baseline", "base.json"];
    expect((await run(...args, "--update")).code).toBe(0);
    const written = readFileSync(join(project, "base.json"), "utf8");
    expect(written).not.toMatch(/memo|note|v1|n1/);
    expect((await run(...args)).code).toBe(0);
    // The calls that the rename lost are gained back; the ones it gained do not count.
    const back = await run("replay", "full.jsonl", "--baseline", "base.json");
    expect([back.code, back.out]).toEqual([0, expect.stringContaining("Gained: 11")]);
    expect((await run(...args, "--update")).code).toBe(0);
    expect(readFileSync(join(project, "base.json"), "utf8")).toBe(written);
  });

  test("fails if what it gains contradicts the corrections, and says where", async () => {
    const args = ["replay", "full.jsonl", "--schemas", "wider"];
    const { code, out } = await run(...args);
    expect([code, out]).toEqual([1, expect.stringMatching(/Contradicted: 40 \(at most 0\)/)]);
    expect(out).toMatch(/^contradicted +40 +click +\/note +validates$/m);
    expect(await run(...args, "--max-contradicted", "40")).toMatchObject({ code: 0 });
    const { differing, gate } = JSON.parse((await run(...args, "--json")).out);
    expect(gate).toMatchObject({ lost: 0, changed: 0, contradicted: 40, isBroken: true });
    expect(differing[0]).toMatchObject({ kind: "gained", call: "call-0", agrees: false });
  });

  test("at another level finds what is repaired otherwise", async () => {
    const { code, out } = await run("replay", "full.jsonl", "--level", "strict");
    expect([code, out]).toEqual([1, expect.stringMatching(/lost +1 +click +\/limit +type/)]);
  });

  test("names the schemas of tools that the log does not contain", async () => {
    const { out } = await run("replay", "full.jsonl", "--schemas", "misspelt", "--max-lost", "9");
    expect(out).toContain(
      '--schemas has a schema for "clik", of which the log has no call. Did you mean "click"?',
    );
    expect(out).not.toContain('for "click"');
  });

  test("of a log without inputs is exit code 2, and says why", async () => {
    const { code, err } = await run("replay", "none.jsonl");
    expect([code, err]).toEqual([2, expect.stringMatching(/holds no inputs.*content: "full"/)]);
  });

  test.each([
    [[], /No log is named/],
    [["full.jsonl", "--level", "wild"], /--level must be strict or safe or eager, not "wild"/],
    [["full.jsonl", "--max-lost", "-1"], /--max-lost/],
    [["full.jsonl", "--max-lost", "few"], /--max-lost must be a whole number/],
    [["full.jsonl", "--max-contradicted", "few"], /--max-contradicted must be a whole number/],
    [["full.jsonl", "--schemas", "nowhere"], /--schemas .*nowhere cannot be read/],
    [
      ["full.jsonl", "--schemas", "broken"],
      /click.json cannot be read as a JSON Schema: Expected property name/,
    ],
    [["full.jsonl", "--baseline", "nowhere.json"], /write it with --update/],
    [["full.jsonl", "--baseline", "full.jsonl"], /is no baseline/],
    [["full.jsonl", "--fixers", "nowhere.mjs"], /--fixers .*nowhere.mjs/],
    [["full.jsonl", "--wrong"], /--wrong/],
  ])("misuse is exit code 2: %j", async (args, message) => {
    const { code, out, err } = await run("replay", ...args);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(message);
  });

  test("of a tool with an unknown schema is exit code 2", async () => {
    const lines = linesOf(schema, calls).filter(({ kind }) => kind !== "schema");
    mkdirSync(join(project, "logs"), { recursive: true });
    writeFileSync(join(project, "logs", "bare.jsonl"), toText(lines));
    const { code, err } = await run("replay", "logs/bare.jsonl");
    expect([code, err]).toEqual([2, expect.stringMatching(/schemas of 51 calls are neither/)]);
    const args = ["replay", "logs/bare.jsonl", "--schemas", "wider", "--max-contradicted", "40"];
    expect((await run(...args)).code).toBe(0);
  });
});
