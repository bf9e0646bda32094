import { allowsEdit, allowsMore } from "./edit-switches.ts";
import { ISSUE } from "./errors/refusal-reason.ts";
import type { RepairPolicy } from "./options.ts";
import { type ReadToolInput, readToolInput } from "./read/read-tool-input.ts";

/**
 * Reads what the model wrote as JSON, as far as the level and the switches of single edits allow.
 *
 * @param raw Text, a parsed value, or `undefined`.
 * @param schema The tool's schema.
 * @param policy The level, the switches and the limits.
 * @param about What is known of the input.
 */
export function readAsAllowed(
  raw: unknown,
  schema: Parameters<typeof readToolInput>[1],
  policy: RepairPolicy,
  about: Parameters<typeof readToolInput>[3],
): ReadToolInput {
  const read = readToolInput(raw, schema, policy, about);
  const isRead = read.ok && !read.unread;
  if (isRead) return firstForbidden(read, policy) ?? read;
  if (policy.level === "eager" || !allowsMore(policy)) return read;
  const further = readToolInput(raw, schema, { ...policy, level: "eager" }, about);
  const isFurther = further.ok && !further.unread;
  return isFurther && firstForbidden(further, policy) === undefined ? further : read;
}

function firstForbidden(
  { repairs }: Extract<ReadToolInput, { ok: true }>,
  policy: RepairPolicy,
): Extract<ReadToolInput, { ok: false }> | undefined {
  const repair = repairs.find((one) => !allowsEdit(policy, one));
  if (repair === undefined) return undefined;
  const message = `not JSON as it stands, and "${repair.fixer}" is switched off (option edits)`;
  return { ok: false, issue: { path: "", code: ISSUE.notJson, message } };
}
