import type { CallbackManager } from "@langchain/core/callbacks/manager";
import type { CallLine } from "../../evidence/log-line.ts";
import type { CallEvent } from "../../repair/events/event.ts";
import type { RunMarks } from "./marks-of.ts";

/** A call that was not run, and how it is shown. */
export interface RefusedCallRun {
  readonly event: CallEvent;
  /** What is told of it. */
  readonly line: CallLine;
  readonly marks: RunMarks;
  /** The callbacks of the run that it was made in. They are not changed. */
  readonly manager: CallbackManager;
}

/**
 * Shows a call that was not run as a run of its tool that failed: LangChain begins no run for it, so
 * that dashboards and tracers, which go by runs, would not know of it.
 *
 * @param call The call.
 */
export async function failToolRun({ event, line, marks, manager }: RefusedCallRun): Promise<void> {
  const own = manager.copy();
  for (const handler of manager.handlers) {
    if (handler.name === TOOL_STREAM) own.removeHandler(handler);
  }
  own.addTags([...marks.tags], false);
  own.addMetadata({ ...marks.metadata }, false);
  const { tool } = line;
  const serialized = { lc: 1, type: "not_implemented" as const, id: ["toolmend", tool] };
  const run = await own.handleToolStart(
    serialized,
    shownInput(line),
    undefined,
    undefined,
    undefined,
    undefined,
    tool,
    line.call,
  );
  await run.handleToolError(plainError(event));
}

/**
 * LangGraph's stream of tools, of which LangChain's events make promises: that of a tool that failed is
 * rejected, and where nobody awaits it, Node.js ends the process. No tool was begun here.
 */
const TOOL_STREAM = "StreamToolsHandler";

/** Always JSON, as that of LangChain's own runs: its events parse it, and a run dies of what is none. */
function shownInput({ raw, shape }: CallLine): string {
  return JSON.stringify(raw ?? shape ?? {});
}

/** Tracers add an error's stack to its message. */
function plainError({ error }: CallEvent): Error {
  const plain = new Error(error?.message);
  return Object.assign(plain, { name: "ToolInputError", stack: "" });
}
