import { isOperator, wordsOf } from "../names.ts";
import { VALUES } from "../reasons.ts";
import type { Edit } from "./edit.ts";

const WORDS = new Map([
  ["yes", true],
  ["on", true],
  ["y", true],
  ["1", true],
  ["no", false],
  ["off", false],
  ["n", false],
  ["0", false],
]);

/** `"true"`, `"True"` or `"FALSE"`. */
export const readBoolean: Edit = {
  name: "read-boolean",
  level: "safe",
  cost: 1,
  propose(value, want) {
    if (typeof value !== "string" || want.of("boolean").length === 0) return [];
    if (value.length > 100) return [];
    const word = /^["'`]?(true|false)["'`]?$/i.exec(value.trim())?.[1]?.toLowerCase();
    return word === undefined ? [] : [word === "true"];
  },
};

/** `"yes"` and `"no"`, `"on"` and `"off"`, 1 and 0. */
export const readYesNo: Edit = {
  name: "read-yes-no",
  level: "eager",
  cost: 2,
  propose(value, want) {
    if (typeof value !== "string" && typeof value !== "number") return [];
    if (want.of("boolean").length === 0 || String(value).length > 100) return [];
    const word = String(value).trim().toLowerCase();
    const answer = WORDS.get(word);
    // Where only "true" is taken, it is a consent: that is to be given in so many words.
    if (!want.node.accepts(true) || !want.node.accepts(false)) return [];
    // `"no_cache": "no"` may mean no cache, and `"disabled": "on"` that it is on.
    const isTurned = isNegative(want.place.key ?? "") && (answer === false || word === "on");
    return answer === undefined || isTurned ? [] : [answer];
  },
  reason: () => VALUES.answerInAWord,
};

/** Whether what a name says is itself a denial. */
function isNegative(name: string): boolean {
  return isOperator(name) || wordsOf(name).some((word) => DENIAL.test(word));
}

/** Words that deny, by how they begin. */
const DENIAL =
  /^(?:dis|un|non|anti|de(?:ny|activ)|no$|off|hid|mut|stop|silen|suppress|without|in(?:activ|valid)|out$|prevent|block|ban|avoid|exclu|forb|refus|reject|skip|cancel|omit|ignor|restrict)/;
