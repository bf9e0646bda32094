import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "@jest/globals";
import { createAgent, tool } from "langchain";
import { toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";
import { calling, saying } from "../../../support/langchain/middleware/calling-model.ts";

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
