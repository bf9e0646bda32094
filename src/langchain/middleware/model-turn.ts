import {
  type AIMessage,
  type BaseMessage,
  SystemMessage,
} from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import type { WrapModelCallHandler, WrapModelCallHook } from "langchain";
import { emitCorrections } from "../../repair/events/report.ts";
import type { ToolLike } from "../../repair/types.ts";
import { warnOfFixerNames, warnOfNames } from "../../repair/usage.ts";
import { findLaterCorrections } from "../correct/later-calls.ts";
import { correctAnswer } from "../correct/self-correct.ts";
import {
  giveId,
  hideCalls,
  isAIMessage,
  isHidden,
  REFUSED_NAME,
  recordsOf,
  revealNames,
  sinceSpoken,
} from "../message/messages.ts";
import type { RepairCallsOptions } from "../message/options.ts";
import {
  type JudgedCall,
  type MessageCalls,
  offeredTools,
  repairAllCalls,
} from "../message/repair.ts";
import { completeToolMessages } from "../message/settle.ts";
import { JudgedTurn } from "./judged-turn.ts";
import {
  APPROVAL,
  type HumanInTheLoop,
  hasNode,
  isCommand,
  MessagesCommand,
  messagesIn,
  needsApproval,
} from "./langgraph.ts";
import { captureStopReason, ObservedModel } from "./observed-model.ts";
import { keyOf, type Turns } from "./turns.ts";

type Request = Parameters<WrapModelCallHook>[0];

/** How the middleware treats the answers of a model. */
interface ModelTurnOptions {
  /** The tools that the options list. */
  readonly ownTools: readonly unknown[] | undefined;
  readonly selfCorrect:
    | { readonly maxAttempts?: number | undefined }
    | undefined;
  readonly humanInTheLoop: HumanInTheLoop;
  /** How its calls are repaired. */
  readonly repairing: RepairCallsOptions;
}

/** The tools that a message's calls are judged by, and how. */
interface AnswerReading {
  readonly tools: readonly unknown[];
  readonly options: RepairCallsOptions & {
    readonly unoffered: readonly unknown[];
  };
}

/**
 * A request to the model: its answer is repaired before it becomes part of the
 * history.
 */
export class ModelTurn {
  readonly #request: Request;
  readonly #handler: WrapModelCallHandler;
  readonly #options: ModelTurnOptions;
  readonly #turns: Turns;
  readonly #agentTools: readonly unknown[];
  /** The messages of the state. */
  readonly #known: readonly BaseMessage[];
  /** Those of them whose calls get their true names again. */
  readonly #revealed: readonly BaseMessage[];
  readonly #observed: ObservedModel<Request["model"]>;

