import type { CallbackManager } from "@langchain/core/callbacks/manager";
import type { CallLine } from "../../evidence/log-line.ts";
import type { CallEvent } from "../../repair/events/input-event.ts";
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
    event.callId,
  );
  await run.handleToolError(plainError(event));
}

function shownInput({ raw, shape }: CallLine): string {
  const shown = raw ?? shape;
  if (shown === undefined) return "";
  return typeof shown === "string" ? shown : JSON.stringify(shown);
}

/** Tracers add an error's stack to its message. */
function plainError({ error }: CallEvent): Error {
  const plain = new Error(error?.message);
  return Object.assign(plain, { name: "ToolInputError", stack: "" });
}
