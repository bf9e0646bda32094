// Installs the packed toolmend into a fresh project and runs the unchanged code of README and docs/: with
// npm, pnpm and yarn; as TypeScript, as .mjs and as .cjs. `npm run test:newcomer`.
import assert from "node:assert/strict";
import { copyFileSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { transformSync } from "esbuild";
import { type Program, readPages, readPrograms } from "../../__tests__/support/docs/programs.ts";
import { install, makeFolder, manifest, node, packToolmend } from "./work.ts";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "..", "..");
const INSTALLERS = ["npm", "pnpm", "yarn"] as const;

/** Code that newcomers paste without TypeScript: it must not have types. */
const PLAIN = ["README-1"];

const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const programs = readPrograms(root).filter(({ isRunnable }) => isRunnable);

/**
 * The packages that the pages say to install, as far as this repository has them: no code here
 * imports the others.
 */
const named = readPages(root)
  .flatMap(({ text }) =>
    [...text.matchAll(/^npm install ([^-].*)$/gm)].flatMap(([, names = ""]) => names.split(" ")),
  )
  .filter((name) => name in devDependencies);

/** The packages that are named or imported, in this repository's versions, and the compiler's. */
const packages = Object.fromEntries(
  [...new Set([...named, ...programs.flatMap(packagesOf), "typescript", "@types/node"])].map(
    (name) => {
      const version = devDependencies[name];
      assert.ok(version, `${name} is used in docs/ and is no devDependency: add it`);
      return [name, version];
    },
  ),
);

function packagesOf({ code }: Program): readonly string[] {
  return [...code.matchAll(/from "((?:@[^/"]+\/)?[^./"][^/"]*)/g)]
    .map(([, name = ""]) => name)
    .filter((name) => name !== "toolmend" && !name.startsWith("node:"));
}

/** The code as JavaScript: unchanged if it has no types. */
function toModule({ title, code }: Program): string {
  try {
    transformSync(code, { loader: "js", format: "esm" });
    return code;
  } catch (error) {
    assert.ok(!PLAIN.includes(title), `${title} is no JavaScript: ${error}`);
    return transformSync(code, { loader: "ts", format: "esm", target: "es2022" }).code;
  }
}

/** The usual changes to an example for CommonJS: `require`, no `export`, a function around `await`. */
function toCommonJs(program: Program): string {
  const imports: string[] = [];
  const body = toModule(program)
    .replace(/^import (?:([^"]*?) from )?"([^"]+)";$/gm, (_, names: string | undefined, from) => {
      const taken = names?.replace(/\* as /, "").replace(/(\w+) as (\w+)/g, "$1: $2");
      imports.push(`${taken === undefined ? "" : `const ${taken} = `}require("${from}");`);
      return "";
    })
    .replace(/^export (?:\{[^}]*\};$|(?=const |function ))/gm, "");
  return `${imports.join("\n")}\nmodule.exports = (async () => {\n${body}\n})();\n`;
}

/** The file that a program is run from. */
const FILES = {
  ts: (title: string) => `out/${title}.js`,
  mjs: (title: string) => `mjs/${title}.mjs`,
  cjs: (title: string) => `cjs/${title}.cjs`,
};

const TSCONFIG = {
  compilerOptions: {
    target: "es2022",
    module: "nodenext",
    strict: true,
    skipLibCheck: true,
    types: ["node"],
    rootDir: "ts",
    outDir: "out",
  },
  include: ["ts"],
};

/** The faults found in a fresh project of one installer. */
async function faultsWith(installer: (typeof INSTALLERS)[number]): Promise<readonly string[]> {
  const sources = programs.flatMap((program) => [
    [`ts/${program.title}.ts`, program.code] as const,
    [FILES.mjs(program.title), toModule(program)] as const,
    [FILES.cjs(program.title), toCommonJs(program)] as const,
  ]);
  const cwd = makeFolder(`newcomer-${installer}`, {
    ...Object.fromEntries(sources),
    "package.json": manifest(packages),
    "tsconfig.json": TSCONFIG,
    ...(installer === "yarn" && { ".yarnrc.yml": "nodeLinker: node-modules\n", "yarn.lock": "" }),
  });
  copyFileSync(join(here, "run-programs.mjs"), join(cwd, "run-programs.mjs"));
  const started = Date.now();
  await install(installer, cwd);
  console.log(`${installer}: installed in ${Math.round((Date.now() - started) / 1000)} s`);
  const compiled = await node(cwd, "node_modules/typescript/bin/tsc", "-p", ".");
  const faults = compiled.code === 0 ? [] : [`tsc: ${compiled.out}`];
  for (const kind of ["ts", "mjs", "cjs"] as const) faults.push(...(await run(cwd, kind)));
  return faults.map((fault) => `${installer}: ${fault}`);
}

async function run(cwd: string, kind: keyof typeof FILES): Promise<readonly string[]> {
  const fileOf = (program: Program) => join(cwd, FILES[kind](program.title));
  const { code, out } = await node(cwd, "run-programs.mjs", ...programs.map(fileOf));
  const last = out
    .trim()
    .split("\n")
    .findLast((line) => line.startsWith("{"));
  if (code !== 0 || last === undefined) return [`${kind}: ${out}`];
  const ran: Record<string, { lines: readonly string[]; error?: string }> = JSON.parse(last);
  return programs.flatMap((program) => {
    const { lines = [], error = undefined } = ran[fileOf(program)] ?? { error: "it did not run" };
    const isAsSaid = program.says.length === 0 || lines.join("\n") === program.says.join("\n");
    if (error === undefined && isAsSaid) return [];
    return [`${kind}, ${program.title}: ${error ?? `printed\n${lines.join("\n")}`}`];
  });
}

const started = Date.now();
packToolmend();
const faults = (await Promise.all(INSTALLERS.map(faultsWith))).flat();
const seconds = Math.round((Date.now() - started) / 1000);
console.log(`${programs.length} programs × 3 kinds × 3 installers in ${seconds} s`);
if (faults.length > 0) {
  console.error(faults.join("\n\n"));
  process.exitCode = 1;
}
