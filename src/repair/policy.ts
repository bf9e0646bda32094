import type { EditSwitches } from "./edit-switches.ts";
import type { Listeners, Origin } from "./events/event.ts";
import type { FixerLookup } from "./fixers/registry.ts";
import { type Budget, DEFAULT_LIMITS } from "./limits.ts";
import type { Unfixable } from "./result.ts";
import type { CompiledSchema, Validation } from "./schema/compile-schema.ts";
import type {
  AgentAction,
  Fixer,
  RepairLevel,
  RepairLimits,
  ToolCall,
  ToolLike,
  UndeclaredKeys,
} from "./types.ts";
import {
  aBoolean,
  aCount,
  aFunction,
  aLevel,
  anAbortSignal,
  anObject,
  anUndeclaredPolicy,
  aRegistry,
  arrayOf,
  aSink,
  aTextPolicy,
  type Check,
  type Checks,
  editSwitches,
  either,
  mergeGiven,
  type OptionsUsage,
  oneOf,
  optionsOf,
} from "./usage.ts";

/** Fixers by tool: a registry, or just lists of them, as in `{ click: [renameKey("element", "selector")] }`. */
export type Fixers = FixerLookup | Readonly<Record<string, readonly Fixer[]>>;

/** How inputs are repaired. */
export interface PolicyOptions {
  /** The fixers, by tool name: a registry, or an object of lists; `"*"` is every tool. Default: none. */
  readonly fixers?: Fixers | undefined;
  /**
   * How far repairs may go for a tool that the registry gives no level of its own.
   * Default: the registry's level, else `"safe"`.
   */
  readonly level?: RepairLevel | undefined;
  /**
   * Where an object or array may become JSON text because the schema wants a string: everywhere
   * (`true`), or at these JSON Pointers. Default: what the registry says of the tool, else nowhere.
   */
  readonly objectAsText?: boolean | readonly string[] | undefined;
  /**
   * What becomes of keys that the schema does not declare, for a tool of which the registry says
   * nothing. Default: `"repair"`.
   */
  readonly undeclaredKeys?: UndeclaredKeys | undefined;
  /**
   * Single edits that are allowed or forbidden, whatever the level: `{ "correct-key": true }`. What
   * the registry says of an edit for the very tool counts before it. Default: as the level says.
   */
  readonly edits?: EditSwitches | undefined;
  /** Bounds of the work; those not given keep their defaults. */
  readonly limits?: { readonly [Name in keyof RepairLimits]?: number | undefined } | undefined;
}

/** How inputs are repaired, and who is told: the options that every function has which repairs. */
export interface CommonOptions extends PolicyOptions, Listeners {}

/** How one input is repaired. */
export interface RepairOptions extends CommonOptions {
  /** The agent's action, passed on to fixers and errors. */
  readonly action?: AgentAction | undefined;
  /** The tool call, passed on to fixers and errors. */
  readonly toolCall?: ToolCall | undefined;
  /**
   * Whether the model's output is known to be cut off (a finish reason of `length`, say). Then an
   * input is refused unless it is text that is complete JSON. Default: `false`.
   */
  readonly truncated?: boolean | undefined;
  /**
   * Whether the input was parsed before, as it is where a tool is invoked with it: then a string
   * that holds the whole input as JSON is a fault, and reading it is a repair. Default: `false`, a
   * string is the text that the model wrote.
   */
  readonly parsed?: boolean | undefined;
  /** Aborts the repair. */
  readonly signal?: AbortSignal | undefined;
}

/** What toolmend's own ways of repairing say of an input besides. */
export interface InputOptions extends RepairOptions {
  /** What the schema says of the input as it is, where somebody has asked it. */
  readonly checked?: Validation | undefined;
}

/** What `repairToolCall` says besides. */
export interface CallInputOptions extends InputOptions {
  /** Whether it is the input of a tool call: then a bare text is none, as no agent writes its inputs so. */
  readonly isToolCall?: boolean | undefined;
}

/** Options of a wrapper: how inputs are repaired, and who decides about those that are not. */
export interface ResolveOptions extends InputOptions {
  /** Where the call came from. Default: whoever calls toolmend's repair directly. */
  readonly origin?: Origin | undefined;
  /**
   * Decides what becomes of an input that could not be repaired; `"tellModel"`: the model is told.
   * Default: it is refused.
   */
  readonly onUnfixable?: Unfixable | undefined;
}

/** Options of what returns its error: nobody is asked about it. */
export interface NoHandler {
  /** There is none: read the error that is returned. What wraps a tool or an agent has one. */
  readonly onUnfixable?: undefined;
}

/** Keeps a registry from being taken for options, with which it shares `level`: write `{ fixers }`. */
export interface NotRegistry {
  readonly forTool?: never;
}

/** Which part of the options each is: an option that is not here does not compile. */
const PARTS: { readonly [Name in keyof Required<CommonOptions>]: "policy" | "listeners" } = {
  fixers: "policy",
  level: "policy",
  objectAsText: "policy",
  undeclaredKeys: "policy",
  edits: "policy",
  limits: "policy",
  onRepair: "listeners",
  onRefused: "listeners",
  evidence: "listeners",
};

