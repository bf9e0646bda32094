// Tests the package as it is published: lints the tarball, then installs it into a consumer of its
// own and compiles, type-checks and runs a file there as ESM and as CommonJS.
import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const bin = (name) => join(root, "node_modules", ".bin", name);
const run = (command, args, cwd = root) =>
  execFileSync(command, args, { cwd, stdio: ["ignore", "inherit", "inherit"] });
const step = (text) => console.log(`\n— ${text}`);

step("build");
run(bin("tsdown"), []);

step("publint");
run(bin("publint"), ["--strict"]);

const work = mkdtempSync(join(tmpdir(), "toolmend-package-"));
try {
  step("pack");
  run("npm", ["pack", "--pack-destination", work]);
  const tarball = readdirSync(work).find((name) => name.endsWith(".tgz"));
  if (tarball === undefined) throw new Error("npm pack made no tarball");

  step("are the types wrong?");
  run(bin("attw"), [join(work, tarball), "--profile", "node16"]);

  // Dependencies come from this checkout: what is under test is the tarball, not the registry.
  const modules = join(work, "node_modules");
  mkdirSync(modules);
  for (const name of readdirSync(join(root, "node_modules"))) {
    if (!name.startsWith(".")) symlinkSync(join(root, "node_modules", name), join(modules, name));
  }
  run("tar", ["-xzf", tarball, "--transform", "s,^package,node_modules/toolmend,"], work);

  for (const format of ["module", "commonjs"]) {
    step(`consumer: ${format}`);
    const consumer = join(work, format);
    cpSync(join(root, "__tests__", "package", "consumers"), consumer, { recursive: true });
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
          noEmitOnError: true,
        },
      }),
    );
    run(bin("tsc"), ["-p", "tsconfig.json", "--skipLibCheck"], consumer);
    for (const file of readdirSync(join(consumer, "out")))
      run("node", [join("out", file)], consumer);
  }
  console.log("\nThe package is sound: linted, typed, and run as ESM and as CommonJS.");
} finally {
  rmSync(work, { recursive: true, force: true });
}
