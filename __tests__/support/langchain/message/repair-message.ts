import type { AIMessage } from "@langchain/core/messages";
import { type RepairMessageOptions, repairToolCalls } from "toolmend/messages";

/** Repairs a message as a hand-written loop does; rejected calls become invalid ones. */
export async function repairMessage(
  message: AIMessage,
  tools: readonly unknown[],
  options: RepairMessageOptions = {},
): Promise<AIMessage> {
  return repairToolCalls(tools, { onUnfixable: "tellModel", ...options }).invoke(message);
}
