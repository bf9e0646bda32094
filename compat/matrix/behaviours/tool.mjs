import { equal, match, ok, same, thrownBy } from "./expect.mjs";

/** The behaviour of a tool with valid, repairable and unrepairable inputs. */
export const tool = [
  {
    name: "a valid input runs unchanged",
    async run(lab) {
      const click = await lab.clickTool();
      equal(await click.invoke({ selector: "#a" }), 'ran {"selector":"#a"}');
    },
  },
  {
    name: "a wrong input is corrected, and run",
    async run(lab) {
      const click = await lab.clickTool();
      equal(await click.invoke({ element: "#a" }), 'ran {"selector":"#a"}');
    },
  },
  {
    name: "two wrong inputs in parallel are corrected independently",
    async run(lab) {
      const click = await lab.clickTool();
      const results = await Promise.all(["#a", "#b"].map((element) => click.invoke({ element })));
      equal(results, ['ran {"selector":"#a"}', 'ran {"selector":"#b"}']);
    },
  },
  {
    name: "a wrong tool call is corrected, and answered with a message",
    needs: "toolCalls",
    async run(lab) {
      const click = await lab.clickTool();
      const call = { type: "tool_call", id: "1", name: "click", args: { element: "#a" } };
      const message = await click.invoke(call);
      equal([message.content, message.tool_call_id], ['ran {"selector":"#a"}', "1"]);
    },
  },
  {
    name: "an input that nothing corrects is rejected, with the tool's name, the input and the reason",
    async run(lab) {
      const click = await lab.clickTool();
      const error = await thrownBy(click.invoke({ nothing: 5 }));
      ok(error instanceof lab.tools.ToolInputParsingException, `got ${error}`);
      same(error.toolName, "click");
      equal(error.toolInput ?? error.causingData, { nothing: 5 });
      same(error.output, '{"nothing":5}');
      ok(error.issues?.length ?? error.cause, "says nothing of why");
      match(error.message, /^Received tool input did not match expected schema/);
    },
  },
  {
    name: "the input is validated once, and the tool runs with its output",
    async run(lab) {
      let asked = 0;
      const count = (text) => `${text} asked ${++asked}`;
      const schema = lab.z.object({ selector: lab.z.string().transform(count) });
      const func = async ({ selector }) => selector;
      const fields = { name: "click", description: "", schema, func };
      const click = lab.repairing(new lab.tools.DynamicStructuredTool(fields));
      equal(await click.invoke({ selector: "#a" }), "#a asked 1");
      same(asked, 1);
    },
  },
  {
    name: "a string tool runs with its string",
    async run(lab) {
      const echo = lab.repairing(
        new lab.tools.DynamicTool({
          name: "echo",
          description: "",
          func: async (text) => `${text}!`,
        }),
      );
      equal(await echo.invoke("#a"), "#a!");
    },
  },
  {
    name: "callbacks see the corrected input",
    needs: "toolCalls",
    async run(lab) {
      const inputs = [];
      const click = await lab.clickTool();
      const handleToolStart = (_tool, input) => void inputs.push(input);
      await click.invoke({ element: "#a" }, { callbacks: [{ handleToolStart }] });
      equal(inputs, ['{"selector":"#a"}']);
    },
  },
];
