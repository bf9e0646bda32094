import {
  type EditSwitches,
  LEVELS,
  type OnObjection,
  SWITCHABLE_EDITS,
} from "./edit-switches.ts";
import {
  type CallOrigin,
  type Listeners,
  type Origin,
  SEAMS,
} from "./events/event.ts";
import { orElse } from "./foreign.ts";
import { DEFAULT_LIMITS } from "./limits.ts";
import type { Unfixable } from "./result.ts";
import type {
  AgentAction,
  Fixer,
  RepairLevel,
  RepairLevelOption,
  RepairLimits,
  ToolCall,
  ToolLike,
  UndeclaredKeys,
} from "./types.ts";
import {
  aBoolean,
  aCount,
  aFunction,
  anAbortSignal,
  anObject,
  aRegistry,
  arrayOf,
  aString,
  type Check,
  type Checks,
  check,
  either,
  mergeGiven,
  type OptionsUsage,
  oneOf,
  optionsOf,
} from "./usage.ts";

/**
 * How inputs are repaired. What a registry says of the tool counts first, then
 * the options of the function that repairs, then what the registry says of all
 * its tools.
 */
export interface ToolRepairPolicy {
  /**
   * How far repairs may go. `"auto"` goes as far as `"eager"` for a tool whose
   * MCP annotations say `readOnlyHint: true`, and as far as `"safe"` for any
   * other tool. Default: `"safe"`.
   */
  readonly level?: RepairLevelOption | undefined;
  /**
   * Where an object or array may become JSON text because the schema wants a
   * string: everywhere (`true`), or at these JSON Pointers. Default: nowhere.
   */
  readonly objectAsText?: boolean | readonly string[] | undefined;
  /**
   * What happens to keys that the schema does not declare. Default: `"repair"`.
   */
  readonly undeclaredKeys?: UndeclaredKeys | undefined;
  /**
   * Single edits, allowed or forbidden at any level: `{ "correct-key": true }`.
   * Default: none.
   */
  readonly edits?: EditSwitches | undefined;
}

/** A registry's entry for one tool. */
export interface RegisteredTool extends ToolRepairPolicy {
  readonly fixers: readonly Fixer[];
}

/** What a registry says of all its tools. */
export type RegistryOptions = Omit<ToolRepairPolicy, "objectAsText"> &
  Pick<CommonOptions, "limits">;

/** The part of a registry that repairs use. */
export interface FixerLookup extends RegistryOptions {
  readonly level: RepairLevelOption;
  /** Returns the entry for a tool, including that for `"*"`. */
  forTool(name: string): RegisteredTool;
  /** Returns the tool that a name was registered for with `renameTool`. */
  toolNamed(name: string): string | undefined;
}

/**
 * Fixers by tool: a registry, or just lists of them, as in
 * `{ click: [renameKey("element", "selector")] }`.
 */
export type Fixers = FixerLookup | Readonly<Record<string, readonly Fixer[]>>;

/**
 * The names of tools, as far as the types know them; `string` if one is not
 * known.
 */
type NamesOf<Tools extends readonly unknown[]> = Tools[number] extends {
  readonly name: infer Name extends string;
}
  ? Name
  : string;

/** The fixers of known tools: a list under any other name does not compile. */
type FixersFor<Name extends string> =
  | FixerLookup
  | { readonly [Tool in Name | "*"]?: readonly Fixer[] };

/** Options of a function that knows the tools. */
export type ForTools<
  Options extends { readonly fixers?: Fixers | undefined },
  Tools extends readonly unknown[],
> = Omit<Options, "fixers"> & {
  /**
   * The fixers, by tool name: a registry, or an object of lists; `"*"` is every
   * tool. Default: none.
   */
  readonly fixers?: FixersFor<NamesOf<Tools>> | undefined;
};

/**
 * How inputs are repaired, and who listens: the options of every function that
 * repairs.
 */
export interface CommonOptions extends ToolRepairPolicy, Listeners {
  /**
   * The fixers, by tool name: a registry, or an object of lists; `"*"` is every
   * tool. Default: none.
   */
  readonly fixers?: Fixers | undefined;
  /** Bounds of the work; those not given keep their defaults. */
  readonly limits?:
    | { readonly [Name in keyof RepairLimits]?: number | undefined }
    | undefined;
}

