import type { EditSwitches } from "./edit-switches.ts";
import type { Listeners, Origin } from "./events/event.ts";
import type { FixerRegistry } from "./fixers/fixer-registry.ts";
import { type Budget, DEFAULT_LIMITS } from "./limits.ts";
import { mergeGiven } from "./merge-given.ts";
import type { CompiledSchema, Validation } from "./schema/compiled-schema.ts";
import type {
  AgentAction,
  Fixer,
  RepairLevel,
  RepairLimits,
  ToolCall,
  ToolLike,
  UndeclaredKeys,
} from "./types.ts";
import type { Unfixable } from "./unfixable-handler.ts";

/** How inputs are repaired, and who is told: the options that every function has which repairs. */
export interface CommonOptions extends Listeners {
  /** The fixers, by tool name. Default: none. */
  readonly fixers?: FixerRegistry | undefined;
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

/** How one input is repaired on its way. */
export interface InputOptions extends RepairOptions {
  /** What the schema says of the input as it is, where somebody has asked it. */
  readonly checked?: Validation | undefined;
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

/** An input on its way. */
export interface RepairTask {
  /** What the model wrote. */
  readonly raw: unknown;
  readonly tool: ToolLike;
  readonly schema: CompiledSchema;
  readonly options: InputOptions;
}

/** The repair of an input: what it may do, and what it may use up. */
export interface RepairRun extends RepairTask {
  readonly policy: RepairPolicy;
  readonly budget: Budget;
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
 *
 * @param tool The tool.
 * @param options The options of the call or the wrapper.
 * @throws TypeError when a level or an edit is none, or `fixers` is no registry.
 */
export function policyFor(tool: ToolLike, options: RepairOptions): RepairPolicy {
  const registered = options.fixers?.forTool(tool.name);
  return {
    toolName: tool.name,
    fixers: registered?.fixers ?? [],
    level: registered?.level ?? options.level ?? options.fixers?.level ?? "safe",
    objectAsText: registered?.objectAsText ?? options.objectAsText ?? false,
    undeclaredKeys:
      registered?.undeclaredKeys ??
      options.undeclaredKeys ??
      options.fixers?.undeclaredKeys ??
      "repair",
    edits: mergeGiven(options.fixers?.edits, options.edits, registered?.edits),
    limits: limitsOf(options),
  };
}

/** The limits of a call, or of a wrapper. */
export function limitsOf({ limits }: Pick<RepairOptions, "limits">): RepairLimits {
  return limits === undefined ? DEFAULT_LIMITS : mergeGiven(DEFAULT_LIMITS, limits);
}
