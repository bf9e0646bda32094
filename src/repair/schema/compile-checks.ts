import {
  deepCompareStrict,
  dereference,
  type Schema,
  type SchemaDraft,
} from "@cfworker/json-schema";
import { OverLimit } from "../limits.ts";
import type { JsonSchema } from "../types.ts";
import { checkArrays } from "./check-arrays.ts";
import { checkObjects } from "./check-objects.ts";
import { checkNumbers, checkTexts, checkType } from "./check-scalars.ts";
import { type Check, type Checking, type Part, targetOf } from "./checking.ts";
import type { Fault } from "./find-faults.ts";
import { isWellFormed, type Keywords, toRegExp } from "./keywords.ts";
import { copySchema } from "./schema-copy.ts";
import { validator } from "./validator.ts";

/** A JSON Schema made into functions: what `@cfworker/json-schema` says, without reading it each time. */
export interface Checks {
  /** A copy of the schema, marked as the validator marks what it reads. */
  readonly root: Part;
  readonly lookup: Checking["lookup"];
  /** Whether the validator is asked about some keyword, so that it must be loaded first. */
  readonly needsValidator: boolean;
  /** Whether the schema accepts a value. */
  readonly accepts: Check;
  /** What the schema has against a value; the validator must be loaded. */
  readonly faults: (value: unknown) => readonly Fault[];
  /** Whether a part of `root` accepts a candidate, dear patterns aside. */
  readonly acceptsCandidate: (value: unknown, part: JsonSchema) => boolean;
}

/** Keywords that depend on what others looked at, or on the place from which they are reached. */
const DYNAMIC = ["unevaluatedProperties", "unevaluatedItems", "$recursiveRef", "$recursiveAnchor"];

/** Keywords that are rare: the validator is asked, about them alone. */
const DELEGATED =
  "multipleOf contains minContains maxContains dependentRequired dependentSchemas dependencies propertyNames minProperties maxProperties".split(
    " ",
  );

/** The most branches of unions and references that one look at a value goes through. */
const MAX_BRANCHES = 5_000_000;

/**
 * Compiles a JSON Schema into closures; no text is ever made into code.
 *
 * @param schema The schema. It is copied, because the validator marks what it reads.
 * @param draft The draft by which it is read.
 */
