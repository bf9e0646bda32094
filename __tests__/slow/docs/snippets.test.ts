import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { readPrograms } from "../../support/docs/programs.ts";
import { docstringProgram } from "../../support/docstring-program.ts";

// All code of README, docs/ and the public docstrings compiles and runs unchanged;
// compat/installers/newcomer.ts runs the code of the pages with the installed tarball.

const root = join(__dirname, "..", "..", "..");

const programs = [...readPrograms(root), docstringProgram()];

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

test("all programs compile", () => {
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

test.each(programs.filter(({ isRunnable }) => isRunnable))(
  "$title runs, and prints the documented output",
  ({ title, says }) => {
    const file = join(folder, `${title}.ts`);
    const printed = execFileSync("node", [join(root, "scripts", "run-ts.mjs"), file], {
      cwd: folder,
      encoding: "utf8",
      timeout: 60_000,
    });
    if (says.length > 0) expect(printed.trimEnd().split("\n")).toEqual(says);
  },
  90_000,
);
