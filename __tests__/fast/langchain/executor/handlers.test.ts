// handleParsingErrors, in LangChain's executor and in each one of ours: what is thrown ends the run.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { AgentExecutor } from "@langchain/classic/agents";
import { AIMessage } from "@langchain/core/messages";
import { parsePatch, readPatch, turnPatch } from "#src/cli/patch.ts";
import { patches, root } from "../../../support/cli/run-cli.ts";
import { run, type SetUp, setUp } from "../../../support/langchain/executor/set-up.ts";
import { calling } from "../../../support/langchain/middleware/calling-model.ts";
import { makeProject } from "../../../support/langchain/register/make-project.ts";

// Importing it has a side effect, which is undone until a test needs it.
const { register, unregister } = require("#src/register.ts") as typeof import("#src/register.ts");
unregister();

const CLASSIC = "@langchain/classic";

/** A project with the installed packages and a patched copy of LangChain's executor. */
let project = "";
let PatchedExecutor = AgentExecutor;
beforeAll(() => {
  project = makeProject({ "package.json": { name: "patched" } });
  const installed = join(root, "node_modules");
  const modules = join(project, "node_modules");
  mkdirSync(join(modules, "@langchain"), { recursive: true });
  const scoped = readdirSync(join(installed, "@langchain")).map((name) => `@langchain/${name}`);
  const linked = [...readdirSync(installed), ...scoped].filter(
    (name) => name !== "@langchain" && name !== CLASSIC,
  );
  for (const name of linked) symlinkSync(join(installed, name), join(modules, name));
  const copy = join(modules, CLASSIC);
  cpSync(join(installed, CLASSIC), copy, {
    recursive: true,
    filter: (path) => !path.endsWith(".map"),
  });
  const { version } = JSON.parse(readFileSync(join(copy, "package.json"), "utf8"));
  turnPatch(parsePatch(readPatch({ name: CLASSIC, version }, patches)), copy, "applied");
  const load = createRequire(join(project, "index.js"));
  PatchedExecutor = load(`${CLASSIC}/agents`).AgentExecutor;
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

const stop = () => {
  throw new RangeError("stop here");
};

/** What the model observes of an input that nothing repairs; or the error that ends the run. */
interface Handled {
  readonly handler?: unknown;
  readonly observation?: string;
  readonly thrown?: string;
}

const REFUSED = "Received tool input did not match expected schema";

const HANDLERS: Readonly<Record<string, Handled>> = {
  absent: { thrown: REFUSED },
  true: { handler: true, observation: "Invalid or incomplete tool input. Please try again." },
  "a string": { handler: "look first", observation: "look first" },
  "a function": { handler: () => "look first", observation: "look first" },
  "a function that throws": { handler: stop, thrown: "stop here" },
};

/** LangChain's bare executor does not await a handler. */
const ASYNC_HANDLERS: Readonly<Record<string, Handled>> = {
  "an async function": { handler: async () => "look first", observation: "look first" },
  "an async function that throws": { handler: async () => stop(), thrown: "stop here" },
};

const EXECUTORS = ["bare", "wrapped", "registered", "patched", "patched and wrapped"] as const;

/** Runs an executor whose model writes an input that nothing repairs, and then is done. */
async function runWith(
  which: (typeof EXECUTORS)[number],
  way: "invoke" | "stream",
  handler: unknown,
) {
  const given: SetUp = {
    outputs: [
      calling({ id: "call_a", name: "click", args: { nothing: 5 } }),
      new AIMessage("done"),
    ],
    Executor: which.startsWith("patched") ? PatchedExecutor : AgentExecutor,
    options: { compat: true },
    ...(handler !== undefined && { handleParsingErrors: handler as never }),
  };
  const { executor, wrapped, model, ran } = await setUp(given);
  const undo = which === "registered" ? register() : () => {};
  const running = run(way, which.endsWith("wrapped") ? wrapped : executor);
  const outcome = await running.then(
    ({ steps }) => ({ observations: steps.map(({ observation }) => observation) }),
    (error: Error) => ({ error }),
  );
  undo();
  return { outcome, ran, requests: model.prompts.length };
}

test("the patched executor is the patched one", () => {
  expect(PatchedExecutor).not.toBe(AgentExecutor);
  expect(PatchedExecutor.prototype).toHaveProperty("_runTool");
});

describe.each(["invoke", "stream"] as const)("by %s", (way) => {
  describe.each(EXECUTORS)("an executor, %s", (which) => {
    const rows = { ...HANDLERS, ...(which !== "bare" && ASYNC_HANDLERS) };
    test.each(Object.entries(rows))(
      "does with an unfit input as handleParsingErrors says: %s",
      async (_, { handler, observation, thrown }) => {
        const { outcome, ran, requests } = await runWith(which, way, handler);
        expect(outcome).toEqual(
          thrown === undefined
            ? { observations: [observation] }
            : { error: expect.objectContaining({ message: expect.stringContaining(thrown) }) },
        );
        expect(requests).toBe(thrown === undefined ? 2 : 1);
        expect(ran).toEqual([]);
      },
    );
  });
});
