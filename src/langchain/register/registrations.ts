import type { OutputParserException } from "@langchain/core/output_parsers";
import type { EditSwitches } from "../../repair/edit-switches.ts";
import { ToolInputError } from "../../repair/errors.ts";
import {
  createFixerRegistry,
  type FixerRegistry,
} from "../../repair/fixers/registry.ts";
import {
  aHandler,
  COMMON_CHECKS,
  type CommonOptions,
  type FixerLookup,
  type Fixers,
  type RegisteredTool,
  toRegistry,
} from "../../repair/policy.ts";
import type { Unfixable } from "../../repair/result.ts";
import {
  aString,
  type Checks,
  closestName,
  mergeGiven,
  namesWithFixers,
  type OptionsUsage,
  warnProcess,
} from "../../repair/usage.ts";
import type { ExecutorIntegrationOptions } from "../executor/run.ts";
import { PROCESS_STATE, type ProcessState } from "../trace/process-state.ts";
import { aTrace, type TraceOptions } from "../trace/trace.ts";

/** How the tools of a process are repaired. */
export interface RegisterOptions extends CommonOptions, TraceOptions {
  /**
   * Decides what happens to an input that could not be repaired and, in an
   * AgentExecutor, to output without a readable action. Of several handlers,
   * the latest registered that answers counts.
   */
  readonly onUnfixable?:
    | Unfixable<ToolInputError | OutputParserException>
    | undefined;
  /**
   * The folder to search for copies of LangChain. Default: the working
   * directory, and that of the script that runs.
   */
  readonly from?: string | undefined;
}

/** How `register` is called. */
export const REGISTER_USAGE: OptionsUsage = {
  of: "register",
  example: "register({ fixers })",
  checks: {
    ...COMMON_CHECKS,
    trace: aTrace,
    onUnfixable: aHandler,
    from: aString,
  } satisfies Checks<RegisterOptions>,
};

/** Puts back what was there, and tells whether it could. */
export type Undo = () => boolean;

/** What all copies of toolmend in a process share. */
interface GlobalState extends ProcessState {
  readonly fixers: FixerRegistry;
  readonly registrations: Set<RegisterOptions>;
  /** Of the methods that were swapped. */
  readonly undos: Set<Undo>;
  /** What was warned about: folders of copies, names of tools. */
  readonly warned: Set<string>;
  /** The names of the tools whose inputs were looked at. */
  readonly seen: Set<string>;
}

/**
 * The state that all copies of toolmend share, made by the first that asks.
 * What one registers, all use.
 */
export function globalState(): GlobalState {
  const holder = globalThis as { [PROCESS_STATE]?: GlobalState };
  holder[PROCESS_STATE] ??= {
    fixers: createFixerRegistry(),
    registrations: new Set(),
    reportedRuns: new WeakMap(),
    undos: new Set(),
    warned: new Set(),
    seen: new Set(),
  };
  return holder[PROCESS_STATE];
}

/**
 * The fixers of the process: they reach every tool of that name, from any copy
 * of toolmend.
 */
export const globalFixers: FixerRegistry = globalState().fixers;

/** Warns once about something: says what is wrong, and what to do. */
export function warnOnce(subject: string, text: string, code: string): void {
  const { warned } = globalState();
  if (warned.has(subject)) return;
  warned.add(subject);
  warnProcess(text, code);
}

/**
 * The options that hold now: fixers of every registration, each after
 * `globalFixers` and in the order of the registrations; of other options, the
 * latest given. Their listeners are added to every wrapper's
 * (`withProcessListeners`).
 */
export function combineOptions(): ExecutorIntegrationOptions | undefined {
  const { fixers, registrations } = globalState();
  if (registrations.size === 0) return undefined;
  const all = [...registrations];
  const handlers = all
    .flatMap(({ onUnfixable }) => onUnfixable ?? [])
    .reverse();
  const {
    from: _,
    onToolCall: __,
    ...latest
  } = mergeGiven<RegisterOptions>(...all);
  return {
    ...latest,
    fixers: combineFixers([
      fixers,
      ...all.map((options) => options.fixers ?? {}),
    ]),
    origin: { seam: "register" },
    // A registration repairs inputs; it does not change how LangChain answers
    // those it cannot repair.
    compat: true,
    ...(handlers.length > 0 && { onUnfixable: askInTurn(handlers) }),
  };
}

type Handler = NonNullable<RegisterOptions["onUnfixable"]>;

type HandlerFunction = Exclude<Handler, string>;

/** The first that answers counts. */
function askInTurn(handlers: readonly Handler[]): HandlerFunction {
  return async (...args) => {
    for (const handle of handlers) {
      // It always answers, so that no later handler is asked.
      if (handle === "tellModel") return tellModel(...args);
      const answer = await handle(...args);
      if (answer !== undefined) return answer;
    }
    return undefined;
  };
}

const tellModel: HandlerFunction = (error) =>
  error instanceof ToolInputError ? error.toModelMessage() : undefined;

function combineFixers(fixers: readonly Fixers[]): FixerLookup {
  const registries = fixers.map(toRegistry);
  return {
    ...mergeGiven<FixerLookup>(...registries),
    // `"safe"` may be a registry's default: the last other level counts.
    level:
      registries
        .map(({ level }) => level)
        .findLast((level) => level !== "safe") ?? "safe",
    edits: mergeGiven<EditSwitches>(...registries.map(({ edits }) => edits)),
    limits: mergeGiven(...registries.map(({ limits }) => limits)),
    toolNamed: (name) =>
      registries
        .map((registry) => registry.toolNamed(name))
        .find((tool) => tool !== undefined),
    forTool(name) {
      warnOfMisspelling(name, fixers);
      const registered = registries.map((registry) => registry.forTool(name));
      return {
        ...mergeGiven<RegisteredTool>(...registered),
        edits: mergeGiven<EditSwitches>(
          ...registered.map(({ edits }) => edits),
        ),
        fixers: registered.flatMap((tool) => tool.fixers),
      };
    },
  };
}

/**
 * Warns of a tool without fixers whose name is like one that has fixers, and
 * that was not seen yet.
 */
function warnOfMisspelling(tool: string, fixers: readonly Fixers[]): void {
  const { seen } = globalState();
  if (seen.has(tool)) return;
  seen.add(tool);
  const names = fixers.flatMap(namesWithFixers);
  if (names.includes(tool)) return;
  const unseen = names.filter((name) => !seen.has(name));
  const meant = closestName(tool, unseen);
  if (meant === undefined) return;
  const remedy = `If that is the tool, register them for "${tool}".`;
  warnOnce(
    `fixers for ${meant}`,
    `toolmend has fixers for "${meant}", and no input of such a tool has come to be repaired, but one of "${tool}". ${remedy}`,
    "TOOLMEND_UNKNOWN_TOOL",
  );
}
