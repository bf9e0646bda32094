import { type EntryPoint, invokeOriginal } from "../tool/invoke-original.ts";
import { markReported } from "../tool/mark-reported.ts";
import { toToolCallInput } from "../tool/to-tool-call-input.ts";
import { viewOf } from "../tool/view-of.ts";
import { identity } from "../trace/identity.ts";
import { answerInputError } from "./answer-input-error.ts";
import { answerToolError } from "./answer-tool-error.ts";
import { observeInstead } from "./exception-tool.ts";
import type { ExecutorTool } from "./executor-like.ts";
import { isRefusalBy } from "./is-refusal-by.ts";
import { prepareAction } from "./prepare-action.ts";
import { failRun, keeps, type Outcome, type Run, takeOutcome, throwIfFailed } from "./run.ts";
import { toObservation } from "./to-observation.ts";

/**
 * Makes the view of a tool that LangChain's loop is given for one run: it runs the tool with the
 * input that was prepared when the action was planned, and answers what went wrong.
 *
 * @param tool The tool; it stays as it was.
 * @param run The run.
 */
export function viewTool(tool: ExecutorTool, run: Run): ExecutorTool {
  const use: ToolUse = { tool, run, isAnswered: false };
  const way = (wayIn: EntryPoint) => (input: unknown, config?: unknown) =>
    runTool(use, wayIn, { input, config });
  return viewOf(tool, {
    invoke: way("invoke"),
    call: way("call"),
    // What the model is told of its input is not what the run returns.
    get returnDirect() {
      return use.isAnswered && !keeps(run, "inputErrors") ? false : tool.returnDirect;
    },
  });
}

/** A tool in one run. */
interface ToolUse {
  readonly tool: ExecutorTool;
  readonly run: Run;
  /** Whether the tool was not run the last time, and an answer given in its stead. */
  isAnswered: boolean;
}

async function runTool(
  use: ToolUse,
  way: EntryPoint,
  { input, config }: { readonly input: unknown; readonly config: unknown },
): Promise<unknown> {
  const { tool, run } = use;
  throwIfFailed(run);
  const outcome = takeOutcome(run, tool.name, input) ?? (await prepareUnplanned(tool, input, run));
  const { resolution, action } = outcome;
  use.isAnswered = resolution.kind !== "run";
  try {
    switch (resolution.kind) {
      case "unknown":
        return resolution.text;
      case "observation":
        return await observeInstead(resolution.text, config);
      case "refused":
        return await observeInstead(await answerInputError(resolution.error, run), config);
    }
  } catch (error) {
    return failRun(run, error);
  }
  const { repairs } = action;
  const { markRun = identity } = outcome;
  const planned = outcome.tool ?? tool;
  let isStarted = false;
  const onStart = () => {
    isStarted = true;
  };
  try {
    const { toolInput, parsed } = resolution;
    const input = repairs.length === 0 ? toolInput : toToolCallInput(planned, toolInput);
    const entry = way === "call" && typeof planned.call === "function" ? "call" : "invoke";
    const configured = markReported(markRun(config), planned, run.options.evidence);
    const result = await invokeOriginal(planned, entry, {
      input,
      parsed,
      config: configured,
      onStart,
    });
    return keeps(run, "toolResults") ? result : toObservation(result);
  } catch (error) {
    if (isRefusalBy(error, { tool: planned, input: resolution.toolInput, isStarted })) {
      use.isAnswered = true;
      action.valid = false;
    }
    return answerToolError(error, action, run).catch((thrown: unknown) => {
      if (keeps(run, "toolErrors") && thrown === error) throw thrown;
      return failRun(run, thrown);
    });
  }
}

/** An executor's subclass may run a tool that no plan asked for. */
async function prepareUnplanned(tool: ExecutorTool, input: unknown, run: Run): Promise<Outcome> {
  const action = { tool: tool.name, toolInput: input as string, log: "" };
  return prepareAction({ action, raw: input }, run);
}

/**
 * LangChain looks up tools in an object that has a prototype: for these names it finds functions,
 * and would run them.
 */
export function unfindableTools(run: Run): readonly ExecutorTool[] {
  return ["constructor", "__proto__"].map((name) => {
    const invoke = async () => `${name} is not a valid tool, try another one.`;
    return viewTool({ name, schema: undefined, invoke }, run);
  });
}
