import { askIfMeant } from "../closest-name.ts";
import { wrongUse } from "../errors/usage-error.ts";
import type { Check } from "./checks.ts";
import { isPlainRecord } from "./is-plain-record.ts";
import { nameThing } from "./name-thing.ts";
import { wrongValue } from "./wrong-value.ts";

/** The options of one function: how it is called, and what each of them must be. */
export interface OptionsUsage {
  /** The function. */
  readonly of: string;
  /** A call of it with options, to be shown in errors. */
  readonly example: string;
  readonly checks: Readonly<Record<string, Check>>;
}

/** What was checked before: options that serve many calls are looked at once. */
const checked = new WeakMap<object, OptionsUsage>();

/**
 * Checks options by name and value, so that a misspelt one does not pass in silence.
 *
 * @param options The options as they were given; `undefined` is fine, and so is every option that
 * is `undefined`.
 * @param usage What they may be.
 * @throws TypeError when they are not an object of options, one is unknown, or one has a value that it
 * cannot have; it says what to write.
 */
export function checkOptions(options: unknown, usage: OptionsUsage): void {
  if (options === undefined || checked.get(options as object) === usage) return;
  assertOptionsObject(options, usage);
  checkNames(usage.of, options, usage.checks);
  checked.set(options, usage);
}

function assertOptionsObject(
  options: unknown,
  { of, example }: OptionsUsage,
): asserts options is object {
  const isPlain = isPlainRecord(options);
  const kind = nameThing(options);
  if (isPlain && kind === "an object") return;
  const what = kind === "an object" ? "an object that inherits" : kind;
  throw wrongUse(`The options of ${of} must be an object, as in ${example}; this is ${what}.`);
}

function checkNames(of: string, options: object, checks: Readonly<Record<string, Check>>): void {
  for (const [name, value] of Object.entries(options)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (check === undefined) throw unknownOption(of, name, Object.keys(checks));
    if (value !== undefined) checkValue(of, name, value, check);
  }
}

function checkValue(of: string, name: string, value: unknown, check: Check): void {
  if (check.isMet(value)) {
    const isObject = typeof value === "object" && value !== null;
    if (check.parts && isObject) checkNames(`${of}, in "${name}"`, value, check.parts);
    return;
  }
  throw wrongValue(`option "${name}" of ${of}`, value, check);
}

function unknownOption(of: string, name: string, names: readonly string[]): TypeError {
  const shown = `${names.slice(0, 24).join(", ")}${names.length > 24 ? ", …" : ""}`;
  const hint = askIfMeant(name, names) || ` Its options are ${shown}.`;
  return wrongUse(`There is no option "${name}" of ${of}.${hint}`);
}
