import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";

// All code of README and docs/ compiles and runs as it stands. The blocks of a page are one program, in
// their order; a hidden set-up, an HTML comment that begins with "set-up", begins another. A line that
// prints says in a comment what it prints.

const root = join(__dirname, "..", "..");

/** Pages whose code a test of their own runs, or whose packages are installed in integration/ alone. */
const OWN_TEST = ["handle-tool-errors.md", "deepagents.md"];

interface Program {
  readonly title: string;
  readonly code: string;
}

const programs: readonly Program[] = [
  ["README", join(root, "README.md")] as const,
  ...readdirSync(join(root, "docs"))
    .filter((file) => file.endsWith(".md") && !OWN_TEST.includes(file))
    .map((file) => [file.replace(".md", ""), join(root, "docs", file)] as const),
].flatMap(([title, file]) => programsOf(title, readFileSync(file, "utf8")));

function programsOf(title: string, page: string): readonly Program[] {
  const blocks = page.matchAll(/<!-- set-up\n([\s\S]*?)-->|```ts\n([\s\S]*?)```/g);
  const codes: string[] = [];
  for (const [, setUp, shown = ""] of blocks) {
    if (setUp !== undefined || codes.length === 0) codes.push(setUp ?? shown);
    else codes[codes.length - 1] += `\n${shown}`;
  }
  return codes.map((code, index) => ({
    title: `${title}-${index + 1}`,
    code: `${code}\nexport {};\n`,
  }));
}

let folder = "";
beforeAll(() => {
  mkdirSync(join(root, "node_modules", ".cache"), { recursive: true });
  folder = mkdtempSync(join(root, "node_modules", ".cache", "snippets-"));
  for (const { title, code } of programs) writeFileSync(join(folder, `${title}.ts`), code);
});
afterAll(() => rmSync(folder, { recursive: true }));

test("the pages have programs", () => {
  expect(programs.length).toBeGreaterThan(10);
});

test("all of them compile", () => {
  const config = {
    extends: join(root, "tsconfig.check.json"),
    compilerOptions: {
      isolatedDeclarations: false,
      paths: { toolmend: [join(root, "src/index.ts")], "toolmend/*": [join(root, "src/*.ts")] },
    },
    include: [folder],
    exclude: [],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  let said = "";
  try {
    execFileSync("node", [tsc, "-p", folder], { encoding: "utf8" });
  } catch (error) {
    said = (error as { stdout: string }).stdout.replaceAll(folder, "");
  }
  expect(said).toBe("");
}, 300_000);

test.each(programs)(
  "$title runs, and prints what it says",
  ({ title, code }) => {
    const file = join(folder, `${title}.ts`);
    const printed = execFileSync("node", [join(root, "scripts", "run-ts.mjs"), file], {
      encoding: "utf8",
      timeout: 60_000,
    });
    const said = [...code.matchAll(/^ *(?:if .*)?console\.log\(.*\); \/\/ (.*)$/gm)].map(
      ([, text]) => text,
    );
    if (said.length > 0) expect(printed.trimEnd().split("\n")).toEqual(said);
  },
  90_000,
);