/** Options in their three parts. */
export interface ReadOptions<Handler> {
  /** How inputs are repaired. */
  readonly policy: PolicyOptions;
  /** Who is told of it. */
  readonly listeners: Listeners;
  /** Who decides about inputs that could not be repaired. */
  readonly handler: Handler | undefined;
}

/**
 * Reads the options of a wrapper, whatever else is among them, so that it hands on three records and no
 * list of fields. An option that is `undefined` is not given.
 */
export function readOptions<Handler = Unfixable>(
  options: CommonOptions & { readonly onUnfixable?: Handler | undefined },
): ReadOptions<Handler> {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const pick = (part: "policy" | "listeners") =>
    Object.fromEntries(given.filter(([name]) => PARTS[name as keyof CommonOptions] === part));
  return { policy: pick("policy"), listeners: pick("listeners"), handler: options.onUnfixable };
}

/** The same options, with nobody to be told. */
export function withoutListeners<Options extends Listeners>(
  options: Options,
): Omit<Options, keyof Listeners> {
  const kept = Object.entries(options).filter(
    ([name]) => PARTS[name as keyof CommonOptions] !== "listeners",
  );
  return Object.fromEntries(kept) as Omit<Options, keyof Listeners>;
}

/** The options as they hold for one tool. */
export interface RepairPolicy {
  readonly toolName: string;
  readonly fixers: readonly Fixer[];
  readonly level: RepairLevel;
  readonly objectAsText: boolean | readonly string[];
  readonly undeclaredKeys: UndeclaredKeys;
  readonly edits: EditSwitches;
  readonly limits: RepairLimits;
}

/**
 * Works out how one tool's inputs are repaired: what the registry says of that very tool counts
 * before the options, and the options before the registry's default.
 */
export function policyFor({ name }: Pick<ToolLike, "name">, options: PolicyOptions): RepairPolicy {
  const registry = options.fixers && toRegistry(options.fixers);
  const own = registry?.forTool(name);
  return {
    toolName: name,
    fixers: own?.fixers ?? [],
    level: own?.level ?? options.level ?? registry?.level ?? "safe",
    objectAsText: own?.objectAsText ?? options.objectAsText ?? false,
    undeclaredKeys:
      own?.undeclaredKeys ?? options.undeclaredKeys ?? registry?.undeclaredKeys ?? "repair",
    edits: mergeGiven(registry?.edits, options.edits, own?.edits),
    limits: limitsOf(options),
  };
}

/** The limits of a call, or of a wrapper. */
export function limitsOf({ limits }: Pick<PolicyOptions, "limits">): RepairLimits {
  return limits === undefined ? DEFAULT_LIMITS : mergeGiven(DEFAULT_LIMITS, limits);
}

/** The names that a policy takes as declared. */
export function allowedKeys({
  undeclaredKeys,
}: Pick<RepairPolicy, "undeclaredKeys">): ReadonlySet<string> {
  return new Set(typeof undeclaredKeys === "object" ? undeclaredKeys.allow : []);
}

/** The registry that `fixers` are, or stand for. */
export function toRegistry(fixers: Fixers): FixerLookup {
  if (typeof fixers.forTool === "function") return fixers as FixerLookup;
  const lists = fixers as Readonly<Record<string, readonly Fixer[]>>;
  const listOf = (name: string) => (Object.hasOwn(lists, name) ? (lists[name] ?? []) : []);
  return {
    level: "safe",
    forTool: (name) => ({ fixers: [...(name === "*" ? [] : listOf(name)), ...listOf("*")] }),
    toolNamed: () => undefined,
  };
}

/** An input on its way. */
export interface RepairTask {
  /** What the model wrote. */
  readonly raw: unknown;
  readonly tool: ToolLike;
  readonly schema: CompiledSchema;
  readonly options: CallInputOptions;
}

/** The repair of an input: what it may do, and what it may use up. */
export interface RepairRun extends RepairTask {
  readonly policy: RepairPolicy;
  readonly budget: Budget;
}

const LIMITS = Object.fromEntries(Object.keys(DEFAULT_LIMITS).map((name) => [name, aCount]));

/** What the options must be that every function has which repairs. */
export const COMMON_CHECKS: Checks<CommonOptions> = {
  fixers: aRegistry,
  level: aLevel,
  objectAsText: aTextPolicy,
  undeclaredKeys: anUndeclaredPolicy,
  edits: editSwitches,
  limits: optionsOf(LIMITS),
  onRepair: aFunction,
  onRefused: aFunction,
  evidence: arrayOf(aSink),
};

/** How `repairToolInput` and its like are called. */
export const REPAIR_USAGE: OptionsUsage = {
  of: "repairToolInput, repairToolCall and normalizeIntermediateSteps",
  example: "repairToolInput(raw, tool, { fixers })",
  checks: {
    ...COMMON_CHECKS,
    action: anObject,
    toolCall: anObject,
    truncated: aBoolean,
    parsed: aBoolean,
    signal: anAbortSignal,
    // Nobody would ask it.
    onUnfixable: {
      must: "left out: read the error that is returned, or give the handler to wrapTool or another wrapper",
      isMet: () => false,
    },
  } satisfies Checks<RepairOptions & NoHandler>,
};

/** What decides about an input that could not be repaired. */
export const aHandler: Check = either(aFunction, oneOf("tellModel"));
