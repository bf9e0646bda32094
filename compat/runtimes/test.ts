// The package as published, in every JavaScript runtime: the same calls, and the same outcome.
import { deepStrictEqual } from "node:assert";
import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { findChromium, launchChromium } from "../../examples/click-agent/browser.ts";
import { bundle } from "./bundle.ts";
import { askServer, freePort } from "./serve.ts";
import { writeWorkerConfig } from "./workerd.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "..", "..");
const modules = join(here, "node_modules");
const bin = (name: string) => join(modules, ".bin", name);
const run = promisify(execFile);
process.env.NEXT_TELEMETRY_DISABLED = "1";

/** The permissions that LangChain and LangSmith need in Deno; toolmend alone needs none. */
const PERMISSIONS = ["--allow-env", "--allow-read", "--allow-sys"];

/** The result of smoke/core.mjs. */
const CORE = [{ selector: "#buy" }, { query: "shoes", limit: 5 }, "cut_off"];

const REGISTER = "smoke/print-register.mjs";
const WITH_REGISTER = { registered: "counts to 6", logged: "repaired" };

/**
 * The result of smoke/agents.mjs. Without AsyncLocalStorage, LangChain's callbacks receive no events.
 */
function expected({ events }: { readonly events: boolean }) {
  return {
    core: CORE,
    wrapped: { ran: ["#buy"], output: "clicked #buy", refused: "invalid" },
    agent: {
      ran: ["#buy"],
      repairs: ["renameKey(element → selector)"],
      events: events ? ["toolmend.repair", "toolmend.refusal"] : [],
      recorded: { selector: "#buy" },
      answers: [
        "success: clicked #buy",
        'error: The input of tool "click" was not accepted, and the tool was not run:',
      ],
      last: "Bought.",
    },
  };
}

/** Installs the tarball, as npm would. */
function installTarball(work: string): void {
  const npm = (...args: string[]) =>
    execFileSync("npm", args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  npm("pack", "--silent", "--pack-destination", work);
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const folder = join(modules, "toolmend");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const tarball = join(work, `toolmend-${version}.tgz`);
  execFileSync("tar", ["-xzf", tarball, "-C", folder, "--strip-components=1"]);
}

async function print(...command: readonly string[]): Promise<unknown> {
  const [program = "", ...args] = command;
  const { stdout } = await run(program, args, { cwd: here });
  return JSON.parse(stdout);
}

async function inWorker(name: string, work: string): Promise<unknown> {
  const port = await freePort();
  const config = writeWorkerConfig(await bundle(name, "worker", work), port);
  return askServer([bin("workerd"), "serve", config], `http://127.0.0.1:${port}/`);
}

async function inNext(): Promise<unknown> {
  const port = await freePort();
  await run(bin("next"), ["build", "next-app"], { cwd: here });
  const command = [bin("next"), "start", "next-app", "-H", "127.0.0.1", "-p", String(port)];
  return askServer(command, `http://127.0.0.1:${port}/api/repair`);
}

async function inBrowser(work: string): Promise<unknown> {
  const chromium = findChromium();
  if (chromium === undefined) throw new Error("No Chromium: apt-get install chromium");
  const script = await bundle("browser", "browser", work);
  const browser = await launchChromium(chromium);
  try {
    const page = await browser.newPage();
    await page.addScriptTag({ path: script });
    return await page.evaluate("smoke()");
  } finally {
    await browser.close();
  }
}

const whole = expected({ events: true });
const withoutEvents = expected({ events: false });
const work = mkdtempSync(join(modules, ".runtimes-"));
try {
  installTarball(work);
  const checks: readonly (readonly [string, () => Promise<unknown>, unknown])[] = [
    ["Node.js", () => print("node", "smoke/print.mjs"), whole],
    [
      "Deno, toolmend/core",
      () => print(bin("deno"), "run", "smoke/print-core.mjs"),
      { core: CORE },
    ],
    ["Deno", () => print(bin("deno"), "run", ...PERMISSIONS, "smoke/print.mjs"), whole],
    ["Bun", () => print(bin("bun"), "smoke/print.mjs"), whole],
    ["Node.js, register", () => print("node", REGISTER), WITH_REGISTER],
    ["Deno, register", () => print(bin("deno"), "run", "-A", REGISTER), WITH_REGISTER],
    ["Bun, register", () => print(bin("bun"), REGISTER), WITH_REGISTER],
    ["workerd, toolmend/core", () => inWorker("core-worker", work), { core: CORE }],
    ["workerd", () => inWorker("worker", work), withoutEvents],
    ["workerd, AsyncLocalStorage", () => inWorker("async-worker", work), whole],
    ["browser", () => inBrowser(work), withoutEvents],
    ["Next.js", inNext, whole],
  ];
  for (const [name, outcome, wanted] of checks) {
    const begun = Date.now();
    deepStrictEqual(await outcome(), wanted, `${name}: another outcome`);
    console.log(`ok  ${name} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
