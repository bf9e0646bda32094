import {
  asFields,
  asItems,
  firstText,
  type LooseFields,
  type ReadExport,
  toRecordedCalls,
} from "./read-export.ts";
import { readOfferedTools, readOutputCalls } from "./read-output.ts";

/**
 * Reads the calls of a run that LangSmith exported, and of its child runs: a
 * model's output, or a tool's input.
 */
export const fromLangSmith: ReadExport = (entry) => {
  const run = asFields(entry);
  const inputs = asFields(run.inputs);
  const extra = asFields(run.extra);
  const metadata = asFields(extra.metadata);
  const parameters = asFields(extra.invocation_params);
  const offered = [
    parameters.tools,
    parameters.functions,
    asFields(parameters.toolConfig).tools,
    asFields(extra.options).tools,
    inputs.tools,
  ];
  const calls = toRecordedCalls({
    origin: {
      model: firstText(
        metadata.ls_model_name,
        parameters.model,
        parameters.model_name,
        inputs.model,
      ),
      provider: firstText(metadata.ls_provider),
      run: firstText(run.trace_id, run.id),
      thread: firstText(
        metadata.thread_id,
        metadata.session_id,
        metadata.conversation_id,
      ),
      time: timeOf(run.end_time) ?? timeOf(run.start_time) ?? Number.NaN,
    },
    ran:
      run.run_type === "tool"
        ? callOfTool(firstText(run.name), inputs)
        : undefined,
    written: run.run_type === "llm" ? readOutputCalls(run.outputs) : [],
    offered: offered.map(readOfferedTools),
  });
  return [...calls, ...asItems(run.child_runs).flatMap(fromLangSmith)];
};

/**
 * LangChain's tracer records the input of a tool as JSON text. A run that
 * failed holds a call, too.
 */
function callOfTool(name: string | undefined, inputs: LooseFields) {
  if (name === undefined) return undefined;
  const isText =
    Object.keys(inputs).length === 1 && typeof inputs.input === "string";
  return { name, args: isText ? inputs.input : inputs };
}

/** LangSmith's times are in UTC, whether they say so or not. */
function timeOf(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value !== "string") return undefined;
  const time = Date.parse(
    /[Zz]$|[+-]\d\d:?\d\d$/.test(value) ? value : `${value}Z`,
  );
  return Number.isNaN(time) ? undefined : time;
}
