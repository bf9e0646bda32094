// LangChain's guide "How to handle tool errors" in four ways:
//   node scripts/run-ts.mjs examples/handle-tool-errors/main.ts
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import type { FakeBuiltModel } from "@langchain/core/testing";
import { isToolInputParsingException, type ToolInputError } from "toolmend";
import { repairToolCalls } from "toolmend/messages";
import { complexTool, question } from "./complex-tool.ts";
import { betterModel, forgetfulModel, teachableModel } from "./models.ts";

const tools = [complexTool];

/** From a question to a message with runnable calls; a call that cannot be repaired throws. */
const ask = (model: FakeBuiltModel) => model.bindTools(tools).pipe(repairToolCalls(tools));

/** Runs the message's call. */
const runTool = ({ tool_calls = [] }: AIMessage) =>
  complexTool.invoke(tool_calls[0]?.args as never);

function title(way: string): void {
  console.log(`\n${"─".repeat(4)} ${way}`);
}

/** Indented, and wrapped to fit a terminal. */
function indent(text: string): string {
  const lines = text.split("\n").map((line) => line.replaceAll(/(.{1,94})(?: +|$)/g, "  $1\n"));
  return lines.map((line) => line.trimEnd()).join("\n");
}

function show(message: BaseMessage): string {
  const { tool_calls = [] } = message as { tool_calls?: { name: string; args: object }[] };
  const calls = tool_calls.map(({ name, args }) => `${name}(${JSON.stringify(args)})`);
  return `${message.getType()}: ${calls.join(", ") || message.text}`;
}

/** The error as the guide prints it. */
function describe(error: ToolInputError): string {
  const args = JSON.stringify(error.causingData);
  const calling = `Calling tool "${error.toolName}" with arguments:\n\n${args}`;
  return `${calling}\n\nraised the following error:\n\n${error.toModelMessage()}`;
}

/** The messages that show a model its error: its call, the fault, and the request to call again. */
function retryMessages(error: ToolInputError): BaseMessage[] {
  const { id = "", ...call } = error.toolCall ?? { name: error.toolName, args: {} };
  return [
    new AIMessage({ content: "", tool_calls: [{ ...call, id }] }),
    new ToolMessage({ tool_call_id: id, content: error.toModelMessage(), status: "error" }),
    new HumanMessage(
      `The last call of the tool "${error.toolName}" was not accepted, and nothing was run. Call it again with corrected arguments. Do not repeat the mistake.`,
    ),
  ];
}

console.log(`The model is asked: ${question}`);
console.log("It calls complex_tool, and forgets dict_arg.");

title("bare");
try {
  await ask(forgetfulModel()).pipe(runTool).invoke(question);
} catch (error) {
  console.log(`throws ${error}`);
}

title("try/except");
const rejection = await ask(forgetfulModel())
  .pipe(runTool)
  .invoke(question)
  .catch((error: unknown) => {
    if (!isToolInputParsingException(error)) throw error;
    return describe(error);
  });
console.log(indent(String(rejection)));

title("fallback");
const fallback = ask(forgetfulModel()).withFallbacks([ask(betterModel())]);
console.log(`the better model → ${await fallback.pipe(runTool).invoke(question)}`);

title("self-correcting");
const model = teachableModel();
const corrected = await ask(model)
  .invoke(question)
  .catch((error: unknown) => {
    if (!isToolInputParsingException(error)) throw error;
    return ask(model).invoke([new HumanMessage(question), ...retryMessages(error)]);
  });
console.log(indent((model.calls[1]?.messages ?? []).map(show).join("\n")));
console.log(`the same model → ${await runTool(corrected)}`);
