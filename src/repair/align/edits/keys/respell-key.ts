import { absentKeys, rekey, undeclaredKeys, withKeyRenamed } from "../../keys.ts";
import { foldName } from "../../names.ts";
import { fitCost, type KeyStep, uniquePairs } from "./key-step.ts";

/**
 * A key that differs from a declared one in case, separators, or signs and control tokens around
 * it: `filePath` for `file_path`, `"city "` for `city`. Not where the declared key is there too.
 */
export const respellKey: KeyStep = {
  name: "respell-key",
  level: "safe",
  cost: 1,
  take(keyed, want) {
    const unknown = undeclaredKeys(keyed.object, want.variant);
    if (unknown.length === 0) return keyed;
    const byFold = new Map<string, string[]>();
    for (const name of absentKeys(keyed.object, want.variant)) {
      const folded = foldName(bare(name));
      byFold.set(folded, [...(byFold.get(folded) ?? []), name]);
    }
    const namesOf = (key: string) => {
      const folded = foldName(bare(key));
      return folded === "" ? [] : (byFold.get(folded) ?? []);
    };
    return uniquePairs(unknown, namesOf)
      .filter(([from, to]) => fitCost(keyed.object[from], to, want) !== undefined)
      .reduce(
        (done, [from, to]) => rekey(done, this, { object: withKeyRenamed(done.object, from, to) }),
        keyed,
      );
  },
};

/** Without control tokens and tags that leaked from a chat template: `city<|end|>`, `city</arg>`. */
function bare(key: string): string {
  return key.replace(/<[|/].*$/s, "");
}
