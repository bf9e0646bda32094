import {
  asFields,
  asItems,
  firstText,
  type LooseFields,
  type ReadExport,
  type RecordedCall,
} from "./read-export.ts";
import { readOfferedTools } from "./read-offered-tools.ts";
import { readOutputCalls } from "./read-output-calls.ts";

/**
 * Reads the calls in a run as LangSmith exports it: those that a model wrote, from runs of type
 * `llm`, and those that ran, from runs of type `tool`. Child runs that are in it are read, too.
 */
export const fromLangSmith: ReadExport = (entry) => {
  const run = asFields(entry);
  const children = asItems(run.child_runs).flatMap(fromLangSmith);
  const time = timeOf(run.end_time) ?? timeOf(run.start_time);
  if (time === undefined) return children;
  return [...langSmithCalls(run, time), ...children];
};

function langSmithCalls(run: LooseFields, time: number): readonly RecordedCall[] {
  const extra = asFields(run.extra);
  const metadata = asFields(extra.metadata);
  const parameters = asFields(extra.invocation_params);
  const inputs = asFields(run.inputs);
  const origin = {
    model: firstText(metadata.ls_model_name, parameters.model, parameters.model_name, inputs.model),
    provider: firstText(metadata.ls_provider),
    run: firstText(run.trace_id, run.id),
    thread: firstText(metadata.thread_id, metadata.session_id, metadata.conversation_id),
    time,
  };
  if (run.run_type === "tool") return toolRun(run, inputs).map((call) => ({ ...origin, ...call }));
  if (run.run_type !== "llm") return [];
  const offered = [
    parameters.tools,
    parameters.functions,
    asFields(parameters.toolConfig).tools,
    asFields(extra.options).tools,
    inputs.tools,
  ].map(readOfferedTools);
  const tools = offered.find((list) => list.length > 0) ?? [];
  return readOutputCalls(run.outputs).map((call) => ({ ...origin, ...call, tools, isRun: false }));
}

/** LangChain's tracer records the input of a tool as JSON text. A run that failed holds a call, too. */
function toolRun(run: LooseFields, inputs: LooseFields) {
  const name = firstText(run.name);
  if (name === undefined) return [];
  const keys = Object.keys(inputs);
  const args = keys.length === 1 && typeof inputs.input === "string" ? inputs.input : inputs;
  return [{ name, args, tools: [], truncated: false, isRun: true }];
}

/** LangSmith's times are in UTC, whether they say so or not. */
function timeOf(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value !== "string") return undefined;
  const time = Date.parse(/[Zz]$|[+-]\d\d:?\d\d$/.test(value) ? value : `${value}Z`);
  return Number.isNaN(time) ? undefined : time;
}
