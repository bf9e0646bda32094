import { afterEach, describe, expect, test } from "@jest/globals";
import { RunnableLambda } from "@langchain/core/runnables";
import { tool } from "@langchain/core/tools";
import { createFixerRegistry, wrapTool } from "toolmend";
import { renameKey } from "toolmend/fixers";
import "@langchain/langgraph"; // makes configs reach nested runs
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
  { fixers },
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

describe("with hidden inputs and outputs, LangSmith receives no model output", () => {
  test("of a repaired input", async () => {
    const sent = await trace({ element: SECRET });
    expect(sent).toContain('"toolmend_outcome":"repaired"');
    expect(sent).toContain('"toolmend_fixers":"renameKey"');
    expect(sent).not.toContain(SECRET);
    expect(sent).not.toContain("element");
  });

  test("of a rejected input, including the errors of the runs around it", async () => {
    const sent = await trace({ [KEY]: SECRET, selector: [SECRET] });
    expect(sent).toContain("Received tool input did not match expected schema");
    expect(sent).toContain("/selector: invalid_type, expected string, received array");
    expect(sent).not.toContain(SECRET);
    expect(sent).not.toContain(KEY);
  });
});
