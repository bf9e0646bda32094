import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import * as parsers from "@langchain/core/output_parsers";
import * as tools from "@langchain/core/tools";
import { EXCEPTIONS, type ExceptionName } from "../../repair/errors.ts";
import type { NotRegistry } from "../../repair/policy.ts";
import { checkOptions } from "../../repair/usage.ts";
import {
  hookCall,
  hookExecutor,
  hookInstanceof,
  INNER_METHODS,
  swap,
} from "./hooks.ts";
import { findCopies, type PackageCopy, realFolder } from "./packages.ts";
import {
  globalState,
  REGISTER_USAGE,
  type RegisterOptions,
  warnOnce,
} from "./registrations.ts";
import {
  isVersionOf,
  SUPPORTED_PACKAGES,
  type SupportedPackage,
  showVersions,
} from "./supported-versions.ts";

/**
 * Repairs the inputs of every LangChain tool of the process, with the
 * `globalFixers` and with these options. May be called several times: the
 * fixers of all registrations run, in their order; of other options, the latest
 * given counts. Each listener also gets the calls of wrappers and of the
 * middleware, which repair as their own options say.
 *
 * @param options Fixers, level, limits, handlers and listeners.
 * @throws TypeError for a wrong use: an unknown option, a value that an option
 *   cannot have.
 * @returns A function that undoes this registration. The last undo restores
 *   LangChain.
 * @example
 * ```ts
 * const undo = register({ level: "strict" });
 * undo();
 * ```
 */
export function register(
  options: RegisterOptions & NotRegistry = {},
): () => void {
  checkOptions(options, REGISTER_USAGE);
  const { registrations } = globalState();
  const registration = { ...options };
  registrations.add(registration);
  instrument(options.from);
  return () => {
    if (registrations.delete(registration) && registrations.size === 0)
      uninstrument();
  };
}

/**
 * Undoes every registration of the process, that of the import included.
 * @example
 * ```ts
 * globalFixers.register("click", renameKey("element", "selector"));
 * register();
 * unregister();
 * ```
 */
export function unregister(): void {
  globalState().registrations.clear();
  uninstrument();
}

/**
 * Hooks every copy of LangChain that a project reaches: the one in a folder,
 * else in the working directory and in that of the script that Node.js was
 * started with, since a service is often started from elsewhere.
 */
export function instrument(from?: string): void {
  const copies = findCopies(...(from === undefined ? startFolders() : [from]));
  let knowsCore = true;
  for (const copy of copies) {
    const support = supportOf(copy);
    if (support !== undefined) instrumentCopy(copy, support);
    else if (copy.name === "@langchain/core") knowsCore = false;
  }
  // A LangChain bundled with toolmend is a copy of its own, not one of those on
  // the disk.
  if (knowsCore)
    for (const loaded of [tools, parsers]) instrumentModule(loaded);
}

function startFolders(): readonly string[] {
  const script =
    process.argv[1] === undefined ? undefined : realFolder(process.argv[1]);
  return script === undefined
    ? [process.cwd()]
    : [process.cwd(), dirname(script)];
}

function instrumentCopy(copy: PackageCopy, { hooks }: SupportedPackage): void {
  for (const { entry, versions } of hooks) {
    if (!isVersionOf(copy.version, versions)) continue;
    for (const loaded of loadEntry(copy, entry)) instrumentModule(loaded);
  }
}

/**
 * Puts back everything that is still ours. What others have wrapped since does
 * nothing any more.
 */
export function uninstrument(): void {
  const { undos } = globalState();
  for (const undo of [...undos].reverse()) if (undo()) undos.delete(undo);
}

/**
 * Finds the support for a copy's version, and warns about an unknown version.
 */
function supportOf({
  name,
  version,
  folder,
}: PackageCopy): SupportedPackage | undefined {
  const known = SUPPORTED_PACKAGES.find((supported) => supported.name === name);
  if (known === undefined || isVersionOf(version, known.versions)) return known;
  const remedy = isVersionOf(version, known.patchOnly ?? [])
    ? "`npx toolmend patch` has a source patch for it."
    : "Update toolmend, or wrap its tools with wrapTool.";
  warnOnce(
    folder,
    `toolmend leaves ${name} ${version} in ${folder} alone: it knows ${showVersions(known.versions)}. ${remedy}`,
    "TOOLMEND_UNSUPPORTED",
  );
  return undefined;
}

/** What a module exports, in one of its builds. */
type ModuleExports = Readonly<Record<string, unknown>>;

/**
 * Loads an entry point of one copy of a package, as ESM and as CommonJS: two
 * builds, two sets of classes. Node.js hands the very modules that `import` and
 * `require` give the application; jest, for one, loads the CommonJS build only.
 */
function loadEntry(copy: PackageCopy, entry: string): readonly ModuleExports[] {
  const require = createRequire(join(copy.folder, "package.json"));
  const conditions = (
    copy.manifest.exports as Record<string, unknown> | undefined
  )?.[entry];
  const files = ["require", "import"].map((format) =>
    pickFile(conditions, format),
  );
  return [...new Set(files)].flatMap((file) => {
    if (file === undefined) return [];
    try {
      return [require(join(copy.folder, file)) as ModuleExports];
    } catch {
      return [];
    }
  });
}

function pickFile(conditions: unknown, format: string): string | undefined {
  if (typeof conditions === "string") return conditions;
  if (conditions === null || typeof conditions !== "object") return undefined;
  const { [format]: ofFormat, default: byDefault } = conditions as Record<
    string,
    unknown
  >;
  return pickFile(ofFormat ?? byDefault, "default");
}

function instrumentModule(loaded: ModuleExports): void {
  const { undos } = globalState();
  const { StructuredTool, AgentExecutor } = loaded as Record<
    string,
    { prototype: object }
  >;
  const hook = (...[target, key, make]: Parameters<typeof swap>) => {
    const undo = swap(target, key, make);
    if (undo !== undefined) undos.add(undo);
  };
  if (StructuredTool) hook(StructuredTool.prototype, "call", hookCall);
  for (const name of Object.keys(EXCEPTIONS) as ExceptionName[]) {
    const exception = loaded[name] as object | undefined;
    if (exception)
      hook(exception, Symbol.hasInstance, hookInstanceof(exception, name));
  }
  if (!AgentExecutor) return;
  for (const method of INNER_METHODS)
    hook(AgentExecutor.prototype, method, hookExecutor(method));
}
