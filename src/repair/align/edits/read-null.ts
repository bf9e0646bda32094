import type { Edit } from "./edit.ts";
import { saysAbsent } from "./omissions.ts";

/** `"null"`, `"None"` or `""` where `null` may stand and the text may not. */
export const readNull: Edit = {
  name: "read-null",
  level: "safe",
  cost: 1,
  propose(value, want) {
    const { node, run } = want;
    const isNothing = typeof value === "string" && saysAbsent(value, node, run.eager);
    return isNothing && want.of("null").length > 0 ? [null] : [];
  },
};