/** How one input is repaired. */
export interface RepairOptions extends CommonOptions {
  /** The agent's action, passed on to fixers and errors. */
  readonly action?: AgentAction | undefined;
  /** The tool call, passed on to fixers and errors. */
  readonly toolCall?: ToolCall | undefined;
  /**
   * Whether the output was cut off: then only text that is complete JSON is
   * read. Default: `false`.
   */
  readonly truncated?: boolean | undefined;
  /**
   * Whether the input was parsed before, as the arguments of an MCP call are:
   * then a string that holds all of it as JSON is a fault, and reading it is a
   * repair. Default: `false`, a string is the text that the model wrote, as in
   * a call of OpenAI or the AI SDK.
   */
  readonly parsed?: boolean | undefined;
  /**
   * Where the call came from, for the events. Default: the seam `"core"`, and
   * nothing else is known.
   */
  readonly origin?: CallOrigin | undefined;
  /**
   * What you use of the result, for the events: `"all"`, `"repairs"` if a
   * rejected input is passed on for others to decide, or `"none"` if you only
   * watch. Default: `"all"`.
   */
  readonly use?: "all" | "repairs" | "none" | undefined;
  /**
   * Whether the result has `steps`: what the schema, each fixer and other
   * levels say. Default: `false`.
   */
  readonly explain?: boolean | undefined;
  /** Aborts the repair. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Options of a wrapper: how inputs are repaired, and who decides about the
 * others.
 */
export interface ResolveOptions extends RepairOptions {
  /**
   * Where the call came from. Default: a direct caller of toolmend's repair.
   */
  readonly origin?: Origin | undefined;
  /**
   * Decides about a rejected input; `"tellModel"` answers the model with the
   * error. Default: none.
   */
  readonly onUnfixable?: Unfixable | undefined;
}

/** Options of a repair, of a wrapper or not. */
export interface InputOptions extends ResolveOptions {
  /**
   * Whether it is a tool call's input: then a bare text is none, because no
   * agent writes that.
   */
  readonly isToolCall?: boolean | undefined;
  /** Where what each fixer did is recorded, in words. */
  readonly tried?: string[] | undefined;
  /** Called with why an edit was not made. */
  readonly onObjection?: OnObjection | undefined;
  /**
   * Whether an input is passed on that the schema could not check, for the
   * events.
   */
  readonly passesUnchecked?: boolean | undefined;
}

/** Options of functions that return their error: they take no handler. */
export interface NoHandler {
  /**
   * Not allowed here: read the returned error. Wrappers of tools and agents
   * take one.
   */
  readonly onUnfixable?: undefined;
}

/**
 * Keeps a registry from being passed as options, because both have `level`:
 * write `{ fixers }`.
 */
export interface NotRegistry {
  readonly forTool?: never;
}

/** The options for one tool. */
export type RepairPolicy = {
  readonly [Name in keyof Omit<RegisteredTool, "level">]-?: NonNullable<
    RegisteredTool[Name]
  >;
} & {
  readonly toolName: string;
  /** The level for this tool, which `"auto"` was resolved to. */
  readonly level: RepairLevel;
  readonly limits: RepairLimits;
};

/**
 * What is known of a tool without its schema: a call may name a tool that was
 * not offered.
 */
export type DescribedTool = Pick<ToolLike, "name" | "metadata" | "annotations">;

/** Works out how one tool's inputs are repaired. */
export function policyFor(
  tool: DescribedTool,
  options: CommonOptions,
): RepairPolicy {
  const { name } = tool;
  const registry = toRegistry(options.fixers);
  // A registry by hand may know nothing of the tool.
  const registered: RegisteredTool | undefined = registry.forTool(name);
  return {
    toolName: name,
    fixers: registered?.fixers ?? [],
    level: resolveLevel(
      registered?.level ?? options.level ?? registry.level,
      tool,
    ),
    objectAsText: registered?.objectAsText ?? options.objectAsText ?? false,
    undeclaredKeys:
      registered?.undeclaredKeys ??
      options.undeclaredKeys ??
      registry.undeclaredKeys ??
      "repair",
    edits: mergeGiven(registry.edits, options.edits, registered?.edits),
    limits: limitsOf(options),
  };
}

/**
 * Returns the level that an option stands for. Without a tool, as for a final
 * answer, `"auto"` is `safe`.
 */
export function resolveLevel(
  option: RepairLevelOption = "safe",
  tool?: DescribedTool,
): RepairLevel {
  if (option !== "auto") return option;
  if (tool === undefined) return "safe";
  return isReadOnly(tool) ? "eager" : "safe";
}

/**
 * Checks whether a tool's MCP annotations say that it only reads. A getter that
 * throws says nothing.
 */
function isReadOnly(tool: DescribedTool): boolean {
  const readHint = (): unknown => {
    // @langchain/mcp-adapters puts them into the metadata; MCP has them beside the name.
    const { annotations = tool.annotations } = Object(tool.metadata);
    return Object(annotations).readOnlyHint;
  };
  return orElse(readHint, undefined) === true;
}

/**
 * The limits of a call: those of the options take precedence over those of the
 * registry.
 */
export function limitsOf({ limits, fixers }: CommonOptions): RepairLimits {
  const { limits: ofRegistry } = toRegistry(fixers);
  if (limits === undefined && ofRegistry === undefined) return DEFAULT_LIMITS;
  return mergeGiven<RepairLimits>(DEFAULT_LIMITS, ofRegistry, limits);
}

/** What stands for no fixers at all. */
const NO_REGISTRY: FixerLookup = {
  level: "safe",
  forTool: () => ({ fixers: [] }),
  toolNamed: () => undefined,
};

/** Returns the registry that `fixers` stands for. */
export function toRegistry(fixers: Fixers | undefined): FixerLookup {
  if (!fixers) return NO_REGISTRY;
  if (typeof fixers.forTool === "function") return fixers as FixerLookup;
  const lists = fixers as Readonly<Record<string, readonly Fixer[]>>;
  return {
    ...NO_REGISTRY,
    forTool: (name) => ({
      fixers: [...ownList(lists, name), ...ownList(lists, "*")],
    }),
  };
}

/** The fixers that a record lists for a tool. */
export function ownList(
  lists: Readonly<Record<string, readonly Fixer[]>>,
  name: string,
): readonly Fixer[] {
  if (!Object.hasOwn(lists, name)) return [];
  return lists[name] ?? [];
}

const isNames = arrayOf(aString).isMet;

const aPointer = check(
  'a JSON Pointer, as in "/body"',
  (path) => path === "" || (typeof path === "string" && path.startsWith("/")),
);

/** Functions that make a sink are often passed by mistake instead of one. */
const aSink = check(
  "a listener, as (event) => … is one, or what jsonlSink(file) and otelSink() return",
  (value) =>
    typeof value === "function" &&
    !["jsonlSink", "otelSink"].includes(value.name),
);

/** Checks for the options of every function that repairs. */
export const COMMON_CHECKS: Checks<CommonOptions> = {
  level: oneOf(...LEVELS, "auto"),
  undeclaredKeys: either(
    oneOf("repair", "refuse", "leave"),
    check("{ allow: [names] }", (value) => isNames(Object(value).allow)),
  ),
  objectAsText: either(aBoolean, {
    ...arrayOf(aPointer),
    must: "an array of JSON Pointers",
  }),
  edits: {
    ...optionsOf(
      Object.fromEntries(SWITCHABLE_EDITS.map((name) => [name, aBoolean])),
    ),
    must: 'an object such as { "correct-key": true }',
  },
  fixers: aRegistry,
  limits: optionsOf(
    Object.fromEntries(
      Object.keys(DEFAULT_LIMITS).map((name) => [name, aCount]),
    ),
  ),
  onToolCall: either(aSink, { ...arrayOf(aSink), must: "an array of them" }),
};

/** Checks for the options of one repair. */
export const REPAIR_CHECKS: Checks<RepairOptions & NoHandler> = {
  ...COMMON_CHECKS,
  action: anObject,
  toolCall: anObject,
  truncated: aBoolean,
  parsed: aBoolean,
  origin: optionsOf({
    seam: oneOf(...SEAMS),
    model: aString,
    provider: aString,
    ids: aFunction,
  } satisfies Checks<CallOrigin>),
  use: oneOf("all", "repairs", "none"),
  explain: aBoolean,
  signal: anAbortSignal,
  // It would never be called.
  onUnfixable: check(
    "left out: the error is returned, and only a wrapper calls onUnfixable",
    () => false,
  ),
};

/** The usage of `repairToolInput` and its like. */
export const REPAIR_USAGE: OptionsUsage = {
  of: "repairToolInput and repairToolCall",
  example: "repairToolInput(raw, tool, { fixers })",
  checks: REPAIR_CHECKS,
};

/** Checks for a handler of inputs that could not be repaired. */
export const aHandler: Check = either(aFunction, oneOf("tellModel"));
