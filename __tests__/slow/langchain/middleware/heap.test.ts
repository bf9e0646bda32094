import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "@jest/globals";
import { MemorySaver } from "@langchain/langgraph";
import { createAgent, humanInTheLoopMiddleware, tool } from "langchain";
import { toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";
import { ByHistory, calling, saying } from "../../../support/langchain/middleware/calling-model.ts";
import { describeSince } from "../../../support/langchain/middleware/langchain-version.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

const THREADS = 50;

test.each([false, true])(
  "the tools of finished threads are not kept, returnDirect %p",
  async (returnDirect) => {
    const repair = toolInputMiddleware();
    const runThread = async () => {
      const schema = z.object({ v: z.number() });
      const own = tool(() => "ran", { name: "t", description: "", schema, returnDirect });
      const model = saying(calling({ name: "t", args: { v: "1" }, id: "1" }));
      const agent = createAgent({ model, tools: [own], middleware: [repair] });
      await agent.invoke({ messages: ["Go."] });
      return new WeakRef(own);
    };
    const refs: WeakRef<object>[] = [];
    for (let time = 0; time < THREADS; time++) refs.push(await runThread());
    for (let time = 0; time < 5; time++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      collect();
    }
    const live = refs.filter((ref) => ref.deref() !== undefined).length;
    expect(live).toBeLessThan(THREADS / 10);
  },
);

const MB = 1_000_000;

describeSince("1.5")("approvals that stay pending", () => {
  test("keep no more than 40 MB of arguments in memory", async () => {
    const size = MB / 2;
    let count = 0;
    const model = new ByHistory(() => {
      const text = Buffer.alloc(size, `${++count} `).toString("latin1");
      return calling({ name: "write", args: { text }, id: "1" });
    });
    const write = tool(() => "written", {
      name: "write",
      description: "",
      schema: z.object({ text: z.string() }),
    });
    const checkpointer = new MemorySaver();
    const agent = createAgent({
      model,
      tools: [write],
      checkpointer,
      middleware: [
        toolInputMiddleware(),
        humanInTheLoopMiddleware({ interruptOn: { write: true } }),
      ],
    });
    const waitIn = async (thread_id: string) => {
      const asked = await agent.invoke({ messages: ["Go."] }, { configurable: { thread_id } });
      expect(asked).toHaveProperty("__interrupt__");
      // Another store keeps the thread.
      await checkpointer.deleteThread(thread_id);
    };
    await waitIn("first");
    collect();
    const before = process.memoryUsage().heapUsed;
    // 100 MB of arguments.
    for (let thread = 0; thread < 200; thread++) await waitIn(`thread ${thread}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
    collect();
    expect((process.memoryUsage().heapUsed - before) / MB).toBeLessThan(40);
  });
});
