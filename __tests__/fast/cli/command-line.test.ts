import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { COMMANDS, type CommandName, helpOf } from "#src/cli/commands.ts";
import { escapeUnshown } from "#src/evidence/print-name.ts";
import { runCli } from "../../support/cli/run-cli.ts";

let project = "";
const schema = {
  type: "object",
  properties: { count: { type: "integer" } },
  required: ["count"],
  additionalProperties: false,
};

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "toolmend-cli-"));
  writeFileSync(join(project, "schema.json"), `\ufeff${JSON.stringify(schema)}`);
});
afterAll(() => rmSync(project, { recursive: true }));

const cli = (args: readonly string[], input = "") => runCli(project, args, { input });

describe("help", () => {
  test("the version is printed", async () => {
    for (const flag of ["--version", "-v"]) {
      expect(await cli([flag])).toEqual({ code: 0, out: "0.0.0-test", err: "" });
    }
  });

  test("the help begins with the description of the package", async () => {
    const { description } = JSON.parse(readFileSync("package.json", "utf8"));
    const [headline] = (await cli(["--help"])).out.split("\n");
    expect(headline).toBe(description);
  });

  test.each(Object.keys(COMMANDS) as CommandName[])(
    "%s has its own help, which the overall help includes",
    async (name) => {
      const own = await cli([name, "--help"]);
      expect(own).toEqual({ code: 0, out: helpOf(name), err: "" });
      expect(await cli(["help", name])).toEqual(own);
      expect((await cli(["--help"])).out).toContain(own.out);
    },
  );

  test.each([
    [["reapir"], /no command "reapir"\. Did you mean "repair"\?/],
    [["docter"], /Did you mean "doctor"\?/],
    [["frobnicate"], /no command "frobnicate"/],
    [["patch", "--chek"], /Unknown option '--chek'/],
    [["doctor", "--verbose"], /Unknown option '--verbose'/],
    [
      ["patch", "--check", "@langchian/core"],
      /no patch for "@langchian\/core"\. Did you mean "@langchain\/core"\?/,
    ],
    [["patch", "--check", "--reverse"], /exclude each other/],
    [["help", "reapir"], /no command "reapir"\. Did you mean "repair"\?/],
    [["repair", "--schema", "x", "--level", "sfae"], /not "sfae"\. Did you mean "safe"\?/],
    [["repair", "--schema"], /'--schema <value>' argument missing/],
    [["repair", "--schema", "--json"], /'--schema' argument is ambiguous/],
    [["repair", "--json=yes", "--schema", "x"], /'--json' does not take an argument/],
    [["repair"], /--schema is missing: toolmend repair --schema FILE/],
    [["doctor", "x"], /Unexpected argument 'x'/],
  ])("%j is misuse, and the message says what was meant", async (args, says) => {
    const { code, out, err } = await cli(args);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(says);
  });
});

describe("repair", () => {
  test("as JSON has the input with its repairs, or why it was rejected", async () => {
    const repaired = await cli(["repair", "--schema", "schema.json", "--json"], '{"count": "5"}');
    expect(repaired).toMatchObject({ code: 0, err: "" });
    expect(JSON.parse(repaired.out)).toMatchObject({
      ok: true,
      toolInput: { count: 5 },
      repairs: [{ fixer: "read-number", path: "/count", before: "5", after: 5 }],
    });
    const refused = await cli(["repair", "--schema", "schema.json", "--json"], '{"count": "many"}');
    expect(refused).toMatchObject({ code: 2, err: "" });
    expect(JSON.parse(refused.out)).toMatchObject({ ok: false, error: { reason: "invalid" } });
  });

  test.each([
    [{ type: "objekt" }, /\/type is "objekt", which is none of string/],
    [{ properties: { n: { type: ["int"] } } }, /\/properties\/n\/type is "int"/],
    [{ anyOf: [{ items: { type: "float" } }] }, /\/anyOf\/0\/items\/type is "float"/],
    [{ properties: { n: 5 } }, /\/properties\/n must be an object/],
    [[], /it must be an object/],
  ])("a broken schema is blamed, not the input: %j", async (wrong, says) => {
    writeFileSync(join(project, "wrong.json"), JSON.stringify(wrong));
    const { code, out, err } = await cli(["repair", "--schema", "wrong.json"], "{}");
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(says);
  });
});

