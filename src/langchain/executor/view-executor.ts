import { openLedger } from "../correct/correction-ledger.ts";
import { readSelfCorrect } from "../correct/options.ts";
import type {
  AgentExecutorLike,
  ExecutorInternals,
  ExecutorTool,
  RunConfig,
} from "./executor-like.ts";
import { inheritingView } from "./inheriting-view.ts";
import { nameToolMap } from "./name-tool-map.ts";
import type { ExecutorIntegrationOptions } from "./options.ts";
import { beginRun, type Correcting, keeps, type Run, throwIfFailed } from "./run.ts";
import { viewAgent } from "./view-agent.ts";
import { unfindableTools, viewTool } from "./view-tool.ts";

/** The methods that the wrapper takes over. */
type InnerMethods = Pick<ExecutorInternals, "_call" | "_takeNextStep" | "_getToolReturn">;

/** Under this key a wrapper, of whichever copy of toolmend, gives the executor that it wraps. */
const WRAPPED = Symbol.for("toolmend.wrappedAgentExecutor");

/**
 * Makes the view of an executor whose loop is LangChain's own, run with views of its agent and of
 * its tools that belong to one run each: runs at the same time share nothing.
 *
 * @param given The executor, or a wrapper of it.
 * @param options The wrapper's options.
 * @param originals Inner methods to run in place of the executor's: of an executor that is running its own
 * already, they are LangChain's.
 */
export function viewExecutor(
  given: AgentExecutorLike,
  options: ExecutorIntegrationOptions,
  originals: Partial<InnerMethods> = {},
): AgentExecutorLike {
  const executor = (given as { [WRAPPED]?: AgentExecutorLike })[WRAPPED] ?? given;
  const own = executor as unknown as ExecutorInternals;
  const inner: InnerMethods = {
    get _call() {
      return originals._call ?? own._call;
    },
    get _takeNextStep() {
      return originals._takeNextStep ?? own._takeNextStep;
    },
    get _getToolReturn() {
      return originals._getToolReturn ?? own._getToolReturn;
    },
  };
  const correctingOf = selfCorrection(options.selfCorrect);

  async function call(
    this: ExecutorInternals,
    inputs: { signal?: AbortSignal },
    runManager?: unknown,
    config?: RunConfig,
  ): Promise<object> {
    const { tools } = this;
    const signal = config?.signal ?? inputs?.signal;
    const run = beginRun(this, options, {
      tools,
      signal,
      exactNames: false,
      correcting: correctingOf(inputs),
    });
    const views = [...unfindableTools(run), ...tools.map((tool) => viewTool(tool, run))];
    const output = await inner._call.call(
      viewRun(this, { inner, tools: views, run }),
      inputs,
      runManager,
      config,
    );
    throwIfFailed(run);
    return withSteps(output, run);
  }

  async function takeNextStep(
    this: ExecutorInternals,
    map: Record<string, ExecutorTool>,
    inputs: { signal?: AbortSignal },
    steps: unknown[],
    runManager?: unknown,
    config?: RunConfig,
  ): Promise<unknown> {
    const tools = Object.values(map);
    const signal = config?.signal ?? inputs?.signal;
    const run = beginRun(this, options, {
      tools,
      signal,
      exactNames: true,
      correcting: correctingOf(config ?? inputs),
    });
    const views = tools.map((tool) => viewTool(tool, run));
    const view = viewRun(this, { inner, tools: views, run });
    const names = nameToolMap(views, run);
    const next = await inner._takeNextStep.call(view, names, inputs, steps, runManager, config);
    throwIfFailed(run);
    return next;
  }

  /**
   * In a stream, LangChain looks for a tool that returns directly by its name in lower case. What the
   * model is told of an input that was not run is not what the run returns.
   */
  function getToolReturn(
    this: ExecutorInternals,
    step: Parameters<ExecutorInternals["_getToolReturn"]>[0],
  ) {
    const isRun = (step.action as { valid?: boolean }).valid !== false;
    if (!isRun && !options.keepLangChain?.includes("inputErrors")) return Promise.resolve(null);
    if (options.keepLangChain?.includes("toolNames")) return inner._getToolReturn.call(this, step);
    const action = { ...step.action, tool: String(step.action.tool).toLowerCase() };
    return inner._getToolReturn.call(this, { ...step, action });
  }

  return inheritingView(executor, {
    [WRAPPED]: executor,
    _call: call,
    _takeNextStep: takeNextStep,
    _getToolReturn: getToolReturn,
  });
}

/**
 * Each step of a stream is begun anew. What is one for the whole run is its config, as the inputs
 * may be the user's own; `invoke` has a copy of the inputs.
 */
function selfCorrection(
  options: ExecutorIntegrationOptions["selfCorrect"],
): (ofTheRun: object) => Correcting | undefined {
  if (options === undefined) return () => undefined;
  const policy = readSelfCorrect(options);
  const known = new WeakMap<object, Correcting>();
  return (ofTheRun) => {
    const correcting = known.get(ofTheRun) ?? { policy, ledger: openLedger(policy) };
    known.set(ofTheRun, correcting);
    return correcting;
  };
}

/** The executor as LangChain's loop sees it in one run. */
function viewRun(
  wrapper: ExecutorInternals,
  {
    inner,
    tools,
    run,
  }: { readonly inner: InnerMethods; readonly tools: readonly ExecutorTool[]; readonly run: Run },
): ExecutorInternals {
  const { handleParsingErrors, handleToolRuntimeErrors } = wrapper;
  // With a handler, LangChain has no way to leave a result that is no string as it is.
  const keepsErrors = keeps(run, "toolErrors") || keeps(run, "toolResults");
  return inheritingView(wrapper, {
    agent: viewAgent(run),
    tools,
    handleParsingErrors: keeps(run, "parsingErrors") ? handleParsingErrors : false,
    handleToolRuntimeErrors: keepsErrors ? handleToolRuntimeErrors : rethrow,
    _call: inner._call,
    _takeNextStep: inner._takeNextStep,
  });
}

/** What a view of a tool throws is meant to end the run. */
function rethrow(error: unknown): never {
  throw error;
}

function withSteps(output: object, run: Run): object {
  if ("intermediateSteps" in output) return output;
  return Object.defineProperty(output, "intermediateSteps", { value: run.steps });
}
