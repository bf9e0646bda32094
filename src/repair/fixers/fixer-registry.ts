import { closestName } from "../closest-name.ts";
import { assertLevel } from "../level-allows.ts";
import type { Fixer, RepairLevel, ToolLike, UndeclaredKeys } from "../types.ts";
import { assertUndeclaredKeys } from "../undeclared-policy.ts";

/** The names of tools, as literals where the tools have them. */
export type ToolName<Tools extends readonly ToolLike[]> = Tools[number]["name"];

/** How one tool's inputs are repaired. */
export interface ToolRepairPolicy {
  /** How far a repair may go. Default: the level of the registry. */
  readonly level?: RepairLevel;
  /**
   * Where an object or array may become JSON text because the schema wants a string: everywhere
   * (`true`), or at these JSON Pointers. Default: nowhere.
   */
  readonly objectAsText?: boolean | readonly string[];
  /** What becomes of keys that the schema does not declare. Default: as the registry says. */
  readonly undeclaredKeys?: UndeclaredKeys;
}

/** What a registry knows of one tool. */
export interface RegisteredTool extends ToolRepairPolicy {
  readonly fixers: readonly Fixer[];
}

/** Fixers by the name of the tool. One registry serves any number of agents at once. */
export interface FixerRegistry<Tools extends readonly ToolLike[] = readonly ToolLike[]> {
  /** The level of tools that are not given one of their own. */
  readonly level: RepairLevel;
  /** What becomes of undeclared keys of tools that are not given a policy of their own. Default: `"repair"`. */
  readonly undeclaredKeys?: UndeclaredKeys | undefined;
  /**
   * Registers fixers for a tool. They run in the order in which they were registered, those for
   * `"*"` last, until the schema accepts the input.
   *
   * @param name The tool's name, case-sensitive, or `"*"` for every tool.
   * @param policy How that tool's inputs are repaired. The latest one registered counts.
   * @param fixers The fixers.
   * @returns Its undo.
   * @throws TypeError when no tool has that name, a level is none, or a fixer is no function.
   */
  register(name: ToolName<Tools> | "*", ...fixers: readonly Fixer[]): () => void;
  register(
    name: ToolName<Tools> | "*",
    policy: ToolRepairPolicy,
    ...fixers: readonly Fixer[]
  ): () => void;
  /** What is registered for a tool, `"*"` included. */
  forTool(name: string): RegisteredTool;
}

interface Registration {
  readonly name: string;
  readonly policy: ToolRepairPolicy;
  readonly fixers: readonly Fixer[];
}

/**
 * Creates a registry of fixers, typed by the tools.
 *
 * @param tools The tools that fixers may be registered for. Without any, every name is taken.
 * @param options `level`: how far repairs may go. Default: `"safe"`. `undeclaredKeys`: what becomes
 * of keys that a schema does not declare. Default: what the wrapper's options say.
 * @returns The registry, empty.
 * @throws TypeError when the level is none.
 */
export function createFixerRegistry<const Tools extends readonly ToolLike[]>(
  tools?: Tools,
  options: { readonly level?: RepairLevel; readonly undeclaredKeys?: UndeclaredKeys } = {},
): FixerRegistry<Tools> {
  assertLevel(options.level);
  assertUndeclaredKeys(options.undeclaredKeys);
  const registrations = new Set<Registration>();
  const names = tools?.map((tool) => tool.name);
  return {
    level: options.level ?? "safe",
    undeclaredKeys: options.undeclaredKeys,
    register(name: string, ...rest: readonly (ToolRepairPolicy | Fixer)[]) {
      assertKnown(name, names);
      const [policy, fixers] = splitPolicy(rest);
      assertLevel(policy.level);
      assertUndeclaredKeys(policy.undeclaredKeys);
      assertFixers(name, fixers);
      const registration = { name, policy, fixers };
      registrations.add(registration);
      return () => void registrations.delete(registration);
    },
    forTool(name) {
      const general = [...registrations].filter((one) => one.name === "*");
      const own = name === "*" ? [] : [...registrations].filter((one) => one.name === name);
      return {
        ...Object.assign({}, ...[...general, ...own].map(({ policy }) => policy)),
        fixers: [...own, ...general].flatMap(({ fixers }) => fixers),
      };
    },
  };
}

function splitPolicy(
  rest: readonly (ToolRepairPolicy | Fixer)[],
): [ToolRepairPolicy, readonly Fixer[]] {
  const [first, ...others] = rest;
  return typeof first === "object" && first !== null
    ? [first, others as Fixer[]]
    : [{}, rest as Fixer[]];
}

function assertKnown(name: string, names: readonly string[] | undefined): void {
  if (name === "*" || names === undefined || names.includes(name)) return;
  const close = closestName(name, names);
  const hint = close === undefined ? "" : ` Did you mean "${close}"?`;
  const known = names.map((known) => `"${known}"`).join(", ") || "none";
  throw new TypeError(
    `Cannot register a fixer for "${name}": there is no such tool.${hint} Known tools: ${known}.`,
  );
}

function assertFixers(name: string, fixers: readonly Fixer[]): void {
  const odd = fixers.findIndex((fixer) => typeof fixer !== "function");
  if (odd >= 0) {
    throw new TypeError(
      `Cannot register fixer ${odd + 1} for "${name}": it must be a function, not ${typeof fixers[odd]}. Options come before the fixers.`,
    );
  }
}
