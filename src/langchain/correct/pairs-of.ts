import type { AIMessage } from "@langchain/core/messages";
import type { CorrectionSource } from "../../repair/events/event.ts";
import type { JsonValue } from "../../repair/types.ts";
import { checkMessages } from "../calls/check-messages.ts";
import { isAIMessage, isToolMessage } from "../calls/is-ai-message.ts";
import { keptCorrectionsOf } from "./kept-corrections.ts";
import { openRefusals } from "./open-refusals.ts";
import { answersAfter, readTurn, type TurnCall } from "./read-turn.ts";

/** An input that was refused, and the one that stands for it. */
export interface CorrectionPair {
  readonly toolName: string;
  /** The id of the call that was refused. */
  readonly of: string | undefined;
  /** The id of the call that stands for it; the same one where it was changed in place. */
  readonly by: string;
  /** Who replaced it. */
  readonly source: CorrectionSource;
  /** What the model wrote. */
  readonly rawToolInput: JsonValue;
  /** What ran. */
  readonly toolInput: JsonValue;
}

/**
 * Finds the inputs that were refused in a history, and what ran in their stead: given by a handler or a
 * human, corrected by the model when it was asked to, or called again later. What was called later is
 * taken for a correction only before somebody speaks again, of the same tool, and where it says
 * something that the refused input said. An input of which only length and hash were kept is in no pair
 * (see the option `record`). No log is needed for it; toolmend need not have been there.
 *
 * @param messages The messages of one thread, as `createAgent` returns them, or a checkpoint holds them in
 * `channel_values.messages`.
 * @returns The pairs, in the order of the refused calls.
 * @throws TypeError for what is not an array.
 * @example
 * ```ts
 * const { messages } = await agent.invoke({ messages: [{ role: "user", content: "Buy it." }] });
 * for (const { toolName, rawToolInput, toolInput, source } of pairsOf(messages)) {
 *   console.log(toolName, rawToolInput, "→", toolInput, source);
 * }
 * ```
 */
export function pairsOf(messages: readonly object[]): CorrectionPair[] {
  checkMessages(messages, "pairsOf(messages)");
  const found: CorrectionPair[] = [];
  let open = openRefusals();
  for (const [index, message] of messages.entries()) {
    if (isAIMessage(message)) {
      const calls = readTurn(message, answersAfter(messages, index));
      const later = open.add(calls).flatMap(({ refused, by }) => toPair(refused, by, "later-call"));
      found.push(...pairsWithin(message, calls), ...later);
    } else if (!isToolMessage(message)) open = openRefusals();
  }
  const order = orderOf(messages);
  const at = ({ of, by }: CorrectionPair) => order.get(of ?? by) ?? order.get(by) ?? 0;
  return found.sort((one, other) => at(one) - at(other));
}

/** Where each call stands. */
function orderOf(messages: readonly unknown[]): ReadonlyMap<string, number> {
  const ids = messages
    .filter(isAIMessage)
    .flatMap((message) => [
      ...keptCorrectionsOf(message).map(({ of }) => of),
      ...readTurn(message, []).map(({ id }) => id),
    ]);
  return new Map(ids.flatMap((id, at) => (id === undefined ? [] : [[id, at]])));
}

/** What was replaced before the message became part of the history, or in place. */
function pairsWithin(message: AIMessage, calls: readonly TurnCall[]): readonly CorrectionPair[] {
  const inPlace = calls.flatMap((call) => {
    const { replacedBy, hasRun } = call;
    return replacedBy && hasRun ? toPair(call, call, replacedBy) : [];
  });
  const kept = keptCorrectionsOf(message);
  const asked = kept.flatMap(({ toolName, causingData, of, by }) => {
    const alike = kept.filter((one) => one.toolName === toolName && one.by !== undefined);
    // What was refused again on the way has no call of its own that stands for it.
    const last = by ?? (alike.length === 1 ? alike[0]?.by : undefined);
    const call = calls.find(({ id, name, hasRun }) => id === last && name === toolName && hasRun);
    const refused = { id: of, name: toolName, raw: causingData };
    return call === undefined ? [] : toPair(refused, call, "self-correct");
  });
  return [...asked, ...inPlace];
}

function toPair(
  { id, name, raw }: Pick<TurnCall, "name" | "raw"> & { readonly id: string | undefined },
  { id: by, input }: TurnCall,
  source: CorrectionSource,
): readonly CorrectionPair[] {
  if (raw === undefined) return [];
  return [{ toolName: name, of: id, by, source, rawToolInput: raw, toolInput: input }];
}
