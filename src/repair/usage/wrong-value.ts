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
export function wrongValue(what: string, value: unknown, { must, words = [] }: Check): TypeError {
  const hint = typeof value === "string" ? askIfMeant(value, words) : "";
  return wrongUse(`The ${what} must be ${must}, not ${nameThing(value)}.${hint}`);
}
