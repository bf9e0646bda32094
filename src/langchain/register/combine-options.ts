import { notify } from "../../repair/drive.ts";
import type { EditSwitches } from "../../repair/edit-switches.ts";
import { ToolInputError } from "../../repair/errors/tool-input-error.ts";
import type { FixerLookup, RegisteredTool } from "../../repair/fixers/registry.ts";
import { toRegistry } from "../../repair/policy.ts";
import { mergeGiven } from "../../repair/usage.ts";
import type { ExecutorIntegrationOptions } from "../executor/options.ts";
import { globalState } from "./global-state.ts";
import type { RegisterOptions } from "./register-options.ts";

/**
 * The options that hold now: fixers of every registration, each after `globalFixers` and in the
 * order of the registrations; of other options, the latest given; every `onRepair`, `onRefused` and sink is told.
 *
 * @returns Nothing when nothing is registered.
 */
export function combineOptions(): ExecutorIntegrationOptions | undefined {
  const { fixers, registrations } = globalState();
  if (registrations.size === 0) return undefined;
  const all = [...registrations];
  const watchers = all.flatMap(({ onRepair }) => onRepair ?? []);
  const refusalWatchers = all.flatMap(({ onRefused }) => onRefused ?? []);
  const sinks = new Set(all.flatMap(({ evidence }) => evidence ?? []));
  const choices = all.flatMap(({ onUnfixable }) => onUnfixable ?? []).reverse();
  // The model is told by whoever comes last: after that word, nobody is asked.
  const tellsModel = choices.includes("tellModel");
  const asked = tellsModel ? choices.slice(0, choices.indexOf("tellModel")) : choices;
  const handlers = asked.filter((choice) => choice !== "tellModel");
  const { from: _, ...latest } = mergeGiven<RegisterOptions>(...all);
  return {
    ...latest,
    fixers: combineRegistries([
      fixers,
      ...all.flatMap((options) => (options.fixers ? toRegistry(options.fixers) : [])),
    ]),
    origin: { seam: "register" },
    // Nobody asked for another end of the run: a registration changes what can be repaired, no more.
    keepLangChain: ["inputErrors"],
    ...(watchers.length > 0 && { onRepair: toAll(watchers) }),
    ...(refusalWatchers.length > 0 && { onRefused: toAll(refusalWatchers) }),
    ...(sinks.size > 0 && { evidence: [...sinks] }),
    ...(handlers.length > 0 && {
      onUnfixable: async (...args) => {
        for (const handle of handlers) {
          const answer = await handle(...args);
          if (answer !== undefined) return answer;
        }
        const [error] = args;
        return tellsModel && ToolInputError.isInstance(error) ? error.toModelMessage() : undefined;
      },
    }),
    ...(handlers.length === 0 && tellsModel && { onUnfixable: "tellModel" }),
  };
}

/** Tells several listeners. */
function toAll<Event>(listeners: readonly ((event: Event) => void)[]): (event: Event) => void {
  return (event) => {
    for (const listener of listeners) notify(listener, event);
  };
}

function combineRegistries(registries: readonly FixerLookup[]): FixerLookup {
  return {
    // A registry's default is no wish: only the level of a tool, or of the options, counts.
    level: registries.map(({ level }) => level).findLast((level) => level !== "safe") ?? "safe",
    undeclaredKeys: registries.findLast((one) => one.undeclaredKeys !== undefined)?.undeclaredKeys,
    edits: mergeGiven<EditSwitches>(...registries.map(({ edits }) => edits)),
    toolNamed: (name) =>
      registries.map((one) => one.toolNamed(name)).find((to) => to !== undefined),
    forTool(name) {
      const found = registries.map((registry) => registry.forTool(name));
      return {
        ...mergeGiven<RegisteredTool>(...found),
        edits: mergeGiven<EditSwitches>(...found.map(({ edits }) => edits)),
        fixers: found.flatMap(({ fixers }) => fixers),
      };
    },
  };
}
