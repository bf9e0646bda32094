import { jsonEquals } from "../../repair/json/json-value.ts";
import type { ResolvedCall } from "./resolve-calls.ts";

/**
 * Puts the calls that a model made when it was asked to correct itself in the place of those that
 * were refused: of the same tool first, then in order. Calls that were accepted before keep their
 * place; a call that does one of them over again is left out; what is left is added at the end.
 *
 * @param before The calls before.
 * @param made The calls that were made now.
 */
export function replaceRefused(
  before: readonly ResolvedCall[],
  made: readonly ResolvedCall[],
): readonly ResolvedCall[] {
  const left = made.filter((call) => !before.some((held) => isSame(held, call)));
  const take = (suits: (call: ResolvedCall) => boolean): ResolvedCall | undefined => {
    const index = left.findIndex(suits);
    return index < 0 ? undefined : left.splice(index, 1)[0];
  };
  const byName = before.map((call) =>
    call.kind === "refused" ? (take(({ name }) => name === call.name) ?? call) : call,
  );
  const inOrder = byName.map((call, index) =>
    call === before[index] && call.kind === "refused" ? (take(() => true) ?? call) : call,
  );
  return [...inOrder, ...left];
}

function isSame(held: ResolvedCall, call: ResolvedCall): boolean {
  return (
    held.kind === "run" &&
    call.kind === "run" &&
    held.name === call.name &&
    jsonEquals(held.toolInput, call.toolInput)
  );
}
