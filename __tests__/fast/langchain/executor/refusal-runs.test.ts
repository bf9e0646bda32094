import { describe, expect, test } from "@jest/globals";
import { AIMessage } from "@langchain/core/messages";
import { agentKinds } from "../../../support/langchain/executor/agents.ts";
import { run, setUp } from "../../../support/langchain/executor/set-up.ts";
import { sampled } from "../../../support/tier.ts";

const { act } = agentKinds.createToolCallingAgent as (typeof agentKinds)[string];
const outputs = () => [
  act("click", '{"x":1}'),
  act("click", '{"selector":"#a"}'),
  new AIMessage("done"),
];

/** The tool runs that a handler observes, in order, each with its parent. */
function listener() {
  const runs: unknown[] = [];
  const chains = new Set<string>();
  const callbacks = [
    {
      awaitHandlers: true,
      handleChainStart: (_: unknown, __: unknown, runId: string) => void chains.add(runId),
      handleToolStart: (
        { id = [] }: { id?: string[] },
        input: string,
        _: string,
        parent: string,
        ...rest: unknown[]
      ) => void runs.push(["start", rest[2] ?? id.at(-1), input, chains.has(parent)]),
      handleToolEnd: (output: unknown) => void runs.push(["end", output]),
      handleToolError: (error: Error) => void runs.push(["error", error.name]),
    },
  ];
  return { runs, callbacks };
}

describe.each(sampled(["invoke", "stream"] as const, 2))(
  "a rejected input as an observation, by %s",
  (way) => {
    const answers = { "a text": "look first", true: true, "a function": () => "look first" };
    test.each(Object.keys(answers) as (keyof typeof answers)[])(
      "is a run of _Exception in callbacks and traces, as in LangChain: handleParsingErrors is %s",
      async (kind) => {
        const handleParsingErrors = answers[kind];
        const logs = [];
        for (const which of ["executor", "wrapped"] as const) {
          const options = { compat: true, trace: "quiet" as const };
          const made = await setUp({ outputs: outputs(), handleParsingErrors, options });
          const { runs, callbacks } = listener();
          await run(way, made[which] as never, { callbacks });
          logs.push(runs);
        }
        expect(logs[1]).toEqual(logs[0]);
        expect(logs[1]).toHaveLength(4);
      },
    );

    test("is the same run for the answer of onUnfixable, and for the default message", async () => {
      for (const options of [{ onUnfixable: () => "look first" }, {}]) {
        const quiet = { ...options, trace: "quiet" as const };
        const { wrapped } = await setUp({ outputs: outputs(), options: quiet });
        const { runs, callbacks } = listener();
        const { steps } = await run(way, wrapped, { callbacks });
        const text = steps[0]?.observation;
        expect(runs.slice(0, 2)).toEqual([
          ["start", "ExceptionTool", JSON.stringify({ input: text }), true],
          ["end", text],
        ]);
      }
    });
  },
);
