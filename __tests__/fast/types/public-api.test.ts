import { expect, test } from "@jest/globals";
import { PUBLIC_EXPORTS } from "../../support/public-exports.ts";

/**
 * Every public name, by entry. Each one is semver surface: a name that users need not write is not
 * exported.
 */
const API = {
  index: `createFixerRegistry isToolInputParsingException normalizeIntermediateSteps preload
    repairToolCall repairToolInput ToolInputError wrapAgentExecutor wrapTool wrapTools
    CommonOptions EvidenceSink FixContext Fixer FixerRegistry InputEvent InputIssue JsonValue OnUnfixable RefusalReason Repair
    RepairLevel RepairLevelOption RepairOptions RepairResult ToolCallRepairResult ToolInput ToolLike TypedAgentStep
    WrapAgentExecutorOptions WrappedAgentExecutor WrapToolOptions`,
  core: `createFixerRegistry isToolInputParsingException preload readTextCalls repairToolCall
    repairToolInput repairToolInputSync ToolInputError
    CommonOptions EvidenceSink FixContext Fixer FixerRegistry InputEvent InputIssue JsonValue RefusalReason Repair RepairLevel
    RepairLevelOption RepairOptions RepairResult TextCalls ToolCallRepairResult ToolInput ToolLike`,
  fixers: "coerceTo mapValue renameKey splitList unwrapKey wrapValue",
  middleware: "toolInputMiddleware ToolInputMiddleware ToolInputMiddlewareOptions",
  messages: `readTextCalls readToolCalls repairCondition repairNode repairToolCalls settleToolCalls
    ReadToolCall RepairMessageOptions TextCalls`,
  evidence: "jsonlSink otelSink EvidenceSink InputEvent JsonlSinkOptions LogLine OtelSinkOptions",
  mcp: "repairCalls McpOptions",
  register: "globalFixers register unregister RegisterOptions",
};

test.each(Object.entries(API))("the entry %s exports these names and no others", (entry, names) => {
  const exported = PUBLIC_EXPORTS.get(entry)?.map(({ name }) => name) ?? [];
  expect([...new Set(exported)].sort()).toEqual(names.split(/\s+/).sort());
});
