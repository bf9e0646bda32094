import type { Check } from "./checks.ts";
import { wrongValue } from "./wrong-value.ts";

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
  for (const [name, [value, check]] of Object.entries(args)) {
    if (!check.isMet(value)) throw wrongValue(`${name} of ${call}`, value, check);
  }
}
