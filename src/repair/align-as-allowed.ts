import {
  type Aligned,
  type AlignRequest,
  alignToolInput,
  type NotAligned,
} from "./align/align-tool-input.ts";
import type { Steps } from "./drive.ts";
import { allowsEdit, allowsMore, type EditPolicy } from "./edit-switches.ts";

/** That nothing was looked for. */
export const NOT_ALIGNED: NotAligned = { ok: false, reason: "none", hints: new Map() };

/**
 * Repairs an input by its schema, as far as the level and the switches of single edits allow. The
 * search is that of a level: what it finds is taken if all its edits are allowed. So an edit that is
 * switched off never makes room for a dearer repair, nor one that is switched on for a guess between two.
 *
 * @param request The input and its schema.
 * @param policy The level and the switches.
 * @returns The repaired input, or why there is none.
 */
export function* alignAsAllowed(
  request: Omit<AlignRequest, "level">,
  policy: EditPolicy,
): Steps<Aligned | NotAligned> {
  const level = levelOf(policy);
  if (level === undefined) return NOT_ALIGNED;
  const found = yield* alignToolInput({ ...request, level });
  if (found.ok) return areAllowed(found, policy) ? found : NOT_ALIGNED;
  if (found.reason !== "none" || level === "eager" || !allowsMore(policy)) return found;
  const further = yield* alignToolInput({ ...request, level: "eager" });
  return further.ok && areAllowed(further, policy) ? further : found;
}

/** The level to search at first; at `strict`, only where an edit is switched on. */
function levelOf(policy: EditPolicy): "safe" | "eager" | undefined {
  if (policy.level !== "strict") return policy.level;
  return allowsMore(policy) ? "safe" : undefined;
}

function areAllowed({ repairs }: Aligned, policy: EditPolicy): boolean {
  return repairs.every((repair) => allowsEdit(policy, repair));
}
