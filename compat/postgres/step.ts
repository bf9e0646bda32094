// One step of a thread, in its own process: node ../../scripts/run-ts.mjs step.ts DATABASE THREAD STEP
// Prints a line of JSON for each event.
import { isDeepStrictEqual } from "node:util";
import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { Command } from "@langchain/langgraph";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { createAgent, fakeModel, humanInTheLoopMiddleware, tool } from "langchain";
import { readToolCalls } from "toolmend/messages";
import { toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";

const [database = "", thread = "", step = ""] = process.argv.slice(2);

function tell(line: object): void {
  console.log(JSON.stringify(line));
}

const Click = z.strictObject({ selector: z.string(), times: z.number().optional() });
const click = tool(
  (input) => {
    tell({ ran: input });
    return `clicked ${input.selector}`;
  },
  { name: "click", description: "Clicks.", schema: Click },
);
const wait = tool(
  async ({ hours }) => {
    tell({ began: hours });
    if (step === "hang") await new Promise((resolve) => setTimeout(resolve, 600_000));
    tell({ ran: { hours } });
    return `waited ${hours}`;
  },
  { name: "wait", description: "Waits.", schema: z.strictObject({ hours: z.number() }) },
);
const tools = [click, wait];

const FAULTY = { id: "call_a", name: "click", args: { Selector: "#buy", times: "2" } };
const REFUSED = { id: "call_b", name: "click", args: { one: 1, two: 2 } };
const SLOW = { id: "call_c", name: "wait", args: { hours: "3" } };
const done = new AIMessage("done");

/** The model's outputs in a step, one after another. */
const SAID: Record<string, readonly AIMessage[]> = {
  start: [new AIMessage({ content: "", tool_calls: [FAULTY, REFUSED] })],
  hang: [new AIMessage({ content: "", tool_calls: [FAULTY, REFUSED, SLOW] })],
};
const model = (SAID[step] ?? []).reduce((one, said) => one.respond(said), fakeModel());
for (let spare = 0; spare < 20; spare++) model.respond(done);

const checkpointer = PostgresSaver.fromConnString(database);
await checkpointer.setup();
const isAsked = thread.startsWith("asked");
const agent = createAgent({
  model,
  tools,
  checkpointer,
  middleware: [
    toolInputMiddleware(thread.includes("unnamed") ? {} : { tools }),
    ...(isAsked ? [humanInTheLoopMiddleware({ interruptOn: { click: true } })] : []),
  ],
});

const edit = (args: object) => ({ type: "edit", editedAction: { name: "click", args } });
const DECISIONS: Record<string, object> = {
  approve: { type: "approve" },
  reject: { type: "reject", message: "No." },
  edit: edit({ selector: "#other" }),
  "edit faulty": edit({ Selector: "#other", times: "4" }),
};
const decision = DECISIONS[step];
const config = { configurable: { thread_id: thread } };

if (step === "travel") await travel();
else {
  const human = { messages: [{ role: "user" as const, content: "Buy it." }] };
  const input = decision
    ? new Command({ resume: { decisions: [decision] } })
    : step === "resume"
      ? null
      : human;
  await tellOf(await agent.invoke(input as typeof human, config));
}
await checkpointer.end();

/** Resumes from every checkpoint of the thread, each time in its own branch. */
async function travel(): Promise<void> {
  const ids: string[] = [];
  for await (const { config: at } of agent.graph.getStateHistory(config)) {
    ids.push(`${at.configurable?.checkpoint_id}`);
  }
  for (const checkpoint_id of ids) {
    const before = model.callCount;
    const result = await agent.invoke(null as never, {
      configurable: { thread_id: thread, checkpoint_id },
    });
    tell({ branch: checkpoint_id, asked: model.callCount - before });
    await tellOf(result);
  }
}

async function tellOf(result: { readonly messages: readonly BaseMessage[] }): Promise<void> {
  const { __interrupt__: [interrupt] = [] } = result as {
    __interrupt__?: { value: { actionRequests: { args: unknown }[] } }[];
  };
  const sent = model.calls.map(({ messages }) => messages);
  tell({
    asked: interrupt?.value.actionRequests.map(({ args }) => args),
    contents: result.messages.map(({ content }) => content),
    raw: (await readToolCalls([...result.messages], tools))
      .filter(
        ({ rawToolInput, toolInput, error }) =>
          error || !isDeepStrictEqual(rawToolInput, toolInput),
      )
      .map(({ rawToolInput }) => rawToolInput),
    faults: sent.flatMap(faultsOf),
  });
}

/** The fault of a request: each call must have one answer, right after its message, in the calls' order. */
function faultsOf(messages: readonly BaseMessage[]): readonly string[] {
  return messages.flatMap((message, index) => {
    if (!AIMessage.isInstance(message)) return [];
    const ids = (message.tool_calls ?? []).map(({ id }) => id);
    const after = messages.slice(index + 1);
    const other = after.findIndex((one) => !ToolMessage.isInstance(one));
    const answers = after.slice(0, other < 0 ? after.length : other) as ToolMessage[];
    const answered = answers.map(({ tool_call_id }) => tool_call_id);
    return `${ids}` === `${answered}` ? [] : [`calls ${ids}, answers ${answered}`];
  });
}
