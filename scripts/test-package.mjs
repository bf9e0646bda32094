// Tests the package as published: lints the tarball, then installs it into a separate consumer and
// compiles, type-checks and runs a file there as ESM and as CommonJS; `toolmend/core` also without
// LangChain, and as in a browser.
import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";

const root = fileURLToPath(new URL("..", import.meta.url));
const bin = (name) => join(root, "node_modules", ".bin", name);
const run = (command, args, cwd = root) =>
  execFileSync(command, args, { cwd, stdio: ["ignore", "inherit", "inherit"] });
const step = (text) => console.log(`\n— ${text}`);

/** The limits of the tarball, bytes and files, and of what an uncaught error prints, in characters. */
const MOST = { bytes: 935_000, files: 130, error: 5_000 };

/** The strictest settings that TypeScript has. */
const STRICTEST = {
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  skipLibCheck: false,
};

/** Checks the number of files in the tarball, and its size. */
function checkTarball(tarball) {
  const { size } = statSync(tarball);
  const listed = execFileSync("tar", ["-tzf", tarball], { encoding: "utf8" }).trim().split("\n");
  console.log(`${listed.length} files, ${size} bytes`);
  if (listed.length > MOST.files) throw new Error(`The tarball has more than ${MOST.files} files.`);
  if (size > MOST.bytes) throw new Error(`The tarball has more than ${MOST.bytes} bytes.`);
}

/**
 * Compiles the files of a folder, as ESM or as CommonJS. If declarations are checked too, those of
 * other packages are ignored: LangChain's have faults.
 */
function compile(consumer, format, flags = {}) {
  writeFileSync(join(consumer, "package.json"), JSON.stringify({ type: format }));
  writeFileSync(
    join(consumer, "tsconfig.json"),
    JSON.stringify({
      compilerOptions: {
        target: "es2022",
        module: "nodenext",
        strict: true,
        types: ["node"],
        outDir: "out",
        noEmitOnError: flags.skipLibCheck !== false,
        skipLibCheck: true,
        ...flags,
      },
    }),
  );
  const said = spawnSync(bin("tsc"), ["-p", "tsconfig.json", "--pretty", "false"], {
    cwd: consumer,
    encoding: "utf8",
  });
  const faults = said.stdout.split("\n").filter((line) => /\berror TS\d+/.test(line));
  const ours = faults.filter((line) => !/node_modules\/(?!toolmend\/)/.test(line));
  if (ours.length > 0) throw new Error(`${consumer} does not compile:\n${ours.join("\n")}`);
}

