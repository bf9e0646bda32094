import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import type { ToolInputError } from "../../repair/errors/tool-input-error.ts";
import type { ResolveOptions } from "../../repair/policy.ts";
import { openLedger } from "../correct/correction-ledger.ts";
import { correctionMessages } from "../correct/correction-messages.ts";
import { readSelfCorrect } from "../correct/options.ts";
import { pairCorrections } from "../correct/pair-corrections.ts";
import { type CorrectedCall, type Progress, runCorrections } from "../correct/run-corrections.ts";
import { originOf } from "../trace/origin-of.ts";
import { askModel } from "./ask-model.ts";
import { type RefusedCall, type ResolvedCall, resolveCalls } from "./resolve-calls.ts";
import { toMessages } from "./to-messages.ts";
import type { ToolCallingModel, ToolChainSpec } from "./tool-chain-types.ts";

/** A model's message, and what becomes of its calls. */
interface ChainAnswer {
  readonly message: AIMessage;
  readonly calls: readonly ResolvedCall[];
}

/** What one model is asked, for a chain. */
interface ChainQuestion {
  readonly model: ToolCallingModel;
  /** What a chat model takes. */
  readonly input: unknown;
  /** The chain. */
  readonly spec: ToolChainSpec;
  /** What was counted so far; it is counted on. */
  readonly progress: Progress;
  /** The config, with the callbacks of the chain. */
  readonly config: RunnableConfig;
}

/**
 * Asks one model, repairs its calls, and lets it correct those that were refused, as far as the
 * chain allows it. No tool is run.
 *
 * @param question What it is asked, and the chain.
 * @returns The calls in order, refused ones among them where nothing helped.
 */
export async function completeCalls({
  model,
  input,
  spec,
  progress,
  config,
}: ChainQuestion): Promise<readonly ResolvedCall[]> {
  const policy = readSelfCorrect(spec.selfCorrect);
  const options = resolving(spec, config);
  const remedy = progress.attempt === 0 ? "first" : "fallback";
  let history: BaseMessage[] | undefined;

  async function ask(why: string, toolChoice?: string): Promise<ChainAnswer> {
    const runName = `${why}:${progress.attempt + 1}`;
    const question = { model, input: history ?? input, toolChoice, runName };
    const message = await askModel(question, spec, config);
    const made = { message, history: history ?? [] };
    return { message, calls: await resolveCalls(made, spec.tools, options) };
  }

  const corrected = await runCorrections(await ask(remedy), {
    policy,
    turn: openLedger(policy).beginTurn(),
    progress,
    remedy,
    watchers: [...new Set([spec.onAttempt, spec.selfCorrect?.onAttempt])],
    errorsOf: ({ calls }) => errorsOf(calls),
    hasCalls: ({ calls }) => calls.length > 0,
    messageOf: ({ message }) => message,
    ask: (last, request, toolChoice) => {
      const asked = history ?? toMessages(input) ?? [];
      history = [...asked, ...correctionMessages(last.message, last.calls, request)];
      return ask("self-correction", toolChoice);
    },
    merge: (before, next) => {
      const { calls, corrected } = mergeCalls(before.calls, next.calls);
      return { answer: { ...next, calls }, corrected };
    },
    telling: options,
  });
  return corrected?.answer.calls ?? [];
}

/** The errors of the calls that were refused. */
export function errorsOf(calls: readonly ResolvedCall[]): readonly ToolInputError[] {
  return calls.filter(isRefusedCall).map(({ error }) => error);
}

function isRefusedCall(call: ResolvedCall): call is RefusedCall {
  return call.kind === "refused";
}

/** Each corrected call in the place of a refused one; what else the model called is added. */
function mergeCalls(
  before: readonly ResolvedCall[],
  made: readonly ResolvedCall[],
): Pick<ChainAnswer, "calls"> & { readonly corrected: readonly CorrectedCall[] } {
  const held = before.filter((call) => !isRefusedCall(call));
  const refused = before.filter(isRefusedCall);
  const { pairs, others } = pairCorrections({ held, refused, made }, (call) => ({
    name: call.name,
    input: call.kind === "run" ? call.toolInput : call.raw,
  }));
  const corrected = refused.flatMap((one) => {
    const call = pairs.get(one);
    return call?.kind === "run"
      ? [{ error: one.error, by: call.id, toolInput: call.toolInput }]
      : [];
  });
  return { calls: [...before.map((call) => pairs.get(call) ?? call), ...others], corrected };
}

function resolving(spec: ToolChainSpec, config: RunnableConfig): ResolveOptions {
  // The model is told when all remedies have failed.
  const onUnfixable = typeof spec.onUnfixable === "function" ? spec.onUnfixable : undefined;
  const origin = originOf("runnables", config, spec);
  return { ...spec, origin, onUnfixable, signal: config.signal };
}