export function compileChecks(schema: JsonSchema, draft: SchemaDraft): Checks {
  const root = copySchema(schema) as Part;
  const lookup = dereference(root as Schema) as Record<string, Part>;
  const known = new Map<object, Check>();
  let branches = 0;
  const isCompiled = Object.values(lookup).every((part) => isCompilable(part, lookup));
  const checking: Checking = {
    draft,
    lookup,
    of,
    ask: (value, part) =>
      validator().validate(value, part, draft, lookup as Record<string, Schema>).valid,
    isCompiled,
    needsValidator: !isCompiled,
    isGuarded: false,
  };

  function of(part: Part): Check {
    if (part === true) return isAnything;
    if (part === false) return acceptsNothing;
    if (!checking.isCompiled) return (value) => checking.ask(value, part);
    const found = known.get(part);
    if (found !== undefined) return found;
    let made: Check = acceptsNothing;
    // For a schema that is inside itself.
    known.set(part, (value) => made(value));
    made = compile(part as Keywords);
    known.set(part, made);
    return made;
  }

  function compile(keywords: Keywords): Check {
    const { $ref, type, const: only, enum: values } = keywords;
    const checks: Check[] = [];
    if ($ref !== undefined) {
      const target = counted(of(targetOf(keywords, lookup) as Part));
      if (draft === "4" || draft === "7") return target;
      checks.push(target);
    }
    if (type !== undefined) checks.push(checkType(type));
    if (only !== undefined) checks.push(isOneOf([only]));
    if (Array.isArray(values)) checks.push(isOneOf(values));
    checks.push(...unionsOf(keywords));
    checks.push(...checkObjects(keywords, checking), ...checkArrays(keywords, checking));
    checks.push(...checkNumbers(keywords, checking), ...checkTexts(keywords, checking));
    const rare = Object.fromEntries(
      DELEGATED.filter((keyword) => keyword in keywords).map((key) => [key, keywords[key]]),
    );
    if (Object.keys(rare).length > 0) {
      checking.needsValidator = true;
      checks.push((value) => checking.ask(value, rare as Schema));
    }
    // A reference and nothing else is what it refers to, so that the same twice is seen to be.
    const isAlone = checks.length === 1 && $ref !== undefined;
    return all(type === undefined && !isAlone ? [isJsonLike, ...checks] : checks);
  }

  function unionsOf(keywords: Keywords): Check[] {
    const { not, anyOf, allOf, oneOf, if: condition } = keywords;
    const checks: Check[] = [];
    if (not !== undefined) {
      const forbidden = of(not as Part);
      checks.push((value) => !forbidden(value));
    }
    if (Array.isArray(anyOf)) {
      const ways = unique(anyOf.map((part) => counted(of(part as Part))));
      checks.push((value) => ways.some((way) => way(value)));
    }
    if (Array.isArray(allOf)) checks.push(all(allOf.map((part) => counted(of(part as Part)))));
    if (Array.isArray(oneOf)) {
      const ways = oneOf.map((part) => counted(of(part as Part)));
      checks.push((value) => ways.filter((way) => way(value)).length === 1);
    }
    if (condition !== undefined) {
      const test = of(condition as Part);
      const [then, otherwise] = [keywords.then, keywords.else].map((part) =>
        of((part ?? true) as Part),
      );
      checks.push((value) => Boolean(test(value) ? then?.(value) : otherwise?.(value)));
    }
    return checks;
  }

  const countedChecks = new Map<Check, Check>();

  /** References and unions are what can double the work at every level. */
  function counted(check: Check): Check {
    const found = countedChecks.get(check);
    if (found !== undefined) return found;
    const counting: Check = (value) => {
      branches += 1;
      if (branches > MAX_BRANCHES) throw new OverLimit("maxSteps", MAX_BRANCHES);
      return check(value);
    };
    countedChecks.set(check, counting);
    countedChecks.set(counting, counting);
    return counting;
  }

  const whole = of(root);
  return {
    root,
    lookup,
    needsValidator: checking.needsValidator,
    accepts(value) {
      branches = 0;
      return whole(value);
    },
    faults(value) {
      branches = 0;
      return validator().findFaults(value, { schema, root, checking });
    },
    acceptsCandidate(value, part) {
      branches = 0;
      checking.isGuarded = true;
      try {
        return of(part as Part)(value);
      } finally {
        checking.isGuarded = false;
      }
    },
  };
}

function isCompilable(part: Part, lookup: Checking["lookup"]): boolean {
  if (typeof part !== "object") return true;
  if (!isWellFormed(part)) return false;
  const { pattern, patternProperties = {}, $ref } = part;
  const patterns = [...(pattern === undefined ? [] : [pattern]), ...Object.keys(patternProperties)];
  return (
    DYNAMIC.every((keyword) => !(keyword in part)) &&
    patterns.every((source) => toRegExp(source) !== undefined) &&
    ($ref === undefined || targetOf(part, lookup) !== undefined)
  );
}

function unique(checks: readonly Check[]): readonly Check[] {
  return [...new Set(checks)];
}

function all(given: readonly Check[]): Check {
  const checks = unique(given);
  const [first, second, third] = checks;
  if (first === undefined) return isAnything;
  if (second === undefined) return first;
  if (third === undefined) return (value) => first(value) && second(value);
  return (value) => {
    for (let index = 0; index < checks.length; index++) {
      if (!(checks[index] as Check)(value)) return false;
    }
    return true;
  };
}

function isOneOf(values: readonly unknown[]): Check {
  const scalars = new Set(values);
  return (value) =>
    typeof value === "object" && value !== null
      ? values.some((one) => deepCompareStrict(value, one))
      : scalars.has(value) && !Number.isNaN(value);
}

/** The validator throws at what is no JSON, and so do its checks. */
function isJsonLike(value: unknown): boolean {
  switch (typeof value) {
    case "undefined":
    case "function":
    case "symbol":
    case "bigint":
      throw new TypeError(`Instances of "${typeof value}" type are not supported.`);
    default:
      return true;
  }
}

function isAnything(): boolean {
  return true;
}

function acceptsNothing(): boolean {
  return false;
}
