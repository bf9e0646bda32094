import { orElse } from "../foreign.ts";
import { type Fixers, ownList } from "../policy.ts";
import { compileSchema } from "../schema/compile-schema.ts";
import { declaredKeysAt } from "../schema/part.ts";
import type { Fixer, ToolLike } from "../types.ts";
import { closestName, misspeltFixerNames, warnOfFixerNames } from "../usage.ts";

/**
 * Checks fixers where the tools are known. A record is the caller's own, so a
 * misspelt name in it throws; a registry may serve other agents, so it warns.
 *
 * @throws TypeError for lists of fixers under the misspelt name of a tool, and
 *   for a fixer that writes a misspelt key, unless the tool's schema takes any.
 */
export function checkFixers(
  of: string,
  fixers: Fixers | undefined,
  tools: readonly unknown[],
): void {
  if (fixers === undefined) return;
  if (typeof fixers.forTool === "function") {
    warnOfFixerNames(fixers, tools);
    return;
  }
  const [misspelt] = misspeltFixerNames(fixers, tools);
  if (misspelt !== undefined) {
    const { name, meant } = misspelt;
    throw new TypeError(
      `The option "fixers" of ${of} has fixers for "${name}", but there is no such tool. Did you mean "${meant}"?`,
    );
  }
  const lists = fixers as Readonly<Record<string, readonly Fixer[]>>;
  for (const tool of tools) {
    const { name, schema } = Object(tool) as Partial<ToolLike>;
    if (typeof name !== "string" || schema === undefined) continue;
    checkTargets({ name, schema }, ownList(lists, name));
  }
}

/**
 * Checks the keys that a tool's fixers write against its schema. Only a key
 * that is probably a misspelling throws: another may be meant for the fixer
 * that follows.
 */
export function checkTargets(tool: ToolLike, fixers: readonly Fixer[]): void {
  for (const fixer of fixers) checkTarget(tool, fixer);
}

function checkTarget(tool: ToolLike, fixer: Fixer): void {
  const target = targetOf(fixer);
  if (target === undefined) return;
  const { key, at } = target;
  // A schema that cannot be read yet, or at all, is reported where it is used.
  const declared = orElse(
    () => declaredKeysAt(compileSchema(tool.schema).jsonSchema, at),
    undefined,
  );
  if (declared === undefined) return;
  if (declared.includes(key)) return;
  const meant = closestName(key, declared);
  if (meant === undefined) return;
  const place = at === "" ? "the input" : at;
  throw new TypeError(
    `${fixer.name} for "${tool.name}" writes "${key}", which the schema does not declare in ${place}. Did you mean "${meant}"?`,
  );
}

/**
 * The key that a fixer writes, and the place of its object as a JSON Pointer
 * with `*`.
 */
interface FixerTarget {
  readonly key: string;
  readonly at: string;
}

/** On a fixer, what it writes: every copy of toolmend reads it. */
const TARGET = Symbol.for("toolmend.fixerTarget");

export function withTarget(fixer: Fixer, target: FixerTarget): Fixer {
  return Object.defineProperty(fixer, TARGET, { value: target });
}

/**
 * Returns what a fixer writes; `undefined` for one that says nothing about it.
 */
function targetOf(fixer: Fixer): FixerTarget | undefined {
  return (fixer as { readonly [TARGET]?: FixerTarget })[TARGET];
}
