import type { EditSwitches } from "../edit-switches.ts";
import {
  COMMON_CHECKS,
  type FixerLookup,
  type RegisteredTool,
  type RegistryOptions,
  type ToolRepairPolicy,
} from "../policy.ts";
import type { Fixer, ToolLike } from "../types.ts";
import {
  aFunction,
  anObject,
  askIfMeant,
  checkOptions,
  checkToolList,
  mergeGiven,
  nameThing,
  type OptionsUsage,
} from "../usage.ts";
import { checkTargets } from "./check-fixers.ts";

/**
 * Fixers by the name of the tool. One registry serves any number of agents at
 * once.
 */
export interface FixerRegistry<
  Tools extends readonly ToolLike[] = readonly ToolLike[],
> extends FixerLookup {
  /**
   * Registers fixers for a tool. They run in order of registration, those for
   * `"*"` last, until the schema accepts the input.
   *
   * @param name The tool's name, case-sensitive, or `"*"` for every tool.
   * @param fixers The fixers. Before them, the level and the switches of edits
   *   for that tool's inputs; the latest registration counts. Default: as the
   *   registry says.
   * @returns Its undo.
   * @throws TypeError if no tool has that name, the level is invalid, a fixer
   *   is no function, or it writes a misspelt key, unless the tool's schema
   *   takes any.
   */
  register(
    name: Tools[number]["name"] | "*",
    ...fixers:
      | readonly Fixer[]
      | readonly [policy: ToolRepairPolicy, ...fixers: readonly Fixer[]]
  ): () => void;
  /**
   * Registers a name that models call a tool by:
   * `renameTool("browser_click", "click")`. If an offered tool has that name,
   * calls go to it, even if the name is registered.
   *
   * @returns Its undo.
   * @throws TypeError if no tool has the name `to`, a tool has the name `from`,
   *   or `from` is registered for another tool.
   */
  renameTool(from: string, to: Tools[number]["name"]): () => void;
  /** The names with a registration, including `"*"`. */
  registeredTools(): readonly string[];
}

const { level, undeclaredKeys, objectAsText, edits, limits } = COMMON_CHECKS;

const POLICY_USAGE: OptionsUsage & {
  checks: Record<keyof ToolRepairPolicy, unknown>;
} = {
  of: "register",
  example: 'register("click", { level: "strict" }, fixer)',
  checks: { level, undeclaredKeys, objectAsText, edits },
};

const REGISTRY_USAGE: OptionsUsage & {
  checks: Record<keyof RegistryOptions, unknown>;
} = {
  of: "createFixerRegistry",
  example: 'createFixerRegistry(tools, { level: "eager" })',
  checks: { level, undeclaredKeys, edits, limits },
};

/**
 * Creates a registry of fixers, typed by the tools.
 *
 * @param tools The tools that fixers may be registered for. Without tools, any
 *   name is accepted.
 * @param options `level`, `undeclaredKeys`, `edits` and `limits`, as in a
 *   wrapper's options, which take precedence. Default: `"safe"`, and what the
 *   wrapper's options say.
 * @returns An empty registry.
 * @throws TypeError if the level or an edit is invalid.
 * @example
 * ```ts
 * const registry = createFixerRegistry(tools, { level: "eager" });
 * registry.register("click", { level: "strict" }, renameKey("element", "selector"));
 * ```
 */
export function createFixerRegistry<const Tools extends readonly ToolLike[]>(
  tools?: Tools,
  options: RegistryOptions = {},
): FixerRegistry<Tools> {
  if (tools !== undefined)
    checkToolList(tools, "createFixerRegistry(tools?, options?)");
  checkOptions(options, REGISTRY_USAGE);
  const registrations = new Set<RegisteredTool & { readonly name: string }>();
  const renames = new Set<{ readonly from: string; readonly to: string }>();
  const names = tools?.map((tool) => tool.name);
  const toolNamed = (name: string) =>
    [...renames].find(({ from }) => from === name)?.to;
  const add = <Entry>(entries: Set<Entry>, entry: Entry) => {
    entries.add(entry);
    return () => void entries.delete(entry);
  };
  return {
    ...options,
    level: options.level ?? "safe",
    register(name: string, ...parts: readonly (ToolRepairPolicy | Fixer)[]) {
      assertKnown(name, names);
      const [first] = parts;
      const policy = anObject.isMet(first) ? first : undefined;
      const fixers = (policy ? parts.slice(1) : parts) as Fixer[];
      checkOptions(policy, POLICY_USAGE);
      assertFixers(name, fixers);
      const tool = tools?.find((each) => each.name === name);
      if (tool !== undefined) checkTargets(tool, fixers);
      return add(registrations, { ...policy, name, fixers });
    },
    renameTool(from: string, to: string) {
      assertKnown(from, undefined);
      assertKnown(to, names);
      const why = whyNotRenamed(from, to, toolNamed(from), names);
      if (why !== undefined) {
        throw new TypeError(`Cannot rename "${from}" to "${to}": ${why}.`);
      }
      return add(renames, { from, to });
    },
    registeredTools: () => [
      ...new Set([...registrations].map(({ name }) => name)),
    ],
    toolNamed,
    forTool(name) {
      const specific = [...registrations].filter(
        (entry) => entry.name === name,
      );
      const general = [...registrations].filter((entry) => entry.name === "*");
      const all = [...general, ...specific];
      return {
        ...mergeGiven<RegisteredTool>(...all),
        edits: mergeGiven<EditSwitches>(...all.map(({ edits }) => edits)),
        fixers: [...specific, ...general].flatMap(({ fixers }) => fixers),
      };
    },
  };
}

/** Why `from` cannot be another name of the tool `to`, if it cannot. */
function whyNotRenamed(
  from: string,
  to: string,
  registered: string | undefined,
  names: readonly string[] | undefined,
): string | undefined {
  if (to === "*") return "that is every tool; name one";
  if (from === to) return `there is a tool "${from}"`;
  if (names?.includes(from)) return `there is a tool "${from}"`;
  if (registered === undefined) return undefined;
  if (registered === to) return undefined;
  return `it is registered for "${registered}"`;
}

function assertKnown(name: string, names: readonly string[] | undefined): void {
  if (typeof name !== "string") {
    throw new TypeError(
      `A tool's name must be a string, not ${nameThing(name)}.`,
    );
  }
  if (name === "*" || names === undefined || names.includes(name)) return;
  const known = names.map((tool) => `"${tool}"`).join(", ") || "none";
  throw new TypeError(
    `Cannot register a fixer for "${name}": there is no such tool.${askIfMeant(name, names)} Known tools: ${known}.`,
  );
}

function assertFixers(name: string, fixers: readonly Fixer[]): void {
  for (const [at, fixer] of fixers.entries()) {
    if (aFunction.isMet(fixer)) continue;
    const what = `Cannot register fixer ${at + 1} for "${name}": it must be a function`;
    const hint =
      "Options come first, then the fixers one after another, without brackets.";
    throw new TypeError(`${what}, not ${nameThing(fixer)}. ${hint}`);
  }
}
