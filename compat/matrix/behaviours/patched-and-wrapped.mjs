import { toolCallingAgent } from "./agents.mjs";
import { equal, same } from "./expect.mjs";

/** A patched LangChain and a wrapper must not interfere with each other. */
export const patchedAndWrapped = [
  ...[undefined, true, "look first"].flatMap((handleParsingErrors) =>
    ["invoke", "stream"].map((way) => ({
      name: `a call that LangChain could not read is repaired and run, by ${way}, handleParsingErrors ${handleParsingErrors}`,
      needs: "toolCallingAgent",
      async run(lab) {
        const agent = await toolCallingAgent(lab, [unread(`{'selector': '#a'}`)]);
        const tools = [await lab.clickTool({ corrects: false })];
        const executor = lab.wrapExecutor({ agent, tools, handleParsingErrors });
        const { steps, output } = await runBy(way, executor);
        equal(
          steps.map(({ action, observation }) => [action.toolInput, observation]),
          [[{ selector: "#a" }, 'ran {"selector":"#a"}']],
        );
        same(output, "done");
      },
    })),
  ),
  {
    name: "one that cannot be repaired is answered with its error, and does not end the run",
    needs: "toolCallingAgent",
    async run(lab) {
      const agent = await toolCallingAgent(lab, [unread(`{"selector": {"a": 1`)]);
      const executor = lab.wrapExecutor({ agent, tools: [await lab.clickTool()] });
      const { steps, output } = await runBy("invoke", executor);
      equal([steps.length, steps[0].action.valid, output], [1, false, "done"]);
    },
  },
  {
    name: "an overridden parseInput gets the repaired input, and its result is final",
    async run(lab) {
      const given = [];
      class Trusting extends lab.DynamicStructuredTool {
        async parseInput(input, context) {
          given.push(input);
          const parsed = await super.parseInput(input, context);
          return { selector: `${parsed.selector}!` };
        }
      }
      const schema = lab.z.object({ selector: lab.z.string() });
      const func = async ({ selector }) => selector;
      const click = lab.repairing(new Trusting({ name: "click", description: "", schema, func }));
      equal(await click.invoke({ element: "#a" }), "#a!");
      equal(given, [{ selector: "#a" }]);
    },
  },
];

function unread(args) {
  return { name: "click", id: "1", args, error: "Malformed args.", type: "invalid_tool_call" };
}

async function runBy(way, executor) {
  if (way === "invoke") {
    const { intermediateSteps, output } = await executor.invoke({ input: "go" });
    return { steps: intermediateSteps, output };
  }
  const steps = [];
  let output;
  for await (const chunk of await executor.stream({ input: "go" })) {
    if ("output" in chunk) output = chunk.output;
    else steps.push(...(chunk.intermediateSteps ?? []));
  }
  return { steps, output };
}
