// The versions of the AI SDK, each with a mock model of its own.
import * as ai5 from "ai-5";
import { MockLanguageModelV2 } from "ai-5/test";
import * as ai6 from "ai-6";
import { MockLanguageModelV3 } from "ai-6/test";
import * as ai7 from "ai-7";
import { MockLanguageModelV4 } from "ai-7/test";

/** A call as a model makes it. */
export interface ModelCall {
  readonly name: string;
  readonly input: string;
  readonly providerExecuted?: boolean;
  readonly dynamic?: boolean;
}

/** What of a run is looked at. */
export interface Run {
  /** The prompt of the second request to the model, where there was one. */
  readonly secondPrompt: string;
  /** The inputs in the history that the SDK returns. */
  readonly recorded: readonly unknown[];
}

/** The parts of the SDK that the versions share, as far as they are used here. */
interface Sdk {
  jsonSchema(schema: unknown): unknown;
  generateText(settings: object): Promise<Result>;
  streamText(settings: object): Result & { consumeStream(): Promise<void> };
  ToolLoopAgent?: new (settings: object) => { generate(call: object): Promise<Result> };
  stepCountIs(count: number): unknown;
}

interface Result {
  readonly steps: Step[] | Promise<Step[]>;
}

interface Step {
  readonly toolCalls: readonly { readonly input: unknown }[];
}

type Model = new (parts: object) => { readonly [calls: string]: unknown };

/** A version of the SDK. */
export interface Version {
  readonly name: string;
  readonly sdk: Sdk;
  readonly Mock: Model;
  /** The name of the option that repairs. */
  readonly option: "repairToolCall" | "experimental_repairToolCall";
  readonly isFirst: boolean;
}

const before7 = "experimental_repairToolCall";

export const VERSIONS: readonly Version[] = [
  version("5", ai5, MockLanguageModelV2, before7),
  version("6", ai6, MockLanguageModelV3, before7),
  version("7", ai7, MockLanguageModelV4, "repairToolCall"),
];

function version(name: string, sdk: unknown, Mock: unknown, option: Version["option"]): Version {
  return { name, sdk: sdk as Sdk, Mock: Mock as Model, option, isFirst: name === "5" };
}

/** The ways to run a model with tools. */
export const WAYS = ["generateText", "streamText", "ToolLoopAgent"] as const;

/** Runs a model that makes one call, and then answers. */
export async function run(
  { sdk, Mock, option, isFirst }: Version,
  way: (typeof WAYS)[number],
  tools: object,
  call: ModelCall,
  repair?: unknown,
): Promise<Run> {
  const prompts: unknown[] = [];
  const finish = (unified: string) => (isFirst ? unified : { unified, raw: unified });
  const count = isFirst ? 1 : { total: 1 };
  const usage = { inputTokens: count, outputTokens: count, totalTokens: 2 };
  const { name: toolName, ...rest } = call;
  const toolCall = { type: "tool-call", toolCallId: "call_1", toolName, ...rest };
  const answers = [
    { content: [toolCall], finishReason: finish("tool-calls"), usage, warnings: [] },
    {
      content: [{ type: "text", text: "Done." }],
      finishReason: finish("stop"),
      usage,
      warnings: [],
    },
  ];
  const next = ({ prompt }: { prompt: unknown }) => {
    prompts.push(prompt);
    return answers[prompts.length - 1] ?? answers[1];
  };
  const model = new Mock({
    doGenerate: async (asked: { prompt: unknown }) => next(asked),
    doStream: async (asked: { prompt: unknown }) => ({ stream: streamOf(next(asked)) }),
  });
  const settings = { model, tools, stopWhen: sdk.stepCountIs(3), [option]: repair };
  const result = await resultOf(sdk, way, settings);
  const steps = await result.steps;
  const recorded = steps.flatMap(({ toolCalls }) => toolCalls.map(({ input }) => input));
  return { secondPrompt: JSON.stringify(prompts[1] ?? null), recorded };
}

async function resultOf(sdk: Sdk, way: (typeof WAYS)[number], settings: object): Promise<Result> {
  const prompt = "Buy it.";
  if (way === "generateText") return sdk.generateText({ ...settings, prompt });
  if (way === "streamText") {
    const result = sdk.streamText({ ...settings, prompt, onError: () => {} });
    await result.consumeStream();
    return result;
  }
  if (sdk.ToolLoopAgent === undefined) throw new Error("this version has no ToolLoopAgent");
  return new sdk.ToolLoopAgent(settings).generate({ prompt });
}

interface Answer {
  readonly content: readonly object[];
  readonly finishReason: unknown;
  readonly usage: unknown;
}

/** A model's answer as parts of a stream; a call's input comes in pieces before it. */
function streamOf(answer: unknown): ReadableStream<object> {
  const { content, finishReason, usage } = answer as Answer;
  const parts = content.flatMap((part) => {
    const { type, toolCallId: id = "t", toolName, input, text } = part as Record<string, string>;
    if (type === "text") {
      return [
        { type: "text-start", id },
        { type: "text-delta", id, delta: text },
        { type: "text-end", id },
      ];
    }
    const { providerExecuted, dynamic } = part as ModelCall;
    return [
      { type: "tool-input-start", id, toolName, providerExecuted, dynamic },
      { type: "tool-input-delta", id, delta: input },
      { type: "tool-input-end", id },
      part,
    ];
  });
  const all = [
    { type: "stream-start", warnings: [] },
    ...parts,
    { type: "finish", finishReason, usage },
  ];
  return new ReadableStream({
    start(controller) {
      for (const part of all) controller.enqueue(part);
      controller.close();
    },
  });
}
