import { Ajv, type ValidateFunction } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { JsonObject } from "#src/repair/types.ts";

/** Own keys only, as in JSON: a declared key may be called `constructor`. */
const OPTIONS = { strict: false, ownProperties: true, validateFormats: false } as const;

/** Compiles a schema with Ajv, which toolmend does not use. */
export function compileByAjv(schema: JsonObject): ValidateFunction {
  const draft = String(schema.$schema ?? "");
  if (draft.includes("draft-07")) return new Ajv(OPTIONS).compile(schema);
  return new (draft.includes("2019-09") ? Ajv2019 : Ajv2020)(OPTIONS).compile(schema);
}
