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
    if (want.of("boolean").length === 0) return [];
    const answer = WORDS.get(String(value).trim().toLowerCase());
    return answer === undefined ? [] : [answer];
  },
};
