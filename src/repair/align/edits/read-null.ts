import type { Edit } from "./edit.ts";
import { saysAbsent } from "./omissions.ts";

/** `"null"`, `"None"` or `""` where `null` may stand and the text may not. */
export const readNull: Edit = {
  name: "read-null",
  level: "safe",
  cost: 1,
  propose(value, want) {
    const { node, run } = want;
    if (typeof value !== "string" || want.of("null").length === 0) return [];
    // Python's word for null: what is put in is said, and no default comes in its place.
    return saysAbsent(value, node, run.eager) || value.trim() === "None" ? [null] : [];
  },
};