describe("repair --explain", () => {
  test("prints the schema's issues, the repairs, and the input that runs", async () => {
    const { code, out } = await cli(
      ["repair", "--explain", "--schema", "schema.json"],
      '{"count": "5"}',
    );
    expect(code).toBe(0);
    const steps = out.split("\n").map((line) => line.split(/ {2,}/));
    expect(steps.map(([step]) => step)).toEqual(["read", "schema", "edit", "result"]);
    expect(out).toMatch(/\/count: expected integer, received "5"/);
    expect(out).toMatch(/read-number \(safe\) at \/count: "5" → 5/);
  });

  test("names the level at which a rejected input would be repaired", async () => {
    const input = JSON.stringify({ 'count" type="integer': 5 });
    const { code, out } = await cli(["repair", "--explain", "--schema", "schema.json"], input);
    expect(code).toBe(2);
    expect(out).toMatch(/"eager" would repair it, by correct-key/);
    expect(out).toMatch(/refused, invalid/);
  });

  test("as JSON has the steps and the result", async () => {
    const { out } = await cli(
      ["repair", "--explain", "--schema", "schema.json", "--json"],
      '{"count": 5}',
    );
    expect(JSON.parse(out)).toMatchObject({
      steps: [
        { step: "read" },
        { step: "schema", says: "accepts it as it is" },
        { step: "result" },
      ],
      ok: true,
      toolInput: { count: 5 },
    });
  });
});

test("terminal control characters are printed as escapes", () => {
  const hostile = "\u001b[2J\u001b]0;pwn\u0007 \u202eabc\u2066\u200b\u{e0041} a\nb\tc é 你 👍";
  const shown = escapeUnshown(hostile, "\n\t");
  expect(shown).toBe(
    "\\u001b[2J\\u001b]0;pwn\\u0007 \\u202eabc\\u2066\\u200b\\udb40\\udc41 a\nb\tc é 你 👍",
  );
  expect(JSON.parse(escapeUnshown(JSON.stringify(hostile), "\n\t"))).toBe(hostile);
});

test("doctor and patch survive odd folders: a dangling link, a file for a scope, half a manifest", async () => {
  const odd = mkdtempSync(join(tmpdir(), "toolmend-odd-"));
  try {
    const modules = join(odd, "node_modules");
    mkdirSync(join(modules, "half"), { recursive: true });
    mkdirSync(join(modules, "folder", "package.json"), { recursive: true });
    mkdirSync(join(modules, "@langchain", "core"), { recursive: true });
    symlinkSync(join(odd, "nowhere"), join(modules, "dangling"));
    writeFileSync(join(modules, "@tmp"), "");
    writeFileSync(join(odd, "src"), "");
    writeFileSync(join(modules, "half", "package.json"), '{"name": "ha');
    writeFileSync(
      join(modules, "@langchain", "core", "package.json"),
      `\ufeff${JSON.stringify({ name: "@langchain/core", version: "1.2.13\u001b[31m" })}`,
    );
    writeFileSync(
      join(odd, "package.json"),
      `\ufeff${JSON.stringify({ type: "module", scripts: null })}`,
    );
    const { out } = await runCli(odd, ["doctor", "--json"]);
    expect(JSON.parse(out).packages).toHaveLength(1);
    const checked = await runCli(odd, ["patch", "--check"]);
    expect([checked.code, checked.err]).toEqual([1, expect.stringMatching(/^@langchain\/core 1/)]);
    writeFileSync(join(modules, "@langchain", "core", "package.json"), "[]");
    expect((await runCli(odd, ["doctor"])).err).toBe("");
  } finally {
    rmSync(odd, { recursive: true });
  }
});
