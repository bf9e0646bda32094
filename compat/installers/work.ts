import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
/** The repository. */
export const root: string = join(here, "..", "..");
const TIMEOUT = 240_000;

/** The working folder: projects, stores, caches. */
export const work: string = realpathSync(mkdtempSync(join(tmpdir(), "toolmend-installers-")));
process.on("exit", () => rmSync(work, { recursive: true, force: true }));

const PROGRAMS = {
  npm: ["npm"],
  pnpm: ["node", join(here, "node_modules/pnpm/bin/pnpm.cjs")],
  yarn: ["node", join(here, "node_modules/@yarnpkg/cli-dist/bin/yarn.js")],
} as const;

const env = {
  ...process.env,
  // In CI, installers forbid lockfile changes and linked stores.
  CI: "",
  npm_config_store_dir: join(work, "pnpm-store"),
  npm_config_cache: join(work, "npm-cache"),
  YARN_GLOBAL_FOLDER: join(work, "yarn"),
  YARN_ENABLE_TELEMETRY: "0",
  YARN_ENABLE_IMMUTABLE_INSTALLS: "false",
};

interface Ran {
  readonly code: number;
  readonly out: string;
}

/** Runs one of the installers. */
export async function run(
  program: keyof typeof PROGRAMS,
  cwd: string,
  args: readonly string[],
): Promise<Ran> {
  const [command, ...first] = PROGRAMS[program];
  return spawn(command, [...first, ...args], cwd);
}

/** Runs a shell command with the installers on its path; it must succeed. */
export async function shell(cwd: string, line: string): Promise<void> {
  const bin = join(work, "bin");
  mkdirSync(bin, { recursive: true });
  for (const program of ["pnpm", "yarn"] as const) {
    const [command, script] = PROGRAMS[program];
    writeFileSync(join(bin, program), `#!/bin/sh\nexec ${command} ${script} "$@"\n`, {
      mode: 0o755,
    });
  }
  const { code, out } = await spawn("bash", ["-euc", `PATH=${bin}:$PATH; ${line}`], cwd);
  assert.equal(code, 0, `${line} in ${cwd}:\n${out}`);
}

/** Runs an installer, which must succeed. */
export async function install(
  program: keyof typeof PROGRAMS,
  cwd: string,
  ...args: readonly string[]
): Promise<void> {
  const { code, out } = await run(program, cwd, ["install", ...args]);
  assert.equal(code, 0, `${program} install ${args.join(" ")} in ${cwd}:\n${out}`);
}

/** Runs a file with Node.js. */
export async function node(cwd: string, ...args: readonly string[]): Promise<Ran> {
  return spawn(process.execPath, args, cwd);
}

/** Runs the project's own toolmend. */
export async function toolmend(cwd: string, ...args: readonly string[]): Promise<Ran> {
  return spawn(join(cwd, "node_modules/.bin/toolmend"), args, cwd);
}

/** Makes a folder with these files; objects become JSON. */
export function makeFolder(name: string, files: Readonly<Record<string, string | object>>): string {
  const folder = join(work, name);
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content, null, 2));
  }
  return folder;
}

/** Packs toolmend as published. */
export function packToolmend(): void {
  execFileSync("npm", ["pack", "--pack-destination", work], { cwd: root, stdio: "ignore" });
}

/** A package.json that depends on toolmend, zod, and these. */
export function manifest(
  dependencies: Readonly<Record<string, string>>,
  more: object = {},
): object {
  const tarball = readdirSync(work).find((name) => name.endsWith(".tgz"));
  return {
    name: "project",
    version: "1.0.0",
    private: true,
    type: "module",
    dependencies: { zod: "4.6.7", ...dependencies, toolmend: `file:${join(work, `${tarball}`)}` },
    ...more,
  };
}

/**
 * A module that reports whether core is patched: then `instanceof` works between its two builds.
 */
export const PROBE: string = `
import { createRequire } from "node:module";
import { ToolInputParsingException } from "@langchain/core/tools";
const other = createRequire(import.meta.url)("@langchain/core/tools");
console.log(new other.ToolInputParsingException("x") instanceof ToolInputParsingException ? "patched" : "as published");
`;

/** The output of the probe in a project. */
export async function probe(cwd: string): Promise<string> {
  return (await node(cwd, "probe.mjs")).out.trim();
}

/** The codes of doctor's findings. */
export async function diagnose(cwd: string, program?: "yarn"): Promise<readonly string[]> {
  const args = ["doctor", "--json"];
  const { out } = await (program
    ? run(program, cwd, ["toolmend", ...args])
    : toolmend(cwd, ...args));
  return JSON.parse(out).findings.map(({ code }: { code: string }) => code);
}

function spawn(command: string, args: readonly string[], cwd: string): Promise<Ran> {
  const options = { cwd, env, timeout: TIMEOUT, maxBuffer: 1e8 };
  return new Promise((resolve) => {
    execFile(command, args, options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) || 1 : 0, out: `${stdout}${stderr}` });
    });
  });
}
