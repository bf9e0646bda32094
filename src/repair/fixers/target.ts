import type { Fixer } from "../types.ts";

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
export function targetOf(fixer: Fixer): FixerTarget | undefined {
  return (fixer as { readonly [TARGET]?: FixerTarget })[TARGET];
}
