import { getAt } from "../json/json-pointer.ts";
import { isJsonObject, showValue } from "../json/json-value.ts";
import type { JsonValue } from "../types.ts";
import type { CompiledSchema } from "./compiled-schema.ts";
import type { StandardSchema } from "./standard-schema.ts";

/**
 * Tells the schema of LangChain's string tools (`Tool`, `DynamicTool`): an optional `input` that
 * is unwrapped by a transform. Recognised by what it does, so that it does not matter which copy
 * of `@langchain/core` or zod made it.
 *
 * @param schema A tool's schema.
 */
export function isStringToolSchema(schema: object): schema is StandardSchema {
  if (!("~standard" in schema) || !("_def" in schema)) return false;
  const definition = schema._def as { effect?: { type?: unknown }; schema?: { shape?: object } };
  if (definition.effect?.type !== "transform") return false;
  const keys = Object.keys(definition.schema?.shape ?? {});
  return keys.length === 1 && keys[0] === "input" && unwrapsInput(schema as StandardSchema);
}

function unwrapsInput(schema: StandardSchema): boolean {
  const { validate } = schema["~standard"];
  const probes: [unknown, unknown][] = [
    [{ input: "probe" }, "probe"],
    [{ input: "" }, ""],
    [{}, undefined],
  ];
  return probes.every(([input, output]) => {
    const result = validate(input);
    return "value" in result && result.value === output;
  });
}

/** How LangChain's string tools are called that take nothing: what the model is offered allows it. */
function isCalledWithNothing(value: unknown): boolean {
  return value === undefined || (isJsonObject(value) && Object.keys(value).length === 0);
}

/**
 * Compiles the schema of a string tool. LangChain runs such a tool with `undefined` when it is
 * given a wrong key, too; here a string must be there, plain or as `input`, or nothing at all.
 */
export function compileStringTool(): CompiledSchema {
  const wrapped = {
    type: "object",
    properties: { input: { type: "string" } },
    required: ["input"],
  };
  return {
    jsonSchema: { anyOf: [{ type: "string" }, wrapped] },
    isCurrent: () => true,
    takesString: true,
    isOpen: false,
    validate(value) {
      if (typeof value === "string") return { ok: true, parsed: value };
      if (isCalledWithNothing(value)) return { ok: true, parsed: undefined };
      const input = isJsonObject(value) ? getAt(value as JsonValue, "/input") : undefined;
      if (typeof input === "string") return { ok: true, parsed: input };
      const path = isJsonObject(value) ? "/input" : "";
      return {
        ok: false,
        issues: [
          {
            path,
            message: "must be a string",
            code: "invalid_type",
            expected: "string",
            received: showValue(path === "" ? value : input),
          },
        ],
      };
    },
  };
}
