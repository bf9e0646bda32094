import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import ts from "typescript";
import { complexityOf, measureThought } from "../../../scripts/budgets/thought.ts";

const root = process.cwd();
const CEILINGS = "scripts/budgets/ceilings.json";

let checkout: string;

function write(file: string, text: string): void {
  mkdirSync(dirname(join(checkout, file)), { recursive: true });
  writeFileSync(join(checkout, file), text);
}

function budgets(...flags: readonly string[]) {
  const script = [join(root, "scripts/run-ts.mjs"), join(root, "scripts/budgets/main.ts")];
  const options = { cwd: checkout, encoding: "utf8" } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [...script, ...flags], options);
  return { status, stdout, stderr };
}

const ceilings = () => JSON.parse(readFileSync(join(checkout, CEILINGS), "utf8"));
const lines = (count: number) => "// a line\n".repeat(count);

describe("the budgets", () => {
  beforeEach(() => {
    checkout = mkdtempSync(join(tmpdir(), "toolmend-budgets-"));
    write("src/index.ts", 'export * from "./core.ts";\nexport const wrap = 1;\n');
    write("src/core.ts", 'export { repair as mend, type Level } from "./repair/repair.ts";\n');
    write("src/middleware.ts", "export {};\n");
    write("src/repair/repair.ts", "export const repair = 1;\nexport type Level = 1;\n");
    write("docs/one.md", "# One\n");
    write("docs/reference/left-out.md", "word ".repeat(20_000));
    write("README.md", lines(140));
    write(CEILINGS, "{}");
    budgets("--write");
  });

  afterEach(() => rmSync(checkout, { recursive: true, force: true }));

  test("are kept if nothing changed; a measure within its budget has the budget as its ceiling", () => {
    expect(budgets()).toMatchObject({ status: 0, stderr: "" });
    expect(ceilings()).toMatchObject({ README: 140, docs: 14 });
  });

  test("count the names of each entry, re-exports included", () => {
    expect(ceilings()).toMatchObject({
      "names of toolmend": 3,
      "names of toolmend/core": 2,
      "names of toolmend/middleware": 0,
    });
  });

  test("fail if a measure grows over its ceiling, and --write does not raise it", () => {
    write("README.md", lines(141));
    const grown = { status: 1, stderr: "README: 141 lines, over its ceiling of 140.\n" };
    expect(budgets()).toMatchObject(grown);
    expect(budgets("--write")).toMatchObject(grown);
    expect(ceilings()).toMatchObject({ README: 140 });
  });

  test("let a measure within its budget grow to its budget, and no further", () => {
    for (let page = 2; page <= 14; page++) write(`docs/page-${page}.md`, "# Page\n");
    expect(budgets()).toMatchObject({ status: 0 });
    write("docs/page-15.md", "# Page\n");
    expect(budgets()).toMatchObject({ status: 1, stderr: expect.stringContaining("docs: 15") });
  });

  test("fail if a measure got smaller, until its ceiling is lowered", () => {
    write("README.md", lines(135));
    const smaller = budgets();
    expect(smaller.status).toBe(1);
    expect(smaller.stdout).toContain("lower its ceiling from 140 to 135");
    expect(smaller.stderr).toContain("npm run budgets -- --write");
    expect(budgets("--write")).toMatchObject({ status: 0 });
    expect(ceilings()).toMatchObject({ README: 135 });
    expect(budgets()).toMatchObject({ status: 0 });
  });

  test("fail for an additional export, even if all entries together are within their budget", () => {
    write("src/middleware.ts", "export const\nmiddleware =\n1;\n");
    const { status, stderr } = budgets();
    expect([status, stderr]).toEqual([
      1,
      "names of toolmend/middleware: 1 names, over its ceiling of 0.\n",
    ]);
  });

  test("fail for a second list of words, and name the files that have words", () => {
    const words = "one two three four five six seven eight nine ten eleven twelve";
    write("src/repair/list.ts", `export const WORDS = "${words}";\n`);
    const pattern = "/\\b(?:red|blue|green|black|white|pink|grey|brown)\\b/";
    write("src/repair/pattern.ts", `export const COLOURS = ${pattern};\n`);
    const { status, stdout, stderr } = budgets("--verbose");
    expect(status).toBe(1);
    expect(stderr).toContain("files with words in lists: 2 files, over its ceiling of 1.");
    expect(stdout).toContain("12 words in src/repair/list.ts");
    expect(stdout).toContain("8 words in src/repair/pattern.ts");
  });
});

describe("the budgets of thought", () => {
  const complexity = (body: string) => {
    const source = ts.createSourceFile("it.ts", body, ts.ScriptTarget.Latest, true);
    const [declaration] = source.statements;
    if (declaration === undefined || !ts.isFunctionDeclaration(declaration)) throw new Error(body);
    return complexityOf(declaration);
  };

  test.each([
    ["return 1;", 0],
    ["if (a) b();", 1],
    ["if (a) b(); else c();", 2],
    ["if (a) b(); else if (c) d(); else e();", 3],
    ["if (a) if (b) c();", 3],
    ["for (const each of all) if (each) b();", 3],
    ["return a && b && c;", 1],
    ["return a && b || c;", 2],
    ["all.map((each) => (each ? 1 : 2));", 2],
    ["try { a(); } catch { if (b) c(); }", 3],
  ])("count the complexity of %s as %i", (body, expected) => {
    expect(complexity(`function it() { ${body} }`)).toBe(expected);
  });

  test("count names, types, regexes, operators and tokens", () => {
    const figures = measureThought(
      new Map([
        ["a.ts", "// A comment.\n/**\n * Another.\n */\ntype Part = 1;\n\nconst one = a || b;\n"],
        ["b.ts", `interface Part {}\nconst WORD = /${"x".repeat(59)}/;\n`],
      ]),
    );
    expect(figures).toMatchObject({
      tokens: 11,
      tokensPerLine: 11 / 4,
      logicPer100Lines: 25,
      vagueNames: ["a.ts:7 one"],
      typesDeclaredTwice: ["a.ts:5, b.ts:1 Part"],
      regexes: 1,
      longRegexes: ["b.ts:2"],
    });
  });

  test("name a function of more than 60 lines", () => {
    const source = (lines: number) => `function run() {\n${"a();\n".repeat(lines - 2)}}\n`;
    const namesOf = (lines: number) =>
      measureThought(new Map([["a.ts", source(lines)]])).longFunctions;
    expect([namesOf(60), namesOf(61)]).toEqual([[], ["a.ts:1 run: 61 lines"]]);
  });
});
