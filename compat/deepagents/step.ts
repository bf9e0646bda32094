// One step of a run, in its own process: node ../../scripts/run-ts.mjs step.ts FILE STEP
import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { Command } from "@langchain/langgraph";
import { createDeepAgent } from "deepagents";
import { toolInputMiddleware } from "toolmend/middleware";
import { calling, saying } from "../../__tests__/support/langchain/middleware/calling-model.ts";
import { fileSaver } from "./file-saver.ts";
import { faultsOf } from "./requests.ts";

const [path = "", step = ""] = process.argv.slice(2);
const [where, what = ""] = step.split("-");
const { checkpointer, save } = fileSaver(path);

// The tools are not passed: in deepagents only the library has them.
const toolmend = toolInputMiddleware();
const interruptOn = { write_file: true };
const write = calling({
  name: "write_file",
  args: { filePath: "/a.txt", content: "one" },
  id: "call_w",
});
const task = calling({
  name: "task",
  args: { description: "Write.", subagentType: "writer" },
  id: "call_t",
});
const isAgent = where === "agent";
const said = what !== "start" ? [] : isAgent ? [write] : [task, write];
// Two agents are done one after the other.
const model = saying(...said, ...(isAgent ? [] : [new AIMessage("done")]));
const writer = { name: "writer", description: "Writes.", systemPrompt: "You write." };
const agent = createDeepAgent({
  model,
  checkpointer,
  middleware: [toolmend],
  ...(isAgent ? { interruptOn } : {}),
  subagents: [
    { ...writer, tools: [], middleware: [toolmend], ...(isAgent ? {} : { interruptOn }) },
  ],
});

const edited = { name: "write_file", args: { filePath: "/b.txt", content: "two" } };
const decisions: Record<string, object> = {
  approve: { type: "approve" },
  edit: { type: "edit", editedAction: edited },
  reject: { type: "reject", message: "No." },
};
const config = { configurable: { thread_id: "1" } };
const ask = { messages: [new HumanMessage("Go.")] };
const resume = (name: string) => new Command({ resume: { decisions: [decisions[name]] } });

interface Result {
  readonly messages: readonly BaseMessage[];
  readonly files?: Readonly<Record<string, { content: unknown }>>;
  readonly __interrupt__?: readonly { value: { actionRequests: { args: unknown }[] } }[];
}
const invoke = async (input: unknown) =>
  (await agent.invoke(input as never, config)) as unknown as Result;
let result = await invoke(what === "start" ? ask : resume(what));
// A human who edited is asked about the repaired call again, if the agent's path leads there.
if (what === "edit" && result.__interrupt__) result = await invoke(resume("approve"));
save();

const [interrupt] = result.__interrupt__ ?? [];
console.log(
  JSON.stringify({
    asked: interrupt?.value.actionRequests.map(({ args }) => args),
    files: Object.fromEntries(
      Object.entries(result.files ?? {}).map(([name, { content }]) => [name, `${content}`]),
    ),
    faults: faultsOf(model.calls.map(({ messages }) => messages)),
    last: result.messages.at(-1)?.content,
  }),
);
