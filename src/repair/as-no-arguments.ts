import { meansNothing } from "./align/edits/omissions.ts";
import { DROPPED } from "./align/reasons.ts";
import type { Accepted } from "./has-undeclared.ts";
import type { ReadToolInput } from "./read/read-tool-input.ts";
import type { CompiledSchema } from "./schema/compiled-schema.ts";
import { declaredKeysOf } from "./schema/declared-keys.ts";
import type { JsonValue, Repair } from "./types.ts";

/**
 * Takes nothing at all (`null`, `""`, no input) for `{}`, where the tool needs no arguments; for a
 * tool that has none, also a word for nothing and an empty list.
 *
 * @param raw What the model wrote.
 * @param read What was read from it.
 * @param schema The tool's schema.
 * @returns `undefined` where something is given, or the tool needs arguments.
 */
export async function asNoArguments(
  raw: unknown,
  { value, unread, truncated }: Extract<ReadToolInput, { ok: true }>,
  schema: CompiledSchema,
): Promise<Accepted | undefined> {
  if (unread || truncated) return undefined;
  const isNothing = value === null || (typeof value === "string" && value.trim() === "");
  if (!isNothing && !(meansNoArguments(value) && hasNoArguments(schema))) return undefined;
  const validation = await schema.validate({});
  if (!validation.ok) return undefined;
  const repair: Repair = {
    fixer: "no-arguments",
    path: "",
    before: raw === undefined ? undefined : value,
    after: {},
    level: "safe",
    reason: isNothing ? DROPPED.empty : DROPPED.placeholder,
  };
  return { ok: true, toolInput: {}, parsed: validation.parsed, repairs: [repair] };
}

function meansNoArguments(value: JsonValue): boolean {
  if (typeof value === "string") return meansNothing(value.replace(/^\(\)$/, ""));
  return Array.isArray(value) && value.length === 0;
}

function hasNoArguments({ jsonSchema }: CompiledSchema): boolean {
  const { keys, patterns, rest } = declaredKeysOf(jsonSchema)(jsonSchema, {});
  return keys.size === 0 && patterns.length === 0 && rest === undefined;
}
