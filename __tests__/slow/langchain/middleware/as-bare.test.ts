import { expect, test } from "@jest/globals";
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import * as langchain from "langchain";
import { createAgent, createMiddleware, tool } from "langchain";
import { toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";
import { canonicalJson } from "#src/repair/json.ts";
import { calling, saying } from "../../../support/langchain/middleware/calling-model.ts";
import { describeSince } from "../../../support/langchain/middleware/langchain-version.ts";

/** LangChain's own middleware, each set so that it does something or waits for its turn. */
const OTHERS: Readonly<Record<string, () => unknown>> = {
  none: () => createMiddleware({ name: "none" }),
  human: () => langchain.humanInTheLoopMiddleware({ interruptOn: { pay: true } }),
  "model limit": () => langchain.modelCallLimitMiddleware({ runLimit: 9, exitBehavior: "end" }),
  "tool limit": () => langchain.toolCallLimitMiddleware({ runLimit: 3 }),
  "limit of one tool": () => langchain.toolCallLimitMiddleware({ toolName: "pay", runLimit: 1 }),
  "model retry": () => langchain.modelRetryMiddleware({ maxRetries: 1, initialDelayMs: 1 }),
  "tool retry": () => langchain.toolRetryMiddleware({ maxRetries: 1, initialDelayMs: 1 }),
  fallback: () => langchain.modelFallbackMiddleware(saying() as never),
  summary: () =>
    langchain.summarizationMiddleware({
      model: saying(new AIMessage("In short."), new AIMessage("In short.")),
      trigger: { messages: 4 },
      keep: { messages: 2 },
    }),
  editing: () =>
    langchain.contextEditingMiddleware({
      edits: [new langchain.ClearToolUsesEdit({ trigger: { tokens: 1 }, keep: { messages: 1 } })],
    }),
  pii: () => langchain.piiMiddleware("email", { strategy: "redact", applyToToolResults: true }),
  todo: () => langchain.todoListMiddleware(),
  prompt: () => langchain.dynamicSystemPromptMiddleware(() => "Be brief."),
};

/** What the model says, turn by turn. Every call is valid. */
const SCRIPTS: Readonly<Record<string, () => readonly AIMessage[]>> = {
  text: () => [],
  "a call": () => [calling({ name: "click", args: { selector: "#a" }, id: "1" })],
  "calls of several tools": () => [
    calling(
      { name: "click", args: { selector: "a@b.example" }, id: "1" },
      { name: "pay", args: { amount: 3 }, id: "2" },
      { name: "say", args: { input: "hi" }, id: "3" },
    ),
  ],
  "turn by turn": () => [
    calling({ name: "click", args: { selector: "#a" }, id: "1" }),
    calling({ name: "pay", args: { amount: 1 }, id: "2" }),
    calling({ name: "pay", args: { amount: 2 }, id: "3" }),
  ],
  "a tool that fails": () => [
    calling(
      { name: "fail", args: { why: "x" }, id: "1" },
      { name: "click", args: { selector: "#b" }, id: "2" },
    ),
  ],
  "a tool that commands": () => [calling({ name: "jump", args: {}, id: "1" })],
  "a tool whose answer is the last": () => [calling({ name: "last", args: { n: 1 }, id: "1" })],
};

const MODES = ["invoke", "updates", "values", "messages"] as const;

const WAYS = MODES.flatMap((mode) => (["v1", "v2"] as const).map((version) => ({ mode, version })));

/** Two of the ways to run, others for each script and middleware; all by `npm run as-bare`. */
function waysOf(setUp: number, script: number): typeof WAYS {
  if (process.env.AS_BARE === "all") return WAYS;
  return WAYS.filter((_, index) => index % 4 === (setUp + script) % 4);
}

type Run = (input: unknown, callId: string) => unknown;

function toolsThatRecord(ran: unknown[]) {
  const make = (name: string, schema: z.ZodType, more: object, run: Run = () => `${name}ed`) =>
    tool(
      ((input: unknown, { toolCall }: { toolCall: { id: string } }) => {
        ran.push([name, input]);
        return run(input, toolCall.id);
      }) as never,
      { name, description: `To ${name}.`, schema: schema as never, ...more },
    );
  const fail = () => {
    throw new Error("It failed.");
  };
  return [
    make("click", z.object({ selector: z.string() }), {}),
    make("pay", z.object({ amount: z.number() }), {}),
    make("say", z.object({ input: z.string() }), {}),
    make("fail", z.object({ why: z.string() }), {}, fail),
    make(
      "jump",
      z.object({}),
      {},
      (_, id) => new Command({ update: { messages: [new ToolMessage("jumped", id)] } }),
    ),
    make("last", z.object({ n: z.number() }), { returnDirect: true }),
  ];
}

/** All that a run shows and does, without what differs in every run. */
async function outcomeOf(
  script: () => readonly AIMessage[],
  middleware: readonly unknown[],
  mode: (typeof MODES)[number],
  version: "v1" | "v2",
): Promise<string> {
  const ran: unknown[] = [];
  const model = saying(...script());
  const agent = createAgent({
    model,
    tools: toolsThatRecord(ran) as never,
    middleware: middleware as never,
    checkpointer: new MemorySaver(),
    version,
  }) as unknown as ReturnType<typeof createAgent>;
  const config = { configurable: { thread_id: "1" } };
  const seen: unknown[] = [];
  let input: unknown = { messages: [new HumanMessage("Go.")] };
  for (let round = 0; round < 4 && input !== undefined; round++) {
    try {
      if (mode === "invoke") seen.push(await agent.invoke(input as never, config as never));
      else {
        const options = { ...config, streamMode: mode } as never;
        for await (const chunk of await agent.stream(input as never, options)) seen.push(chunk);
      }
    } catch (error) {
      seen.push(`${error}`);
    }
    const { tasks } = (await agent.graph.getState(config)) as {
      tasks: readonly { interrupts: readonly { value?: { actionRequests?: unknown[] } }[] }[];
    };
    const asked = tasks.flatMap(({ interrupts }) => interrupts).at(0)?.value?.actionRequests;
    const decisions = asked?.map(() => ({ type: "approve" }));
    input = decisions && new Command({ resume: { decisions } });
  }
  const { values } = (await agent.graph.getState(config)) as { values: unknown };
  const prompts = model.calls.map(({ messages }: { messages: BaseMessage[] }) => messages);
  return withoutChance({ ran, seen, values, prompts });
}

/** As JSON with its keys in order, and the ids of each run numbered as they appear. */
function withoutChance(value: unknown): string {
  const ids = new Map<string, string>();
  const ID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|[\da-f]{32}/g;
  const numbered = (id: string) => {
    ids.set(id, ids.get(id) ?? `id ${ids.size}`);
    return ids.get(id) as string;
  };
  return canonicalJson(JSON.parse(JSON.stringify(value))).replace(ID, numbered);
}

const setUps = Object.entries(OTHERS).flatMap(([name, make]) => [
  { name: `before ${name}`, around: (own?: unknown) => [own, make()] },
  { name: `behind ${name}`, around: (own?: unknown) => [make(), own] },
]);

describeSince("1.5").each(setUps)("valid calls, $name", ({ name, around }) => {
  const setUp = setUps.findIndex((one) => one.name === name);
  // It gets the errors of tools only if nothing inside it answers them.
  const toolErrors = name === "behind tool retry" ? "throw" : "answer";

  test.each(Object.keys(SCRIPTS))("run as without toolmend: %s", async (script) => {
    for (const { mode, version } of waysOf(setUp, Object.keys(SCRIPTS).indexOf(script))) {
      const run = (middleware: readonly unknown[]) =>
        outcomeOf(SCRIPTS[script] as never, middleware, mode, version);
      const without = await run(around().filter((one) => one !== undefined));
      expect(await run(around(toolInputMiddleware({ toolErrors })))).toBe(without);
      expect(without).toContain(script === "text" ? "done" : '"ran":[[');
    }
  });
});
