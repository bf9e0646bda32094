import { wrongUse } from "../errors/usage-error.ts";
import { nameThing } from "./name-thing.ts";

const OF = "repairToolCall(call, tools, options)";

/**
 * Checks that something is a tool call as LangChain has it.
 *
 * @param call What was given.
 * @throws TypeError when it is not; of a call as a provider has it, it says how to hand it on.
 */
export function checkToolCall(call: unknown): void {
  if (call === null || typeof call !== "object" || Array.isArray(call)) {
    throw wrongUse(`${OF} needs a call { name, args, id? }; this is ${nameThing(call)}.`);
  }
  const { name, function: called, toolName } = call as Record<string, unknown>;
  if (typeof name === "string") return;
  if (called !== null && typeof called === "object" && "name" in called) {
    throw wrongUse(
      `${OF} needs a call { name, args, id? }; of OpenAI's, hand on { name: call.function.name, args: call.function.arguments, id: call.id }.`,
    );
  }
  if (typeof toolName === "string") {
    throw wrongUse(
      `${OF} needs a call { name, args, id? }; of the AI SDK's, hand on { name: call.toolName, args: call.input, id: call.toolCallId }.`,
    );
  }
  throw wrongUse(
    `${OF} needs a call { name, args, id? }; the name of this one is ${nameThing(name)}.`,
  );
}
