import { notLoaded } from "../drive.ts";
import { showValue } from "../json/json-value.ts";
import { toolNames } from "../tool-names.ts";
import type { AgentAction, ToolCall, ToolLike } from "../types.ts";
import { toCausingData } from "./causing-data.ts";
import { ISSUE } from "./refusal-reason.ts";
import { ToolInputError } from "./tool-input-error.ts";

/**
 * Makes the error of a call of a tool that was not offered.
 *
 * @param name The name as the model wrote it.
 * @param args What the model wrote as its input.
 * @param tools The tools that were offered.
 * @param about The tool that was probably meant, why the name could not be repaired, and the call or
 * action.
 */
export function unknownToolError(
  name: string,
  args: unknown,
  tools: readonly ToolLike[],
  about: {
    readonly didYouMean?: string | undefined;
    readonly cause?: unknown;
    readonly action?: AgentAction | undefined;
    readonly toolCall?: ToolCall | undefined;
  },
): ToolInputError {
  const { didYouMean, cause, action, toolCall } = about;
  const known = toolNames(tools)
    .map((one) => showValue(one))
    .join(", ");
  const issue = {
    path: "",
    code: ISSUE.unknownTool,
    message: `there is no tool of that name; there are ${known || "none"}`,
    expected: known === "" ? "no tool call" : `one of ${known}`,
    received: showValue(name),
    ...(didYouMean === undefined ? {} : { didYouMean: showValue(didYouMean) }),
  };
  const causingData = toCausingData(args);
  const issues = cause === undefined ? [issue] : [issue, notLoaded()];
  return new ToolInputError({ toolName: name, causingData, issues, action, toolCall, cause });
}
