import { describe, expect, test } from "@jest/globals";
import { RunnableLambda, RunnableSequence } from "@langchain/core/runnables";
import { agentKinds } from "../../../support/langchain/executor/agents.ts";
import { INPUTS, setUp } from "../../../support/langchain/executor/set-up.ts";

describe("a wrapped executor as an object", () => {
  test("has the fields of the executor, to list, spread and serialize", async () => {
    const { executor, wrapped } = await setUp({ outputs: [], tags: ["t"], maxIterations: 3 });
    expect(Object.keys(wrapped)).toEqual(Object.keys(executor));
    expect({ ...wrapped }).toEqual({ ...executor });
    expect(JSON.stringify(wrapped)).toBe(JSON.stringify(executor));
    const chained = [executor, wrapped].map((one) =>
      JSON.stringify(RunnableSequence.from([RunnableLambda.from(() => INPUTS), one as never])),
    );
    expect(chained[1]).toBe(chained[0]);
  });

  test("reads properties set on the executor, and keeps properties set on itself", async () => {
    const { executor, wrapped } = await setUp({ outputs: [] });
    executor.maxIterations = 4;
    expect(wrapped.maxIterations).toBe(4);
    (wrapped as typeof executor).maxIterations = 5;
    expect([executor.maxIterations, wrapped.maxIterations]).toEqual([4, 5]);
    expect({ ...wrapped }.maxIterations).toBe(5);
    executor.maxIterations = 6;
    expect(wrapped.maxIterations).toBe(5);
  });
});

test.each(["StructuredChatAgent", "createStructuredChatAgent", "ChatConversationalAgent"])(
  "an agent's parser appears in traces as in LangChain: %s",
  async (kind: string) => {
    const { act, finish } = agentKinds[kind] as (typeof agentKinds)[string];
    const shown: string[][] = [];
    for (const which of ["executor", "wrapped"] as const) {
      const made = await setUp({
        kind,
        outputs: [act("click", '{"selector":"#a"}'), finish("done")],
      });
      const seen: string[] = [];
      const handleChainStart = (serialized: unknown) => void seen.push(JSON.stringify(serialized));
      await made[which].invoke(INPUTS, { callbacks: [{ handleChainStart, awaitHandlers: true }] });
      shown.push(seen);
    }
    expect(shown[1]).toEqual(shown[0]);
  },
);
