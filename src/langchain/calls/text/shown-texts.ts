import type { BaseMessage } from "@langchain/core/messages";
import { compileSchema } from "../../../repair/schema/compile-schema.ts";
import type { ToolLike } from "../../../repair/types.ts";
import { isAIMessage } from "../is-ai-message.ts";

/** A text that a model was shown. */
export interface ShownText {
  readonly text: string;
  /** Who wrote it: a user may ask for a call in its own words, and a developer explains his tools. */
  readonly by: "user" | "developer" | "stranger";
}

/**
 * Collects what a model was shown: all text in its messages, the arguments of its own calls, which
 * may hold text of others, and how its tools are described.
 *
 * @param messages The messages.
 * @param tools The tools that were offered.
 */
export function shownTexts(
  messages: readonly BaseMessage[],
  tools: readonly ToolLike[] = [],
): readonly ShownText[] {
  const said = messages.flatMap((message) => {
    const args = isAIMessage(message)
      ? [...(message.tool_calls ?? []), ...(message.invalid_tool_calls ?? [])].map(
          (call) => call.args,
        )
      : [];
    const by = authorOf(message);
    return [message.content, ...args].map((value) => ({ text: shownText(value), by }));
  });
  const told = tools.flatMap(({ description = "", schema }) => [
    description,
    ...descriptionsIn(compileSchema(schema).jsonSchema, 0),
  ]);
  return [...said, ...told.map((text) => ({ text, by: "developer" as const }))];
}

/**
 * Makes one text of a value.
 *
 * @param value Text, or anything that holds text.
 */
export function shownText(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "";
  }
}

const MAX_DEPTH = 20;

/** What a schema says of its places. */
function descriptionsIn(schema: unknown, depth: number): readonly string[] {
  if (depth > MAX_DEPTH || typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === "description" && typeof value === "string" ? [value] : descriptionsIn(value, depth + 1),
  );
}

function authorOf(message: BaseMessage): ShownText["by"] {
  const type = message._getType();
  if (type === "human") return "user";
  return type === "system" || type === "developer" ? "developer" : "stranger";
}
