import { type Schema, ucs2length } from "@cfworker/json-schema";
import { lazy } from "../drive.ts";
import type { Check, Checking } from "./checking.ts";
import { type Keywords, toRegExp } from "./keywords.ts";
import { validator } from "./validator.ts";

/** The longest candidate of which a format is checked. */
const MAX_FORMATTED = 10_000;

/** The check of `type`. */
export function checkType(type: unknown): Check {
  if (Array.isArray(type)) {
    const types = type.map((one) => (one === "integer" ? isWhole : checkType(one)));
    return (value) => types.some((check) => check(value));
  }
  switch (type) {
    case "string":
    case "boolean":
    case "number":
      return (value) => typeof value === type;
    case "integer":
      return isWhole;
    case "null":
      return (value) => value === null;
    case "array":
      return Array.isArray;
    case "object":
      return (value) => typeof value === "object" && value !== null && !Array.isArray(value);
    default:
      return () => false;
  }
}

function isWhole(value: unknown): boolean {
  return typeof value === "number" && value % 1 === 0;
}

/** The checks of the bounds of a number. */
export function checkNumbers(keywords: Keywords, checking: Checking): Check[] {
  const { draft, ask } = checking;
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = keywords as Schema;
  const bounds = [minimum, maximum, exclusiveMinimum, exclusiveMaximum];
  if (bounds.every((bound) => bound === undefined)) return [];
  if (draft === "4" || bounds.some((bound) => bound !== undefined && typeof bound !== "number")) {
    checking.needsValidator = true;
    const own = { minimum, maximum, exclusiveMinimum, exclusiveMaximum } as Schema;
    return [(value) => ask(value, own)];
  }
  const [above, below] = [exclusiveMinimum, exclusiveMaximum] as (number | undefined)[];
  return [
    (value) =>
      typeof value !== "number" ||
      !(
        (minimum !== undefined && value < minimum) ||
        (maximum !== undefined && value > maximum) ||
        (above !== undefined && value <= above) ||
        (below !== undefined && value >= below)
      ),
  ];
}

/** The checks of a text's length, pattern and format. */
export function checkTexts(keywords: Keywords, checking: Checking): Check[] {
  const { minLength, maxLength, pattern, format: name } = keywords;
  const checks: ((text: string) => boolean)[] = [];
  if (minLength !== undefined || maxLength !== undefined) {
    const least = (minLength ?? 0) as number;
    const most = (maxLength ?? Number.POSITIVE_INFINITY) as number;
    checks.push((text) => hasLength(text, least, most));
  }
  const expression = pattern === undefined ? undefined : toRegExp(pattern as string);
  if (expression !== undefined) {
    // Only a candidate is guarded: then the validator is there.
    const longest = lazy(() => validator().longestFor(pattern as string));
    checks.push(
      (text) => !(checking.isGuarded && text.length > longest()) && expression.test(text),
    );
  }
  if (typeof name === "string") {
    checking.needsValidator = true;
    checks.push((text) => {
      const { format } = validator();
      if (!Object.hasOwn(format, name)) return true;
      if (checking.isGuarded && text.length > MAX_FORMATTED) return false;
      return Boolean(format[name]?.(text));
    });
  }
  if (checks.length === 0) return [];
  return [(value) => typeof value !== "string" || checks.every((check) => check(value))];
}

/** A character is one or two units: only where that matters are they counted. */
function hasLength(text: string, least: number, most: number): boolean {
  if (text.length >= 2 * least && text.length <= most) return true;
  const length = ucs2length(text);
  return length >= least && length <= most;
}
