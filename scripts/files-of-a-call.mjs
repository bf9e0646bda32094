// Counts the files of src/ that a repaired call of an agent runs through: node scripts/files-of-a-call.mjs [--list]
// The sources run file by file; V8's coverage shows the functions that ran in the second of two identical runs.
import { Session } from "node:inspector/promises";
import { register } from "node:module";

// A custom loader: a bundle would not show the files separately.
const loader = `
  import { readFile } from "node:fs/promises";
  import { createRequire } from "node:module";
  const { transform } = createRequire(${JSON.stringify(import.meta.url)})("esbuild");
  export async function load(url, context, next) {
    if (!url.endsWith(".ts")) return next(url, context);
    const { code } = await transform(await readFile(new URL(url), "utf8"), { loader: "ts" });
    return { format: "module", source: code, shortCircuit: true };
  }`;
register(`data:text/javascript,${encodeURIComponent(loader)}`);

/** The limit of their number. */
const MOST = 35;

const { AIMessage } = await import("@langchain/core/messages");
const { fakeModel } = await import("@langchain/core/testing");
const { createAgent, tool } = await import("langchain");
const { z } = await import("zod");
const { toolInputMiddleware } = await import("../src/middleware.ts");

const ran = [];
const count = tool(({ n }) => `${ran.push(n)}`, {
  name: "count",
  description: "Counts.",
  schema: z.object({ n: z.number() }),
});

async function run() {
  const model = fakeModel()
    .respondWithTools([{ name: "count", args: { n: "5" }, id: "call_1" }])
    .respond(new AIMessage("Done."));
  const agent = createAgent({ model, tools: [count], middleware: [toolInputMiddleware()] });
  await agent.invoke({ messages: [{ role: "user", content: "Count." }] });
}

await run();
const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
await run();
const { result } = await session.post("Profiler.takePreciseCoverage");
if (ran.join() !== "5,5") throw new Error(`The tool ran with ${ran}.`);

const source = new URL("../src/", import.meta.url).href;
const files = result
  .filter(({ url }) => url.startsWith(source))
  .map(({ url, functions }) => ({
    file: url.slice(source.length),
    names: functions.filter(({ ranges }) => ranges[0].count > 0).map((one) => one.functionName),
  }))
  .filter(({ names }) => names.length > 0);
const functions = files.reduce((sum, { names }) => sum + names.length, 0);
console.log(`A repaired call runs through ${files.length} files and ${functions} functions.`);
if (process.argv.includes("--list")) {
  for (const { file, names } of files) console.log(`${file}: ${names.join(" ")}`);
}
if (files.length > MOST) {
  console.error(`The limit is ${MOST}.`);
  process.exitCode = 1;
}
