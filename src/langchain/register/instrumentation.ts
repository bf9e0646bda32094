import { dirname } from "node:path";
import * as parsers from "@langchain/core/output_parsers";
import * as tools from "@langchain/core/tools";
import { EXCEPTIONS } from "../../repair/errors/likeness.ts";
import { findCopies } from "./find-copies.ts";
import { type PackageCopy, readCopy } from "./find-package.ts";
import { globalState } from "./global-state.ts";
import { hookCall } from "./hook-call.ts";
import { hookExecutor, INNER_METHODS } from "./hook-executor.ts";
import { hookInstanceof } from "./hook-instanceof.ts";
import { loadEntry, type ModuleExports } from "./load-entry.ts";
import { realFolder } from "./packages-in.ts";
import { isVersionOf, SUPPORTED_PACKAGES, showVersions } from "./supported-versions.ts";
import { restore, swap } from "./swap.ts";
import { watchImports } from "./watch-imports.ts";

/**
 * Hooks every copy of LangChain that a project reaches, and those that are loaded later where they
 * can be watched. What is hooked already stays as it is; an unknown version is left alone, with one
 * warning.
 *
 * @param from The folder in which LangChain is looked for. Default: the working directory, and that of the script that
 * Node.js was started with: a service is often started from elsewhere.
 */
export function instrument(from?: string): void {
  const state = globalState();
  const folders = from === undefined ? [process.cwd(), ...scriptFolder()] : [from];
  const copies = findCopies(...folders);
  for (const copy of copies) instrumentCopy(copy);
  // Bundled: what is bundled with toolmend is a copy of its own, whatever else is on the disk.
  const isKnown = copies.every((copy) => copy.name !== "@langchain/core" || isHooked(copy));
  if (isKnown) for (const loaded of [tools, parsers]) instrumentModule(loaded);
  state.stopWatching ??= watchImports(folders, (loaded, folder) => {
    const copy = readCopy(folder);
    if (copy !== undefined && isHooked(copy)) instrumentModule(loaded);
  });
}

function scriptFolder(): readonly string[] {
  const script = process.argv[1] === undefined ? undefined : realFolder(process.argv[1]);
  return script === undefined ? [] : [dirname(script)];
}

/** Puts back everything that is still ours. What others have wrapped since does nothing any more. */
export function uninstrument(): void {
  const state = globalState();
  for (const swapped of [...state.swaps].reverse()) {
    if (restore(swapped)) state.swaps.delete(swapped);
  }
  state.stopWatching?.();
  state.stopWatching = undefined;
}

function instrumentCopy(copy: PackageCopy): void {
  if (!isHooked(copy)) return;
  const known = SUPPORTED_PACKAGES.find(({ name }) => name === copy.name);
  for (const { entry, versions } of known?.hooks ?? []) {
    if (!isVersionOf(copy.version, versions)) continue;
    for (const loaded of loadEntry(copy, entry)) instrumentModule(loaded);
  }
}

/** Whether a copy is of a version to hook. Warns of a version that nothing is known of. */
function isHooked({ name, version, folder }: PackageCopy): boolean {
  const known = SUPPORTED_PACKAGES.find((one) => one.name === name);
  if (known === undefined) return false;
  if (isVersionOf(version, known.versions)) return true;
  const { warned } = globalState();
  if (warned.has(folder)) return false;
  warned.add(folder);
  const supported = showVersions(known.versions);
  const remedy = isVersionOf(version, known.patchOnly ?? [])
    ? "`npx toolmend patch` has a source patch for it."
    : "Update toolmend, or wrap its tools with wrapTool.";
  process.emitWarning(
    `toolmend leaves ${name} ${version} in ${folder} alone: it knows ${supported}. ${remedy}`,
    { code: "TOOLMEND_UNSUPPORTED" },
  );
  return false;
}

function instrumentModule(loaded: ModuleExports): void {
  const { StructuredTool, AgentExecutor } = loaded as Record<string, { prototype: object }>;
  if (StructuredTool) keep(swap(StructuredTool.prototype, "call", hookCall));
  for (const [name, likeness] of Object.entries(EXCEPTIONS)) {
    const exception = loaded[name] as object | undefined;
    if (exception === undefined) continue;
    keep(swap(exception, Symbol.hasInstance, hookInstanceof(exception, likeness)));
  }
  if (AgentExecutor) {
    for (const method of INNER_METHODS) {
      keep(swap(AgentExecutor.prototype, method, hookExecutor(method)));
    }
  }
}

function keep(swapped: ReturnType<typeof swap>): void {
  if (swapped !== undefined) globalState().swaps.add(swapped);
}
