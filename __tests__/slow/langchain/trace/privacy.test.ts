import { afterEach, describe, expect, test } from "@jest/globals";
import { RunnableLambda } from "@langchain/core/runnables";
import { tool } from "@langchain/core/tools";
import { createFixerRegistry, renameKey, wrapTool } from "toolmend";
import "@langchain/langgraph"; // which makes configs reach nested runs
import { z } from "zod";
import { type LangSmithLoopback, startLangSmith } from "../../../support/langsmith-loopback.ts";

const SECRET = "hunter2-of-the-test";
const KEY = "key-of-the-model";

const fixers = createFixerRegistry();
fixers.register("click", renameKey("element", "selector"));
const click = wrapTool(
  tool(async () => "clicked", {
    name: "click",
    description: "",
    schema: z.strictObject({ selector: z.string() }),
  }),
  fixers,
);

let langsmith: LangSmithLoopback;
afterEach(() => langsmith.close());

async function trace(input: unknown): Promise<string> {
  langsmith = await startLangSmith({ hideInputs: true, hideOutputs: true });
  await RunnableLambda.from(() => click.invoke(input as never))
    .invoke("go", { callbacks: [langsmith.tracer] })
    .catch(() => {});
  return langsmith.sent();
}

describe("where LangSmith is told to hide inputs and outputs, it is sent nothing that the model wrote", () => {
  test("of a repaired input", async () => {
    const sent = await trace({ element: SECRET });
    expect(sent).toContain('"toolmend_outcome":"repaired"');
    expect(sent).toContain('"toolmend_fixers":"renameKey"');
    expect(sent).not.toContain(SECRET);
    expect(sent).not.toContain("element");
  });

  test("of a refused input, the errors of the runs around it included", async () => {
    const sent = await trace({ [KEY]: SECRET, selector: [SECRET] });
    expect(sent).toContain("Received tool input did not match expected schema");
    expect(sent).toContain("/selector: invalid_type, expected string, received array");
    expect(sent).not.toContain(SECRET);
    expect(sent).not.toContain(KEY);
  });
});
