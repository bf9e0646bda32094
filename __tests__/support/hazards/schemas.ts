import * as z3 from "zod/v3";
import * as z4 from "zod/v4";

/** A schema available as JSON Schema, zod 4 and zod 3: a hazard must not depend on the kind. */
export interface Spec {
  readonly json: { readonly [keyword: string]: unknown };
  readonly four: z4.ZodType;
  readonly three: z3.ZodTypeAny;
}

/** The schemas of an object's properties; a name that ends in `?` is optional. */
interface Shape {
  readonly [name: string]: Spec;
}

export type Form = "JSON Schema" | "zod 4" | "zod 3";

export const forms: readonly Form[] = ["JSON Schema", "zod 4", "zod 3"];

/** The schema in one of its forms. */
export function inForm({ json, four, three }: Spec, form: Form): unknown {
  if (form === "JSON Schema") return json;
  return form === "zod 4" ? four : three;
}

export const text: Spec = {
  json: { type: "string" },
  four: z4.string(),
  three: z3.string(),
};

export const number: Spec = { json: { type: "number" }, four: z4.number(), three: z3.number() };

export const whole: Spec = {
  json: { type: "integer" },
  four: z4.number().int(),
  three: z3.number().int(),
};

export const flag: Spec = { json: { type: "boolean" }, four: z4.boolean(), three: z3.boolean() };

export const anything: Spec = { json: {}, four: z4.unknown(), three: z3.unknown() };

export const email: Spec = {
  json: { type: "string", format: "email" },
  four: z4.email(),
  three: z3.string().email(),
};

export const link: Spec = {
  json: { type: "string", format: "uri" },
  four: z4.url(),
  three: z3.string().url(),
};

export function list(items: Spec): Spec {
  return {
    json: { type: "array", items: items.json },
    four: z4.array(items.four),
    three: z3.array(items.three),
  };
}

export function choice(...values: [string, ...string[]]): Spec {
  return {
    json: { type: "string", enum: values },
    four: z4.enum(values),
    three: z3.enum(values),
  };
}

export function constant(value: string | number | boolean): Spec {
  return { json: { const: value }, four: z4.literal(value), three: z3.literal(value) };
}

/** A map with the caller's own keys. */
export function record(values: Spec): Spec {
  return {
    json: { type: "object", additionalProperties: values.json },
    four: z4.record(z4.string(), values.four),
    three: z3.record(values.three),
  };
}

/** An object that forbids undeclared keys. */
export function closed(shape: Shape): Spec {
  const { json, four, three } = objectOf(shape);
  return {
    json: { ...json, additionalProperties: false },
    four: z4.strictObject(four),
    three: z3.object(three).strict(),
  };
}

/** An object that ignores undeclared keys: zod strips them, JSON Schema accepts them. */
export function open(shape: Shape): Spec {
  const { json, four, three } = objectOf(shape);
  return { json, four: z4.object(four), three: z3.object(three) };
}

/** An object that welcomes undeclared keys. */
export function welcoming(shape: Shape): Spec {
  const { json, four, three } = objectOf(shape);
  return {
    json: { ...json, additionalProperties: true },
    four: z4.looseObject(four),
    three: z3.object(three).passthrough(),
  };
}

export function either(first: Spec, second: Spec, ...others: Spec[]): Spec {
  const branches = [first, second, ...others];
  return {
    json: { anyOf: branches.map(({ json }) => json) },
    four: z4.union(branches.map(({ four }) => four) as [z4.ZodType, ...z4.ZodType[]]),
    three: z3.union([first.three, second.three, ...others.map(({ three }) => three)]),
  };
}

export function described({ json, four, three }: Spec, description: string): Spec {
  return {
    json: { ...json, description },
    four: four.describe(description),
    three: three.describe(description),
  };
}

/** With a default: required in JSON Schema, where a default is a note; optional in zod. */
export function defaulting({ json, four, three }: Spec, value: unknown): Spec {
  return {
    json: { ...json, default: value },
    four: four.default(value),
    three: three.default(value),
  };
}

function objectOf(shape: Shape) {
  const fields = Object.entries(shape).map(([key, spec]) => {
    const optional = key.endsWith("?");
    return { name: optional ? key.slice(0, -1) : key, optional, spec };
  });
  const json = {
    type: "object",
    properties: Object.fromEntries(fields.map(({ name, spec }) => [name, spec.json])),
    required: fields.filter(({ optional }) => !optional).map(({ name }) => name),
  };
  const four = Object.fromEntries(
    fields.map(({ name, optional, spec }) => [name, optional ? spec.four.optional() : spec.four]),
  );
  const three = Object.fromEntries(
    fields.map(({ name, optional, spec }) => [name, optional ? spec.three.optional() : spec.three]),
  );
  return { json, four, three };
}
