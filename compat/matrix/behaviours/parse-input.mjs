import { runAgent, toolCallingAgent } from "./agents.mjs";
import { equal, match, ok, same, thrownBy } from "./expect.mjs";

/** Features that require a source patch. */
export const patched = [
  {
    name: "ToolInputParsingException can be imported, has a name, and carries its cause",
    async run({ tools, z, DynamicStructuredTool }) {
      same(new tools.ToolInputParsingException("x", "{}").name, "ToolInputParsingException");
      const schema = z.object({ selector: z.string() });
      const fields = { name: "click", description: "", schema, func: async () => "" };
      const error = await thrownBy(new DynamicStructuredTool(fields).invoke({ a: 1 }));
      equal([error.toolName, error.toolInput, error.output], ["click", { a: 1 }, '{"a":1}']);
      equal(error.cause.issues[0].path, ["selector"]);
    },
  },
  {
    name: "parseInput may be overridden, and its result is the input of the tool",
    async run({ DynamicStructuredTool, z }) {
      class Trusting extends DynamicStructuredTool {
        async parseInput(input) {
          return { selector: `trusted ${input}` };
        }
      }
      const schema = z.object({ selector: z.string() });
      const func = async ({ selector }) => selector;
      const tool = new Trusting({ name: "click", description: "", schema, func });
      equal(await tool.invoke("#a"), "trusted #a");
    },
  },
  {
    name: "a JSON Schema tool rejects undefined like any invalid input",
    needs: "toolCalls",
    async run({ DynamicStructuredTool, tools }) {
      const schema = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
      const tool = new DynamicStructuredTool({
        name: "t",
        description: "",
        schema,
        func: async () => "",
      });
      for (const input of [undefined, { b: 1 }]) {
        const error = await thrownBy(tool.invoke(input));
        ok(error instanceof tools.ToolInputParsingException, `got ${error}`);
      }
    },
  },
  {
    name: "an output parser's exception keeps the raw text",
    async run({ load, names }) {
      const { StructuredChatOutputParser } = await load(names.agents);
      const parser = new StructuredChatOutputParser({ toolNames: [] });
      const error = await thrownBy(parser.parse("no action here"));
      same(error.llmOutput, "no action here");
    },
  },
  {
    name: "an invalid tool call becomes an action: the handler corrects it, and it runs",
    needs: "toolCallingAgent",
    async run(lab) {
      const agent = await toolCallingAgent(lab, [
        {
          name: "click",
          id: "1",
          args: '{"selector": #a}',
          error: "Malformed args.",
          type: "invalid_tool_call",
        },
      ]);
      const asked = [];
      const handleParsingErrors = async (...args) => {
        asked.push(args);
        return { selector: "#a" };
      };
      const tools = [await lab.clickTool()];
      const executor = lab.plainExecutor({ agent, tools, handleParsingErrors });
      const { intermediateSteps, output } = await executor.invoke({ input: "go" });
      const [[error, causingData, action]] = asked;
      ok(error instanceof lab.tools.ToolInputParsingException);
      equal([causingData, action.tool], ['{"selector": #a}', "click"]);
      equal(intermediateSteps[0].action.toolInput, { selector: "#a" });
      equal([intermediateSteps[0].observation, output], ['ran {"selector":"#a"}', "done"]);
    },
  },
  {
    name: "an invalid tool call without a handler ends the run, instead of an empty answer",
    needs: "toolCallingAgent",
    async run(lab) {
      const agent = await toolCallingAgent(lab, [
        { name: "click", id: "1", args: "#a", error: "Malformed args.", type: "invalid_tool_call" },
      ]);
      const executor = lab.plainExecutor({ agent, tools: [await lab.clickTool()] });
      match((await thrownBy(executor.invoke({ input: "go" }))).message, /Malformed args/);
    },
  },
  {
    name: "createAgent answers an invalid tool call, next to the valid one",
    needs: "createAgent",
    async run(lab) {
      const { messages } = await runAgent(lab, {
        tool_calls: [{ name: "click", id: "1", args: { selector: "#a" }, type: "tool_call" }],
        invalid_tool_calls: [
          {
            name: "click",
            id: "2",
            args: '{"selector": #a}',
            error: "Malformed args.",
            type: "invalid_tool_call",
          },
        ],
      });
      const answers = messages.filter((message) => message.getType() === "tool");
      equal(
        answers.map(({ tool_call_id, status }) => [tool_call_id, status]),
        [
          ["1", "success"],
          ["2", "error"],
        ],
      );
      match(answers[1].content, /Malformed args/);
      same(messages.at(-1).content, "done");
    },
  },
  {
    name: "createAgent shows the model the error, without a stack trace",
    needs: "createAgent",
    async run(lab) {
      const { messages } = await runAgent(lab, {
        tool_calls: [{ name: "click", id: "1", args: { element: 5 }, type: "tool_call" }],
      });
      const answer = messages.find((message) => message.getType() === "tool");
      match(answer.content, /did not match expected schema/);
      ok(!/\n\s+at |node_modules|file:\/\//.test(answer.content), answer.content);
    },
  },
  {
    name: "ToolNode answers an invalid tool call, and toolsCondition leads there",
    needs: "graph",
    async run(lab) {
      const { ToolNode, toolsCondition } = await lab.load("@langchain/langgraph/prebuilt");
      const { AIMessage } = await lab.load("@langchain/core/messages");
      const message = new AIMessage({
        content: "",
        invalid_tool_calls: [
          {
            name: "click",
            id: "1",
            args: "#a",
            error: "Malformed args.",
            type: "invalid_tool_call",
          },
        ],
      });
      same(toolsCondition({ messages: [message] }), "tools");
      const { messages } = await new ToolNode([await lab.clickTool()]).invoke({
        messages: [message],
      });
      equal([messages[0].tool_call_id, messages[0].status], ["1", "error"]);
      match(messages[0].content, /Malformed args/);
    },
  },
];
