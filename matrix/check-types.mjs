import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./prepare.mjs";

const OPTIONS = {
  target: "es2022",
  module: "nodenext",
  strict: true,
  noImplicitOverride: true,
  noEmit: true,
  types: [],
  skipLibCheck: true,
};

/** Compiles what issues #2710 and #2711 ask of the types against patched packages, in both formats. */
export function checkTypes({ names }, folder) {
  const source = readFileSync(join(root, "matrix", "types", "consumer.txt"), "utf8")
    .replaceAll("LANGCHAIN_TOOLS", names.tools)
    .replaceAll("LANGCHAIN_PARSERS", names.parsers)
    .replaceAll("LANGCHAIN_AGENTS", names.agents)
    .replaceAll(
      "LANGCHAIN_SCHEMA",
      names.tools === "langchain/tools" ? "langchain/schema" : "@langchain/core/agents",
    );
  return ["module", "commonjs"].map((type) => {
    const project = join(folder, `types-${type}`);
    mkdirSync(project, { recursive: true });
    writeFileSync(join(project, "package.json"), JSON.stringify({ type }));
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions: OPTIONS }));
    writeFileSync(join(project, "consumer.ts"), source);
    const tsc = join(root, "node_modules", ".bin", "tsc");
    const { status, stdout } = spawnSync(tsc, ["-p", project], { encoding: "utf8" });
    return { area: "types", name: type, ok: status === 0, error: stdout };
  });
}
