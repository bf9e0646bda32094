import { askIfMeant } from "../closest-name.ts";
import { wrongUse } from "../errors/usage-error.ts";
import type { Check } from "./checks.ts";
import { nameThing } from "./name-thing.ts";

/**
 * Makes the error of a value that is not what it must be.
 *
 * @param what What has the value: `option "level" of wrapTool`.
 * @param value The value.
 * @param check What it must be.
 */
export function wrongValue(what: string, value: unknown, check: Check): TypeError {
  const { must, words = [], each } = check;
  if (each !== undefined && Array.isArray(value)) {
    const at = value.findIndex((one) => !each.isMet(one));
    return wrongValue(`element ${at} of the ${what}`, value[at], each);
  }
  const hint = typeof value === "string" ? askIfMeant(value, words) : "";
  return wrongUse(`The ${what} must be ${must}, not ${nameThing(value)}.${hint}`);
}
