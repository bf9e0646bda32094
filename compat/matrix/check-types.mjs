import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { cache, root } from "./prepare.mjs";

const OPTIONS = {
  target: "es2022",
  module: "nodenext",
  strict: true,
  noImplicitOverride: true,
  noEmit: true,
  types: [],
  skipLibCheck: true,
};

/**
 * Compiles the types that issues #2710 and #2711 ask for against patched packages, in both formats: all at once,
 * as most of the time goes into their common part.
 *
 * @param patched The installs, and their patched copies.
 * @returns The results, by install.
 */
export function checkTypes(patched) {
  const projects = patched.flatMap(({ install, copy }) =>
    ["module", "commonjs"].map((type) => {
      const project = join(copy, `types-${type}`);
      mkdirSync(project, { recursive: true });
      writeFileSync(join(project, "package.json"), JSON.stringify({ type }));
      writeFileSync(join(project, "consumer.ts"), sourceFor(install));
      return { install, type, file: join(project, "consumer.ts") };
    }),
  );
  const config = join(cache, "types.json");
  const files = projects.map(({ file }) => file);
  writeFileSync(config, JSON.stringify({ compilerOptions: OPTIONS, files }));
  const tsc = join(root, "node_modules", ".bin", "tsc");
  const { status, stdout } = spawnSync(tsc, ["-p", config], { cwd: cache, encoding: "utf8" });
  const errors = stdout.split(/\n(?=\S)/).filter((text) => text.includes("error TS"));
  const isOf = (file) => (text) => resolve(cache, text.split("(")[0]) === file;
  const others = errors.filter((text) => !files.some((file) => isOf(file)(text)));
  if (status !== 0 && errors.length === 0) others.push(stdout);
  const results = new Map(patched.map(({ install }) => [install, []]));
  for (const { install, type, file } of projects) {
    const own = [...errors.filter(isOf(file)), ...others];
    const result = { area: "types", name: type, ok: own.length === 0, error: own.join("\n") };
    results.get(install).push(result);
  }
  return results;
}

function sourceFor({ names }) {
  return readFileSync(join(root, "compat", "matrix", "types", "consumer.txt"), "utf8")
    .replaceAll("LANGCHAIN_TOOLS", names.tools)
    .replaceAll("LANGCHAIN_PARSERS", names.parsers)
    .replaceAll("LANGCHAIN_AGENTS", names.agents)
    .replaceAll(
      "LANGCHAIN_SCHEMA",
      names.tools === "langchain/tools" ? "langchain/schema" : "@langchain/core/agents",
    );
}
