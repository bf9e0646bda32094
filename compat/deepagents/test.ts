// deepagents, supervisor and swarm with toolmend: an agent's calls are repaired only if it has the middleware.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { AIMessage, HumanMessage, type ToolMessage } from "@langchain/core/messages";
import { createSupervisor } from "@langchain/langgraph-supervisor";
import { createHandoffTool, createSwarm } from "@langchain/langgraph-swarm";
import { createDeepAgent, GENERAL_PURPOSE_SUBAGENT } from "deepagents";
import { createAgent, todoListMiddleware, tool } from "langchain";
import { wrapTools } from "toolmend";
import { toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";
import {
  calling,
  type ModelCall,
  saying,
  unreadable,
} from "../../__tests__/support/langchain/middleware/calling-model.ts";
import { faultsOf } from "./requests.ts";

const toolmend = toolInputMiddleware();
const ASK = { messages: [new HumanMessage("Go.")] };

/** A tool that records its inputs. */
function payTool(make = tool) {
  const ran: unknown[] = [];
  const pay = make(
    ({ to, amount }: { to: string; amount: number }) => {
      ran.push({ to, amount });
      return `paid ${to} ${amount}`;
    },
    {
      name: "pay",
      description: "Pays somebody.",
      schema: z.object({ to: z.string(), amount: z.number() }),
    },
  );
  return { pay: pay as ReturnType<typeof tool>, ran };
}

/** The final answer of a subagent; the agent that started it comes last. */
const DONE = new AIMessage("done");
const call = (name: string, args: object, id = "call_a"): ModelCall => ({ name, args, id });
const FAULTY = call("pay", { To: "al", amount: "3" });
const BAD = call("pay", { one: 1 });

interface Outcome {
  readonly result: { readonly files?: object; readonly todos?: unknown };
  readonly answers: readonly string[];
  /** The faults of the requests. */
  readonly faults: readonly string[];
  /** The number of requests to the model. */
  readonly count: number;
}

async function run(said: Parameters<typeof saying>, options: object): Promise<Outcome> {
  const model = saying(...said);
  const agent = createDeepAgent({ model, ...options } as never);
  const result = await agent.invoke(ASK as never);
  const { messages } = result as unknown as { messages: ToolMessage[] };
  const answers = messages.flatMap((one) =>
    one.getType() === "tool" ? [String(one.content)] : [],
  );
  const faults = faultsOf(model.calls.map((one) => one.messages));
  return { result: result as never, answers, faults, count: model.callCount };
}

describe("a deep agent", () => {
  test("runs a repaired call of its own tool", async () => {
    const { pay, ran } = payTool();
    const { answers, faults } = await run([calling(FAULTY)], {
      tools: [pay],
      middleware: [toolmend],
    });
    assert.deepEqual(ran, [{ to: "al", amount: 3 }]);
    assert.deepEqual([answers, faults], [["paid al 3"], []]);
  });

  test("runs repaired calls of the tools that deepagents adds", async () => {
    const write = call("Write_File", { filePath: "/a.txt", content: "one" });
    const todos = call("write_todos", { todos: '[{"content":"x","status":"pending"}]' }, "call_b");
    const { result, faults } = await run([calling(write), calling(todos)], {
      middleware: [todoListMiddleware(), toolmend],
    });
    assert.deepEqual(Object.keys(result.files ?? {}), ["/a.txt"]);
    assert.deepEqual(result.todos, [{ content: "x", status: "pending" }]);
    assert.deepEqual(faults, []);
  });

  test("gets errors for calls that cannot be repaired or parsed, without a stack, and goes on", async () => {
    const { pay, ran } = payTool();
    const cut = unreadable({ name: "pay", args: '{"to": "a', id: "call_c" });
    const { answers, faults, count } = await run([calling(BAD, { ...FAULTY, id: "call_b" }), cut], {
      tools: [pay],
      middleware: [toolmend],
    });
    assert.deepEqual(ran, [{ to: "al", amount: 3 }]);
    assert.match(answers[0] ?? "", /^The input of tool "pay" was not accepted/);
    assert.equal(answers[1], "paid al 3");
    assert.match(answers[2] ?? "", /cut off/);
    assert.doesNotMatch(answers.join(), /\n\s+at /);
    assert.deepEqual([faults, count], [[], 3]);
  });

  test("survives invalid input for a tool from another build of LangChain", async () => {
    const { tool: other } = createRequire(import.meta.url)("@langchain/core/tools");
    const { pay, ran } = payTool(other);
    await assert.rejects(run([calling(BAD)], { tools: [pay] }), /did not match expected schema/);
    const { answers, count } = await run([calling(BAD)], { tools: [pay], middleware: [toolmend] });
    assert.match(answers[0] ?? "", /^The input of tool "pay" was not accepted/);
    assert.deepEqual([ran, count], [[], 2]);
  });
});

describe("a subagent", () => {
  const task = (type: string) =>
    calling(call("task", { description: "Pay al.", subagentType: type }, "call_t"));
  const payer = (tools: object[]) => ({
    name: "payer",
    description: "Pays.",
    systemPrompt: "You pay.",
    tools,
  });

  test("with its own middleware has its calls repaired, and the call that starts it too", async () => {
    const { pay, ran } = payTool();
    const { faults } = await run([task("payer"), calling(FAULTY), DONE], {
      middleware: [toolmend],
      subagents: [{ ...payer([pay]), middleware: [toolmend] }],
    });
    assert.deepEqual([ran, faults], [[{ to: "al", amount: 3 }], []]);
  });

  test("without it is not covered by the middleware of the agent that starts it", async () => {
    const { pay, ran } = payTool();
    await run([task("payer"), calling(FAULTY), DONE], {
      middleware: [toolmend],
      subagents: [payer([pay])],
    });
    assert.deepEqual(ran, []);
  });

  test("of general purpose is covered only if it gets the middleware again", async () => {
    const { pay, ran } = payTool();
    const tools = [pay];
    const said = () => [task("general-purpose"), calling(FAULTY), DONE];
    await run(said(), { tools, middleware: [toolmend] });
    assert.deepEqual(ran, []);
    await run(said(), {
      tools,
      middleware: [toolmend],
      subagents: [{ ...GENERAL_PURPOSE_SUBAGENT, tools, middleware: [toolmend] }],
    });
    assert.deepEqual(ran, [{ to: "al", amount: 3 }]);
  });

  test("with wrapped tools has their inputs repaired", async () => {
    const { pay, ran } = payTool();
    await run([task("payer"), calling(FAULTY), DONE], {
      middleware: [toolmend],
      subagents: [payer(wrapTools([pay]) as never)],
    });
    assert.deepEqual(ran, [{ to: "al", amount: 3 }]);
  });

  test("survives invalid input for a tool from another build, if it has the middleware", async () => {
    const { tool: other } = createRequire(import.meta.url)("@langchain/core/tools");
    const { pay } = payTool(other);
    const said = [task("payer"), calling(BAD), DONE];
    const strict = toolInputMiddleware({ toolErrors: "throw" });
    await assert.rejects(
      run(said, { middleware: [strict], subagents: [payer([pay])] }),
      /did not match expected schema/,
    );
    const { count } = await run(said, {
      middleware: [toolmend],
      subagents: [{ ...payer([pay]), middleware: [toolmend] }],
    });
    assert.equal(count, 4);
  });
});

describe("a human in another process", () => {
  const folder = mkdtempSync(join(tmpdir(), "toolmend-deepagents-"));
  after(() => rmSync(folder, { recursive: true }));
  const step = (thread: string, name: string) => {
    const runner = fileURLToPath(new URL("../../scripts/run-ts.mjs", import.meta.url));
    const file = fileURLToPath(new URL("step.ts", import.meta.url));
    const output = execFileSync(process.execPath, [runner, file, join(folder, thread), name]);
    return JSON.parse(output.toString());
  };

  for (const where of ["agent", "subagent"]) {
    const start = (decision: string) => {
      const { asked } = step(`${where}-${decision}`, `${where}-start`);
      assert.deepEqual(asked, [{ file_path: "/a.txt", content: "one" }]);
      return step(`${where}-${decision}`, `${where}-${decision}`);
    };

    test(`approves the repaired call of the ${where}`, () => {
      const { files, faults, last } = start("approve");
      assert.deepEqual([files, faults, last], [{ "/a.txt": "one" }, [], "done"]);
    });

    test(`edits the call of the ${where}, with the same mistake`, () => {
      const { files, faults, last } = start("edit");
      assert.deepEqual([files, faults, last], [{ "/b.txt": "two" }, [], "done"]);
    });

    test(`rejects the call of the ${where}`, () => {
      const { files, faults, last } = start("reject");
      assert.deepEqual([files, faults, last], [{}, [], "done"]);
    });
  }
});

test("supervisor: the calls of a worker are repaired", async () => {
  const { pay, ran } = payTool();
  const worker = createAgent({
    name: "worker",
    model: saying(calling(FAULTY)),
    tools: [pay],
    middleware: [toolmend],
  });
  const model = saying(calling(call("transfer_to_worker", {}, "call_h")));
  const supervisor = createSupervisor({ agents: [worker.graph as never], llm: model as never });
  const { messages } = await supervisor.compile().invoke(ASK);
  assert.deepEqual(ran, [{ to: "al", amount: 3 }]);
  assert.equal(messages.at(-1)?.content, "done");
});

test("swarm: the handoff and both agents' calls are repaired", async () => {
  const { pay, ran } = payTool();
  const agent = (name: string, other: string, said: Parameters<typeof saying>) =>
    createAgent({
      name,
      model: saying(...said),
      tools: [pay, createHandoffTool({ agentName: other })] as never,
      middleware: [toolmend],
    });
  const handoff = calling(call("Transfer_To_Bob", {}, "call_h"));
  const alice = agent("alice", "bob", [calling(FAULTY), handoff]);
  const bob = agent("bob", "alice", [calling({ ...FAULTY, id: "call_b" })]);
  const swarm = createSwarm({
    agents: [alice.graph, bob.graph] as never,
    defaultActiveAgent: "alice",
  });
  const { messages } = await swarm.compile().invoke(ASK as never);
  assert.deepEqual(ran, [
    { to: "al", amount: 3 },
    { to: "al", amount: 3 },
  ]);
  assert.equal((messages as { content: unknown }[]).at(-1)?.content, "done");
});
