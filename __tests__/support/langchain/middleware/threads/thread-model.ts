import { jest } from "@jest/globals";
import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import { Command, MemorySaver } from "@langchain/langgraph";
import { createAgent, createMiddleware, humanInTheLoopMiddleware, tool } from "langchain";
import type { EvidenceSink } from "toolmend";
import { toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";
import { readPayload } from "./check-payload.ts";
import { copyingSaver } from "./copying-saver.ts";
import { type Form, signatureOf, threadMessage } from "./thread-message.ts";

// Core makes a run tree for each step of a graph, even without a tracer: a tenth of a thread's time.
jest.mock("langsmith", () => ({
  ...jest.requireActual<object>("langsmith"),
  RunTree: class {
    readonly tracingEnabled = false;
  },
}));

/** A call as the model of a thread makes it. */
export type CallKind = "right" | "faulty" | "bad" | "unreadable" | "free";

/** A model's turn: it makes these calls, or fails. */
export type Turn = readonly CallKind[] | "error";

/** A human's decision on each call. */
export type Decision = "approve" | "reject" | "edit" | "edit faulty" | "edit bad" | "edit right";

export interface ThreadOptions {
  readonly toolmend: "first" | "last";
  /** Whether the middleware receives the tools. */
  readonly tools: boolean;
  readonly form: Form;
  /** Whether a human is asked about the calls of one of the tools. */
  readonly human: boolean;
  /** Whether a listener receives the calls' outcomes. */
  readonly events: boolean;
  /** Whether checkpoints are JSON, as most checkpointers write it. */
  readonly json: boolean;
  /** Whether LangGraph saves the thread after each step, or where a run ends. */
  readonly durability: "async" | "exit";
}

/** Runs a tool for a thread. */
type RunTool = (name: string, text: string, callId: string) => string;

/** The tools' behaviour in each thread: making tools for each of them takes time. */
const use = new Map<unknown, RunTool>();

const tools = ["ask", "free"].map((name) =>
  tool(
    ({ text }, { toolCall, configurable }) => {
      const { id = "" } = toolCall as { id?: string };
      return use.get(configurable?.thread_id)?.(name, text, id);
    },
    { name, description: name, schema: z.strictObject({ text: z.string() }) },
  ),
);

/**
 * A thread with everything that may happen to it. After each step, all prompts of all models are
 * checked, and all runs.
 *
 * @param options Its parts.
 * @param hasJumps Whether another middleware decides where a run goes on.
 */
export function openThread(options: ThreadOptions, hasJumps: boolean) {
  const checkpointer = options.json ? new MemorySaver() : copyingSaver();
  const edits: string[] = [];
  const brokenOff = new Set<string>();
  const reported: string[] = [];
  const traced: string[] = [];
  const listener = BaseCallbackHandler.fromMethods({
    handleCustomEvent: (_name, { call }: { readonly call?: string }) => {
      if (call !== undefined) traced.push(call);
    },
  });
  const sink: EvidenceSink = (event) => {
    if (event.kind === "call") reported.push(event.callId ?? "none");
  };
  const id = crypto.randomUUID();
  const config = {
    configurable: { thread_id: id },
    recursionLimit: 60,
    durability: options.durability,
    ...(options.events && { callbacks: [listener] }),
  };
  const faults: string[] = [];
  const sent: string[] = [];
  const runs: { readonly id: string; readonly text: string }[] = [];
  let count = 0;
  let isBare = false;
  let script: Turn[] = [];
  let jump: "end" | "model" | undefined;
  let abortAt: "model" | "tool" | undefined;
  let running = new AbortController();

  /** Aborts the run if the sequence says so. */
  function pass(place: "model" | "tool"): void {
    if (abortAt === place) running.abort(new Error("aborted"));
    running.signal.throwIfAborted();
  }

  use.set(id, (name, text, callId) => {
    pass("tool");
    runs.push({ id: callId, text });
    return `${name} ${text}`;
  });

  class ThreadModel extends BaseChatModel {
    constructor() {
      super({});
    }
    _llmType(): string {
      return "thread";
    }
    override bindTools(): ThreadModel {
      return this;
    }
    async _generate(messages: BaseMessage[]): Promise<ChatResult> {
      check(messages);
      pass("model");
      const turn = script.shift() ?? [];
      if (turn === "error") throw new Error("503");
      return { generations: [{ text: "", message: say(turn) }] };
    }
  }

  function say(kinds: readonly CallKind[]): AIMessage {
    const calls = kinds.map((kind) => {
      const id = `call_${++count}`;
      const text = `t${count}`;
      if (kind === "bad") return { kind, id, name: "ask", args: { one: 1, two: 2 } };
      if (kind === "faulty") return { kind, id, name: "ask", args: { Text: text } };
      return { kind, id, name: kind === "free" ? "free" : "ask", args: { text } };
    });
    return threadMessage(
      options.form,
      calls.map(({ kind, ...call }) => ({
        ...call,
        unreadable: kind === "unreadable" ? '{"text": "cut o' : undefined,
      })),
    );
  }

  function check(messages: readonly BaseMessage[]): void {
    sent.push(messages.map(shownMessage).join("\n"));
    const { faults: found, calls } = readPayload(messages, !isBare);
    faults.push(...found);
    for (const { call, args, ...rest } of calls) {
      if ("signature" in rest && options.form === "google") {
        // A call that is made again has another id, and the same signature.
        const own = call.startsWith("call_") ? signatureOf(call) : (rest.signature ?? "none");
        if (rest.signature !== own || !own.startsWith("sig_call_"))
          faults.push(`sent: ${call} is signed ${rest.signature}`);
      }
      const ran = runs.filter(({ id }) => id === call);
      for (const { text } of ran) {
        const shown = (args as { text?: unknown }).text;
        if (shown !== text) faults.push(`sent: ${call} ran ${text}, shown ${JSON.stringify(args)}`);
      }
    }
  }

  const jumper = createMiddleware({
    name: "jumper",
    afterModel: {
      canJumpTo: ["end", "model"],
      hook: () => {
        const jumpTo = jump;
        jump = undefined;
        return jumpTo && { jumpTo };
      },
    },
  });

  /** A new agent, as in a new process. */
  function start(bare = false) {
    const human = humanInTheLoopMiddleware({ interruptOn: { ask: true } });
    const { events } = options;
    const listening = events ? { onToolCall: [sink] } : { trace: false as const };
    const known = options.tools && { tools };
    const ours = bare ? [] : [toolInputMiddleware({ ...listening, ...known })];
    const isFirst = options.toolmend === "first";
    // Each hook is a step, and changes the graph's path.
    const others = [...(options.human ? [human] : []), ...(hasJumps ? [jumper] : [])];
    const middleware = isFirst ? [...ours, ...others] : [...others, ...ours];
    return createAgent({ model: new ThreadModel(), tools, checkpointer, middleware });
  }
  let agent = start();
  let pending: { id: string; args: { text?: string; Text?: string } }[] = [];

  let hasFailed = false;
  async function step(input: object): Promise<void> {
    pending = [];
    hasFailed = false;
    running = new AbortController();
    const { signal } = running;
    try {
      const result = (await agent.invoke(input as never, { ...config, signal })) as {
        messages: BaseMessage[];
        __interrupt__?: {
          value: { actionRequests: { args: { text?: string; Text?: string } }[] };
        }[];
      };
      const [interrupt] = result.__interrupt__ ?? [];
      const last = result.messages.findLast((one) => AIMessage.isInstance(one)) as AIMessage;
      const ids = (last?.tool_calls ?? []).filter(({ name }) => name === "ask");
      pending = (interrupt?.value.actionRequests ?? []).map(({ args }, index) => ({
        id: ids[index]?.id ?? "",
        args,
      }));
      for (const { id, args } of pending) {
        if (runs.some((one) => one.id === id)) faults.push(`asked again of ${id}, which ran`);
        const isRight = typeof args.text === "string" && Object.keys(args).length === 1;
        if (!isRight && !isBare) {
          faults.push(`asked of ${id}, which is to be refused: ${JSON.stringify(args)}`);
        }
      }
    } catch (error) {
      hasFailed = `${error}`.includes("503") || signal.aborted;
      if (!hasFailed) faults.push(`threw: ${error}`);
      // Tools that are run again have copies of their message, and report its edits again.
      for (const id of edits) brokenOff.add(id);
    }
    const ids = runs.map(({ id }) => id);
    if (new Set(ids).size < ids.length) faults.push(`ran twice: ${ids.join()}`);
    for (const list of [reported, traced]) {
      const often = list.find(
        (one) => !brokenOff.has(one) && countOf(one, list) > 1 + countOf(one, edits),
      );
      if (often !== undefined) faults.push(`reported more than once: ${often}`);
    }
  }

  return {
    faults,
    /** The prompts and runs, without random ids and the order of parallel runs. */
    story: () => {
      const ran = runs.map(({ id, text }) => withoutRandom(`${id} ${text}`));
      return [...sent.map(withoutRandom), ...ran.sort()];
    },
    close: () => use.delete(id),
    isPending: () => pending.length > 0,
    hasFailed: () => hasFailed,
    /** The next run is aborted. */
    abort: (place: "model" | "tool" | undefined) => {
      abortAt = place;
    },
    /** The thread's history before toolmend was added. */
    begin: async (turns: readonly Turn[], isLeftWaiting: boolean) => {
      isBare = true;
      agent = start(true);
      for (const [index, turn] of turns.entries()) {
        script = [turn];
        await step({ messages: [new HumanMessage("Go on.")] });
        const isLast = index === turns.length - 1;
        if (pending.length === 0 || (isLeftWaiting && isLast)) continue;
        const decisions = pending.map(() => toDecision("approve"));
        await step(new Command({ resume: { decisions } }));
      }
      faults.length = 0;
      isBare = false;
      agent = start();
    },
    speak: (turns: readonly Turn[], jumpTo?: "end" | "model") => {
      script = [...turns];
      jump = jumpTo;
      return step({ messages: [new HumanMessage("Go on.")] });
    },
    decide: async (decisions: readonly Decision[], turns: readonly Turn[]) => {
      script = [...turns];
      const asked = pending;
      const made = asked.map((_, index) => decisions[index % decisions.length] ?? "approve");
      edits.push(...asked.flatMap((one, index) => (made[index]?.startsWith("edit") ? one.id : [])));
      await step(new Command({ resume: { decisions: made.map((one) => toDecision(one)) } }));
      // If one is rejected, LangChain runs none.
      if (made.includes("reject") || hasFailed) return;
      for (const [index, decision] of made.entries()) {
        const { id = "", args } = asked[index] ?? { args: {} };
        const ran = runs.find((one) => one.id === id);
        // A faulty call from before toolmend is repaired once the tool has rejected it.
        const isRight = args.Text === undefined;
        if (decision === "approve" && isRight && ran?.text !== args.text) {
          faults.push(`approved ${id} ${JSON.stringify(args)}, ran ${ran?.text}`);
        }
        if (decision === "edit right" && !ran?.text.startsWith("edited")) {
          faults.push(`edited ${id}, ran ${ran?.text}`);
        }
      }
    },
    /** A run interrupted by an error resumes from the last checkpoint. */
    retry: (turns: readonly Turn[]) => {
      script = [...turns];
      return step(null as never);
    },
    restart: () => {
      agent = start();
      // The reports of another process are unknown.
      reported.length = 0;
      traced.length = 0;
    },
    takeOut: () => {
      isBare = true;
      agent = start(true);
    },
  };

  function toDecision(decision: Decision): object {
    if (decision === "approve") return { type: "approve" };
    if (decision === "reject") return { type: "reject", message: "No." };
    const text = `edited ${++count}`;
    const args =
      decision === "edit bad"
        ? { one: 1, two: 2 }
        : decision === "edit faulty"
          ? { Text: text }
          : { text };
    return { type: "edit", editedAction: { name: "ask", args } };
  }
}

function countOf(item: string, list: readonly string[]): number {
  return list.filter((one) => one === item).length;
}

function shownMessage(message: BaseMessage): string {
  const { content, tool_calls, tool_call_id } = message as AIMessage & { tool_call_id?: string };
  return JSON.stringify([message.getType(), content, tool_calls, tool_call_id]);
}

function withoutRandom(text: string): string {
  return text.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "random");
}
