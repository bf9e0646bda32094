import Ajv7 from "ajv";
import Ajv2020 from "ajv/dist/2020.js";

/** Validators differ in their formats: none of them checks any here. */
const OPTIONS = {
  strict: false,
  validateFormats: false,
  validateSchema: false,
  addUsedSchema: false,
  logger: false,
};

/** @typedef {(value: unknown) => boolean} Validate */

const instances = new Map();
const validators = new WeakMap();

/**
 * The judge: the tool's unchanged JSON Schema, without coercion. Compiled once per schema.
 *
 * @param {object} schema
 * @returns {Validate}
 */
export function validatorOf(schema) {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const validate = compile(schema, {});
  validators.set(schema, validate);
  return validate;
}

/**
 * Compiles a schema with Ajv: as 2020-12, or as draft 7 if it is not valid 2020-12.
 *
 * @param {object} schema
 * @param {object} options Ajv's options.
 * @returns {Validate}
 */
export function compile({ $schema: _, $id: __, ...schema }, options) {
  const key = JSON.stringify(options);
  const [newer, older] = instances.get(key) ?? [Ajv2020, Ajv7].map((Ajv) => instance(Ajv, options));
  instances.set(key, [newer, older]);
  try {
    return newer.compile(schema);
  } catch {
    return older.compile(schema);
  }
}

function instance(Ajv, options) {
  return new (Ajv.default ?? Ajv)({ ...OPTIONS, ...options });
}