/** The toolmend files that a file loads, at once or later. */
function filesOf(file, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  const imported = /(?:\bfrom\s*|\bimport\s*\(?|\brequire\()\s*["'](\.[^"']+)["']/g;
  for (const [, path] of readFileSync(file, "utf8").matchAll(imported)) {
    filesOf(join(dirname(file), path), found);
  }
  return found;
}

/** Runs a script without Node globals and without eval, and waits until it reports that it ran. */
async function runInBrowser(script) {
  const said = await new Promise((resolve, reject) => {
    const console = { log: resolve, error: reject };
    const globals = { console, structuredClone, performance, AbortController, AbortSignal };
    const more = { setTimeout, clearTimeout, URL };
    const page = createContext(
      { ...globals, ...more },
      { codeGeneration: { strings: false, wasm: false } },
    );
    runInContext(script, page);
  });
  console.log(said);
}

step("build");
run(bin("tsdown"), []);

step("an error prints a short line");
const misuse = 'require("./dist/index.cjs").wrapTool("x")';
const { stderr } = spawnSync("node", ["-e", misuse], { cwd: root, encoding: "utf8" });
if (!/wrapTool\(tool, options\) needs a tool/.test(stderr)) throw new Error(stderr);
if (stderr.length > MOST.error) throw new Error(`A wrong use prints ${stderr.length} characters.`);

step("type-fest's types are built in, and nothing global is declared");
for (const file of readdirSync(join(root, "dist"), { recursive: true, encoding: "utf8" })) {
  if (!/\.d\.c?ts$/.test(file)) continue;
  const found = /^declare global|^import .*"type-fest.*/m.exec(
    readFileSync(join(root, "dist", file), "utf8"),
  );
  if (found !== null) throw new Error(`dist/${file} has ${found[0]}`);
}

step("publint");
run(bin("publint"), ["--strict"]);

const work = mkdtempSync(join(tmpdir(), "toolmend-package-"));
try {
  step("pack");
  run("npm", ["pack", "--pack-destination", work]);
  const tarball = readdirSync(work).find((name) => name.endsWith(".tgz"));
  if (tarball === undefined) throw new Error("npm pack made no tarball");

  checkTarball(join(work, tarball));

  step("are the types wrong?");
  run(bin("attw"), [join(work, tarball)]);

  // Dependencies come from this checkout: the tarball is under test, not the registry.
  const modules = join(work, "node_modules");
  mkdirSync(modules);
  for (const name of readdirSync(join(root, "node_modules"))) {
    if (!name.startsWith(".")) symlinkSync(join(root, "node_modules", name), join(modules, name));
  }
  run("tar", ["-xzf", tarball, "--transform", "s,^package,node_modules/toolmend,"], work);

  for (const format of ["module", "commonjs"]) {
    step(`consumer: ${format}`);
    const consumer = join(work, format);
    cpSync(join(root, "__tests__", "support", "package", "consumers"), consumer, {
      recursive: true,
    });
    compile(consumer, format);
    for (const file of readdirSync(join(consumer, "out")))
      run("node", [join("out", file)], consumer);
  }
  for (const format of ["module", "commonjs"]) {
    step(`strict consumer: ${format}`);
    const consumer = join(work, `strict-${format}`);
    cpSync(join(root, "__tests__", "support", "package", "strict-consumers"), consumer, {
      recursive: true,
    });
    compile(consumer, format, STRICTEST);
    run("node", [join("out", "strict.js")], consumer);
  }

  step("which files do the entries load?");
  for (const extension of ["js", "cjs"]) {
    const own = ["core", "evidence"];
    const entries = ["index", "messages", "middleware"];
    for (const entry of [...entries, "core/index", "core/mcp", "evidence/index", "fixers"]) {
      const files = filesOf(join(root, "dist", `${entry}.${extension}`));
      const foreign = [...files].filter((file) => /dist\/(?:register|cli)\.c?js$/.test(file));
      if (foreign.length > 0) throw new Error(`${entry}.${extension} loads ${foreign}`);
      const isOwn = (file) =>
        own.every((name) => file.includes(`/dist/${name}/`) === entry.startsWith(`${name}/`));
      if (![...files].every(isOwn)) throw new Error(`${entry}.${extension} loads files of another`);
      console.log(`${entry}.${extension}: ${files.size} files`);
    }
  }

  step("core, where LangChain is not installed");
  const bare = join(work, "bare");
  mkdirSync(join(bare, "node_modules"), { recursive: true });
  for (const name of ["@cfworker", "zod", "@types", "undici-types"]) {
    const installed = join(root, "node_modules", name);
    if (existsSync(installed)) symlinkSync(installed, join(bare, "node_modules", name));
  }
  // A copy: a link would resolve to the folder where LangChain is.
  cpSync(join(work, "node_modules", "toolmend"), join(bare, "node_modules", "toolmend"), {
    recursive: true,
  });
  for (const format of ["module", "commonjs"]) {
    const consumer = join(bare, format);
    cpSync(join(root, "__tests__", "support", "package", "core-consumers"), consumer, {
      recursive: true,
    });
    compile(consumer, format);
    for (const file of ["core.js", "logs.js", "mcp.js"]) run("node", [join("out", file)], consumer);
  }
  const schema = join(bare, "schema.json");
  writeFileSync(schema, JSON.stringify({ properties: { count: { type: "integer" } } }));
  const cli = join(bare, "node_modules", "toolmend", "dist", "cli.js");
  const repaired = execFileSync("node", [cli, "repair", "--schema", schema], {
    input: '{"count":"5"}',
    encoding: "utf8",
  });
  if (JSON.parse(repaired).count !== 5) throw new Error(`toolmend repair printed ${repaired}`);

  step("core, in a browser");
  const source = join(bare, "module", "core.ts");
  const bundle = join(bare, "bundle.js");
  const options = ["--bundle", "--minify", "--format=iife", "--platform=browser"];
  run(bin("esbuild"), [source, ...options, `--outfile=${bundle}`]);
  await runInBrowser(readFileSync(bundle, "utf8"));

  console.log("\nThe package is sound: linted, typed, and run as ESM and as CommonJS.");
} finally {
  rmSync(work, { recursive: true, force: true });
}
