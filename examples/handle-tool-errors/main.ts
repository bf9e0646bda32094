// LangChain's guide "How to handle tool errors" in four ways:
//   node scripts/run-ts.mjs examples/handle-tool-errors/main.ts
import type { BaseMessage } from "@langchain/core/messages";
import { toolChain, withToolErrors } from "toolmend/runnables";
import { complexTool, question } from "./complex-tool.ts";
import { betterModel, forgetfulModel, teachableModel } from "./models.ts";

const tools = [complexTool] as const;

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

console.log(`The model is asked: ${question}`);
console.log("It calls complex_tool, and forgets dict_arg.");

title("bare");
try {
  await toolChain(forgetfulModel(), tools).invoke(question);
} catch (error) {
  console.log(`throws ${error}`);
}

title("try/except");
console.log(
  indent(String(await withToolErrors(toolChain(forgetfulModel(), tools)).invoke(question))),
);

title("fallback");
const fallbacks = [betterModel()];
const [fallback] = await toolChain(forgetfulModel(), tools, { fallbacks }).invoke(question);
console.log(`the better model → ${fallback?.output}`);

title("self-correcting");
const model = teachableModel();
const [corrected] = await toolChain(model, tools, { selfCorrect: {} }).invoke(question);
console.log(indent((model.calls[1]?.messages ?? []).map(show).join("\n")));
console.log(`the same model → ${corrected?.output}`);