  constructor(
    request: Request,
    handler: WrapModelCallHandler,
    options: ModelTurnOptions,
    turns: Turns,
  ) {
    this.#request = request;
    this.#handler = handler;
    this.#options = options;
    this.#turns = turns;
    this.#agentTools = [...(options.ownTools ?? []), ...request.tools];
    this.#known = request.state?.messages ?? [];
    this.#revealed = this.#known
      .map((message) => revealNames(message))
      .filter((message, index) => message !== this.#known[index]);
    this.#observed = new ObservedModel(request.model);
  }

  /**
   * Returns what LangChain writes: the model's message, a command, or a
   * structured response.
   */
  async answer(): Promise<unknown> {
    this.#checkTools();
    const messages = completeToolMessages(this.#request.messages, this.#known);
    const answer = await this.#ask(messages);
    const response = responseIn(answer);
    if (response === undefined) return this.#write(answer, []);
    giveId(response);
    if (this.#isWrongFormat(response)) return this.#write(answer, [response]);
    const reading = this.#readingOf(response);
    const repaired = await repairAllCalls(
      response,
      reading.tools,
      reading.options,
    );
    const corrected = isCommand(answer)
      ? repaired
      : await this.#correct(response, repaired, messages, reading);
    if ("other" in corrected) return this.#write(corrected.other, []);
    const tools = [...reading.tools, ...reading.options.unoffered];
    await this.#reportCorrections(corrected, sinceSpoken(messages), tools);
    const message = this.#hideRejected(corrected);
    this.#remember(message, corrected, tools);
    return this.#write(answer, [message]);
  }

  #checkTools(): void {
    const { humanInTheLoop, repairing } = this.#options;
    warnOfFixerNames(repairing.fixers, this.#agentTools);
    warnOfApprovedNames(humanInTheLoop, this.#agentTools);
    for (const tool of this.#agentTools) {
      if (!isHidden(tool as Partial<ToolLike>)) continue;
      throw new TypeError(
        `A tool's name must not begin with "${REFUSED_NAME}": rename it.`,
      );
    }
  }

  async #ask(messages: readonly BaseMessage[]): Promise<unknown> {
    const { model } = this.#observed;
    // The very array: LangChain's `contextEditingMiddleware` edits the state
    // through it (langchain 1.5.14; threads.test).
    const request = {
      ...this.#request,
      model,
      messages: messages as BaseMessage[],
    };
    const answer: unknown = await captureStopReason(async () =>
      this.#handler(request),
    );
    return isAIMessage(answer) ? giveId(answer) : answer;
  }

  /**
   * Whether a message is a wrong structured response: LangChain asks again, and
   * runs none of its calls.
   */
  #isWrongFormat({ id, tool_calls = [] }: AIMessage): boolean {
    if (this.#request.responseFormat === undefined) return false;
    const bound = this.#observed.toolsBehind(id) ?? [];
    const added = bound.filter((tool) => !this.#agentTools.includes(tool));
    // LangChain binds a plain description of each format, as of a provider's
    // tool (langchain 1.5.14; reported-calls.test).
    const formats = offeredTools(added).provider;
    return tool_calls.some(({ name }) => formats.has(name));
  }

  #readingOf(response: AIMessage): AnswerReading {
    const { ownTools, repairing } = this.#options;
    // Inner middleware may have asked several models.
    const bound = this.#observed.toolsBehind(response.id);
    const tools = bound ?? ownTools ?? this.#request.tools;
    const shown = repairing.rescueTextToolCalls ? this.#observed.shown : [];
    const options = {
      ...repairing,
      // Inner middleware may offer a selection; LangChain runs the others, too
      // (langchain 1.5.14; others-calls.test).
      unoffered: this.#agentTools.filter((tool) => !tools.includes(tool)),
      isComplete: bound !== undefined || ownTools !== undefined,
      leavesUnknown: true,
      history: [systemOf(this.#request), ...this.#request.messages, ...shown],
    };
    return { tools, options };
  }

  /** Lets the model correct its rejected calls, if the options say so. */
  async #correct(
    response: AIMessage,
    repaired: MessageCalls,
    messages: readonly BaseMessage[],
    reading: AnswerReading,
  ): Promise<MessageCalls | { readonly other: unknown }> {
    const { selfCorrect } = this.#options;
    if (selfCorrect === undefined) return repaired;
    const ask = (asked: readonly BaseMessage[]) => this.#ask(asked);
    const correcting = { ...selfCorrect, messages, tools: reading.tools, ask };
    return correctAnswer(response, repaired, correcting, reading.options);
  }

  /** Reports the calls that correct earlier, rejected ones. */
  async #reportCorrections(
    { message, calls }: MessageCalls,
    since: readonly BaseMessage[],
    tools: readonly unknown[],
  ): Promise<void> {
    const records = calls.length === 0 ? [] : since.flatMap(recordsOf);
    const wasRejected = records.some(({ error }) => error !== undefined);
    if (!wasRejected) return;
    const { client } = offeredTools(tools);
    const find = () => findLaterCorrections(message, since, client);
    await emitCorrections(find, this.#options.repairing);
  }

  /**
   * Gives rejected calls a reserved name, so that a human is not asked about
   * them.
   */
  #hideRejected({ message, calls }: MessageCalls): AIMessage {
    const refused = calls.filter(({ kind }) => kind === "rejected");
    if (refused.length === 0) return message;
    // A message that replaces its own in the state may be the last one: its
    // calls keep their names.
    const isReplacing = this.#known.some(({ id }) => id === message.id);
    if (isReplacing) return message;
    const approval =
      this.#options.humanInTheLoop ?? isApproved(this.#request.runtime, calls);
    const hidden = refused.filter(({ name }) => needsApproval(approval, name));
    return hideCalls(message, new Set(hidden.map(({ id }) => id)));
  }

  /** Keeps the outcomes for the tools. */
  #remember(
    message: AIMessage,
    outcome: MessageCalls,
    tools: readonly unknown[],
  ): void {
    const { signal } = this.#observed;
    const key = keyOf(message, this.#request.runtime);
    const turn = new JudgedTurn(message, outcome, { tools, signal });
    this.#turns.add(key, message, turn);
  }

  /**
   * Writes messages, and earlier ones whose calls have their true names again.
   */
  #write(answer: unknown, messages: readonly BaseMessage[]): unknown {
    const revealed = this.#revealed;
    if (isStructured(answer))
      return { ...answer, messages: [...revealed, ...answer.messages] };
    const [message] = messages;
    if (isAIMessage(answer) && revealed.length === 0) return message;
    // LangChain has a command already, and would apply it twice (langchain
    // 1.5.14; apart.test). It may remove messages.
    const mayRemove =
      isCommand(answer) && !messagesIn(answer).every(isAIMessage);
    return new MessagesCommand(
      mayRemove ? messages : [...revealed, ...messages],
    );
  }
}

/**
 * The message whose calls run: not those that a command answers, or gives
 * another graph.
 */
function responseIn(answer: unknown): AIMessage | undefined {
  const response =
    isCommand(answer) && !answer.graph ? messagesIn(answer).at(-1) : answer;
  return isAIMessage(response) ? response : undefined;
}

/** A structured response, as LangChain gives it. */
interface StructuredAnswer {
  readonly messages: readonly BaseMessage[];
}

function isStructured(answer: unknown): answer is StructuredAnswer {
  return Array.isArray((Object(answer) as Partial<StructuredAnswer>).messages);
}

/** Warns, once, of misspelt names of tools that need a human's approval. */
export function warnOfApprovedNames(
  humanInTheLoop: HumanInTheLoop,
  tools: readonly unknown[],
): void {
  if (typeof humanInTheLoop !== "object") return;
  const what = "toolInputMiddleware has humanInTheLoop for";
  warnOfNames(what, humanInTheLoop, humanInTheLoop, tools);
}

/**
 * Checks whether a human approves calls, and no limit counts them: it would
 * take the reserved name of a rejected call for another tool's, and if it ends
 * the run, nothing restores the true name (langchain 1.5.14;
 * limits-and-approval.test).
 */
function isApproved(
  runtime: RunnableConfig | undefined,
  calls: readonly JudgedCall[],
): boolean {
  if (!hasNode(runtime, APPROVAL)) return false;
  const limits = ["", ...calls.map(({ name }) => `[${name}]`)];
  return !limits.some((limit) =>
    hasNode(runtime, `ToolCallLimitMiddleware${limit}.after_model`),
  );
}

/** LangChain passes the system prompt separately; before 1.1 as text. */
function systemOf(request: object): BaseMessage {
  const { systemMessage, systemPrompt = "" } = request as {
    readonly systemMessage?: BaseMessage;
    readonly systemPrompt?: string;
  };
  return systemMessage ?? new SystemMessage(systemPrompt);
}
