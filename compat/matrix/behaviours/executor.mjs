import { equal, ok, same, thrownBy } from "./expect.mjs";
import { inBothWays, invoked } from "./ways.mjs";

const CORRECTED = { selector: "#a" };
const click = (toolInput, tool = "click") => ({ tool, toolInput, log: "" });

/** AgentExecutor: steps, handler, errors, invoked and streamed. */
export const executor = [
  ...inBothWays("the step holds the corrected input", async (lab, run) => {
    const executor = lab.executor({ actions: [[click({ element: "#a" })]] });
    const [step] = await run(executor);
    equal(step.action.toolInput, CORRECTED);
    same(step.observation, 'ran {"selector":"#a"}');
  }),
  ...inBothWays("the handler gets the error, the causing data and the action", async (lab, run) => {
    const asked = [];
    const handler = (...args) => {
      asked.push(args);
      return "look first";
    };
    const executor = lab.executor({ actions: [[click({ nothing: 5 })]], handler });
    const [step] = await run(executor);
    same(step.observation, "look first");
    const [[error, causingData, action]] = asked;
    ok(error instanceof lab.tools.ToolInputParsingException);
    equal([error.toolName, causingData, action.tool], ["click", { nothing: 5 }, "click"]);
  }),
  ...inBothWays("JSON from an async handler is run and recorded", async (lab, run) => {
    const handler = async () => ({ selector: "#a" });
    const executor = lab.executor({ actions: [[click({ nothing: 5 })]], handler });
    const [step] = await run(executor);
    equal(step.action.toolInput, CORRECTED);
    same(step.observation, 'ran {"selector":"#a"}');
  }),
  ...inBothWays("without a handler a hopeless input ends the run", async (lab, run) => {
    const executor = lab.executor({ actions: [[click({ nothing: 5 })]] });
    const error = await thrownBy(run(executor));
    ok(error instanceof lab.tools.ToolInputParsingException, `got ${error}`);
  }),
  ...inBothWays("an error of the tool is answered as by LangChain", async (lab, run) => {
    const executor = lab.executor({ actions: [[click({ selector: "#down" })]] });
    const [step] = await run(executor);
    same(step.observation, "");
  }),
  {
    name: "the observation is the result of handleToolRuntimeErrors",
    area: "executor",
    run: async (lab) => {
      const handleToolRuntimeErrors = ({ message }) => `RT: ${message}`;
      const actions = [[click({ selector: "#down" })]];
      const executor = lab.executor({ actions, handleToolRuntimeErrors });
      const [step] = await invoked(executor);
      same(step.observation, "RT: DB down");
    },
  },
  ...inBothWays("a tool's name is found whatever its case", async (lab, run) => {
    const executor = lab.executor({ actions: [[click({ selector: "#a" }, "Click")]] });
    const [step] = await run(executor);
    same(step.observation, 'ran {"selector":"#a"}');
  }),
  ...inBothWays("a result that is no string is observed as it is", async (lab, run) => {
    const executor = lab.executor({ actions: [[click({ selector: "#object" })]] });
    const [step] = await run(executor);
    equal(step.observation, { ok: 1 });
  }),
  ...inBothWays("what the output parser refused is answered by the handler", async (lab, run) => {
    const asked = [];
    const handler = (error, causingData) => {
      asked.push([error instanceof lab.parsers.OutputParserException, causingData]);
      return "write JSON";
    };
    const thrown = new lab.parsers.OutputParserException("no action", "{oops");
    const [step] = await run(lab.executor({ actions: [thrown], handler }));
    equal(
      [step.action.tool, step.observation, ...asked],
      ["_Exception", "write JSON", [true, "{oops"]],
    );
  }),
];
