import { SWITCHABLE_EDITS } from "../edit-switches.ts";
import { LEVELS } from "../level-allows.ts";
import { UNDECLARED_POLICIES } from "../undeclared-policy.ts";
import { aBoolean, type Check, either, oneOf, optionsOf } from "./checks.ts";

/** What a level must be. */
export const aLevel: Check = oneOf(...LEVELS);

/** What a policy for undeclared keys must be. */
export const anUndeclaredPolicy: Check = either(oneOf(...UNDECLARED_POLICIES), {
  must: "{ allow: [names] }",
  isMet: (value) => isNames((value as { allow?: unknown } | null)?.allow),
});

/** Where an object may become text. */
export const aTextPolicy: Check = either(aBoolean, {
  must: 'an array of JSON Pointers, as in ["/body"]',
  isMet: (value) => isNames(value) && value.every((path) => path === "" || path.startsWith("/")),
});

/** Which single edits may be switched on and off. */
export const editSwitches: Check = {
  ...optionsOf(Object.fromEntries(SWITCHABLE_EDITS.map((name) => [name, aBoolean]))),
  must: 'an object such as { "correct-key": true }',
};

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}
