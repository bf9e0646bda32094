import { expect, test } from "@jest/globals";
import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { createAgent, humanInTheLoopMiddleware, toolCallLimitMiddleware } from "langchain";
import { toolInputMiddleware } from "toolmend/middleware";
import { calling, saying } from "../../../support/langchain/middleware/calling-model.ts";
import { clickTools } from "../../../support/langchain/middleware/click-tools.ts";
import { describeSince } from "../../../support/langchain/middleware/langchain-version.ts";

const bad = (id: string) => ({ name: "click", args: { one: 1, two: 2 }, id });
const right = (id: string) => ({ name: "click", args: { selector: "#a" }, id });

/** The names of all calls, and of all answers. */
function namesIn(messages: readonly BaseMessage[]): readonly (string | undefined)[] {
  return messages.flatMap((one) => {
    if (AIMessage.isInstance(one)) return (one.tool_calls ?? []).map(({ name }) => name);
    return ToolMessage.isInstance(one) ? [one.name] : [];
  });
}

describeSince("1.5").each(["first", "last"])(
  "a limit beside human in the loop, toolmend %s",
  (order) => {
    const start = (said: readonly AIMessage[], limited: { toolName?: string } = {}) => {
      const kit = clickTools();
      const limit = toolCallLimitMiddleware({ ...limited, runLimit: 1, exitBehavior: "end" });
      const others = [humanInTheLoopMiddleware({ interruptOn: { type: true } }), limit];
      const own = toolInputMiddleware({ fixers: kit.fixers });
      const agent = createAgent({
        model: saying(...said),
        tools: [...kit.tools],
        checkpointer: new MemorySaver(),
        middleware: order === "first" ? [own, ...others] : [...others, own],
      });
      const config = { configurable: { thread_id: "1" } };
      return agent.invoke({ messages: [{ role: "user", content: "Buy it." }] }, config);
    };

    test.each([{}, { toolName: "click" }])(
      "ends the run, and every call has its own name: %j",
      async (limited) => {
        const { messages } = await start([calling(bad("call_1")), calling(bad("call_2"))], limited);

        expect(namesIn(messages)).toEqual(["click", "click", "click", "click"]);
        expect(messages.at(-1)?.content).toMatch(/limit/);
      },
    );

    test("does not take a rejected call for one of another tool", async () => {
      const { messages } = await start([calling(bad("call_1"), right("call_2"))]);

      expect(namesIn(messages)).toEqual(["click", "click", "click"]);
      expect(messages.at(-1)?.content).toMatch(/limit/);
    });
  },
);
