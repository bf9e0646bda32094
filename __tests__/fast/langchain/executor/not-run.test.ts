import { describe, expect, test } from "@jest/globals";
import { AIMessage } from "@langchain/core/messages";
import { StructuredTool, tool } from "@langchain/core/tools";
import { wrapTool } from "toolmend";
import { z } from "zod";
import { agentKinds } from "../../../support/langchain/executor/agents.ts";
import { run, setUp } from "../../../support/langchain/executor/set-up.ts";
import { sampled } from "../../../support/tier.ts";

const schema = z.object({ q: z.string() });
const ways = ["invoke", "stream"] as const;
const kind = (name: string) => agentKinds[name] as (typeof agentKinds)[string];

describe.each(sampled(ways, 2))("a tool that returns directly, by %s", (way) => {
  const answers = { "the default": {}, "a handler's text": { onUnfixable: () => "look first" } };

  test.each(
    ["createReactAgent", "createStructuredChatAgent"].flatMap((agent) =>
      (Object.keys(answers) as (keyof typeof answers)[]).map((answer) => [agent, answer] as const),
    ),
  )("%s, %s: the message about a rejected input does not end the run", async (agent, answer) => {
    const direct = tool(async ({ q }) => `direct ${q}`, { name: "direct", schema });
    direct.returnDirect = true;
    const { act, finish } = kind(agent);
    const outputs = [act("direct", '{"a":{},"b":2}'), act("direct", '{"q":"x"}'), finish("done")];
    const { wrapped, model } = await setUp({
      kind: agent,
      outputs,
      tools: [direct],
      options: answers[answer],
    });
    const { steps, output } = await run(way, wrapped);
    expect(steps).toMatchObject([
      { action: { valid: false } },
      { action: { valid: true }, observation: "direct x" },
    ]);
    expect(model.prompts).toHaveLength(2);
    if (way === "invoke") expect(output).toBe("direct x");
  });

  test("compat: the message ends the run, as in LangChain", async () => {
    const direct = tool(async () => "direct", { name: "direct", schema });
    direct.returnDirect = true;
    const { act } = kind("createReactAgent");
    const { wrapped, model } = await setUp({
      kind: "createReactAgent",
      outputs: [act("direct", '{"a":{},"b":2}')],
      tools: [direct],
      handleParsingErrors: "look first",
      options: { compat: true },
    });
    expect((await run(way, wrapped)).steps).toMatchObject([{ observation: "look first" }]);
    expect(model.prompts).toHaveLength(1);
  });
});

describe.each(sampled(ways, 2))(
  "a tool that another one called rejects its input, by %s",
  (way) => {
    const inner = tool(async () => "inner", { name: "inner", schema });
    const kinds = {
      "LangChain's refusal": inner,
      "a wrapper's refusal": wrapTool(inner),
    };
    const { act } = kind("createToolCallingAgent");
    const outputs = () => [act("outer", '{"q":"x"}'), new AIMessage("done")];

    class OwnCall extends StructuredTool {
      name = "outer";
      description = "";
      schema = schema;
      override async call(...args: unknown[]) {
        return super.call(...(args as Parameters<StructuredTool["call"]>)) as never;
      }
      protected async _call() {
        return inner.invoke({ a: {}, b: 1 } as never);
      }
    }

    test.each(Object.keys(kinds) as (keyof typeof kinds)[])(
      "the run ends with its error, as in LangChain: %s",
      async (refusal) => {
        const nesting = tool(async () => kinds[refusal].invoke({ a: {}, b: 1 } as never), {
          name: "outer",
          schema,
        });
        for (const outer of [nesting, wrapTool(nesting), new OwnCall()]) {
          const { wrapped } = await setUp({ outputs: outputs(), tools: [outer] });
          await expect(run(way, wrapped)).rejects.toThrow(/^Received tool input/);
        }
      },
    );

    test("the error is LangChain's even if the inner call has the outer tool's input", async () => {
      const strict = tool(async () => "inner", {
        name: "inner",
        schema: z.object({ p: z.string() }),
      });
      const nesting = tool(async (input) => strict.invoke(input as never), {
        name: "outer",
        schema,
      });
      const { wrapped } = await setUp({ outputs: outputs(), tools: [nesting] });
      await expect(run(way, wrapped)).rejects.toThrow(/^Received tool input/);
    });

    test("the executor's own handleParsingErrors answers, as in LangChain", async () => {
      const nesting = tool(async () => inner.invoke({ a: {} } as never), { name: "outer", schema });
      const handleParsingErrors = () => "look first";
      const { wrapped } = await setUp({
        outputs: outputs(),
        tools: [nesting],
        handleParsingErrors,
      });
      expect((await run(way, wrapped)).steps).toMatchObject([
        { action: { valid: true }, observation: "look first" },
      ]);
    });

    test("a wrapped tool that rejects the input ends the run, too", async () => {
      const refusing = wrapTool(
        tool(async () => "ran", { name: "outer", schema }),
        { undeclaredKeys: "refuse" },
      );
      const { wrapped } = await setUp({
        outputs: [act("outer", '{"q":"x","zzz":1}'), new AIMessage("done")],
        tools: [refusing],
      });
      await expect(run(way, wrapped)).rejects.toMatchObject({ toolName: "outer" });
    });
  },
);
