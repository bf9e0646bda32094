import { closestName } from "../closest-name.ts";
import { wrongUse } from "../errors/usage-error.ts";
import type { Check } from "./checks.ts";
import { nameThing } from "./name-thing.ts";

/**
 * Checks the arguments of a function.
 *
 * @param call How it is called: `renameKey(from, to, at?)`.
 * @param args Each argument by its name, and what it must be.
 * @throws TypeError when one is not what it must be.
 */
export function checkArguments(
  call: string,
  args: Readonly<Record<string, readonly [value: unknown, check: Check]>>,
): void {
  for (const [name, [value, { must, isMet, words = [] }]] of Object.entries(args)) {
    if (isMet(value)) continue;
    const close = typeof value === "string" ? closestName(value, words) : undefined;
    const hint = close === undefined ? "" : ` Did you mean "${close}"?`;
    throw wrongUse(`The ${name} of ${call} must be ${must}, not ${nameThing(value)}.${hint}`);
  }
}
