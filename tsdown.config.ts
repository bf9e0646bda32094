import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { UserConfig } from "tsdown";

/** A file of ours with all that it imports at once. */
function importedAtOnce(file: string, found: Set<string> = new Set([file])): Set<string> {
  const types = String.raw`type\b|\{(?:\s*type [^,}]+,?)*\s*\}`;
  const statement = new RegExp(
    String.raw`^(?:import|export) (?!${types})[^;]*?\bfrom\s+"(\.[^"]+)";`,
    "gm",
  );
  for (const [, path = ""] of readFileSync(file, "utf8").matchAll(statement)) {
    const imported = join(file, "..", path);
    if (found.has(imported)) continue;
    found.add(imported);
    importedAtOnce(imported, found);
  }
  return found;
}

const closureOf = (name: string): ReadonlySet<string> =>
  importedAtOnce(join(import.meta.dirname, "src", `${name}.ts`));

/** What is loaded with the first fault. */
const repairing = closureOf("repair/repairing");

/** What is loaded when it is needed, beside what repairs: calls in text, and what LangChain is shown. */
const later = ["calls/text/rescue-text-calls", "executor/read-action", "trace/show-event"].map(
  (name) => closureOf(`langchain/${name}`),
);

/** One group of modules: what its file is called, and which are in it. */
const group = (name: string, test: (id: string) => boolean) => ({ name, test });

/**
 * One file of what entries share and load at once, and one of what they load later, rather than one for
 * each set of entries: what an import costs is mostly by the file. A module is in the first group that
 * takes it, with what it imports.
 *
 * @param first What the first entry loads at once.
 * @param more Groups for the rest.
 * @param plain What others load without the first entry, in a file of its own. Default: nothing.
 */
function filesOf(
  first: ReadonlySet<string>,
  more: readonly ReturnType<typeof group>[] = [],
  plain: ReadonlySet<string> = new Set(),
) {
  const groups = [
    // Else the bundler's own helpers may end up in an entry that others must not import: register.
    group("rolldown-runtime", (id) => /rolldown.runtime/.test(id)),
    { ...group("types.d", (id) => /\.d\.[cm]?ts$/.test(id)), minShareCount: 2 },
    group("plain", (id) => first.has(id) && plain.has(id)),
    group("shared", (id) => first.has(id)),
    ...more,
  ];
  return { groups: groups.map((one, index) => ({ ...one, priority: groups.length - index })) };
}

/** What a wrapper loads with the first call that is to be corrected, or that has been. */
const late = ["executor/lazy", "middleware/lazy"].map((name) => closureOf(`langchain/${name}`));

const others = ["messages", "middleware", "register", "register-api", "runnables"];

/** What reads calls in text, as soon as it is imported; parts of it read inputs. */
const messages = closureOf("messages");

const wrappers = ["middleware", "runnables", "register-api"].map(closureOf);

/** What a wrapper loads at once, and something else at some time: not the formats of calls in text. */
function isCommon(id: string): boolean {
  const users = [...wrappers, ...later, ...late, closureOf("messages"), repairing];
  return (
    wrappers.some((closure) => closure.has(id)) &&
    users.filter((closure) => closure.has(id)).length > 1
  );
}

const isLater = (id: string): boolean => later.some((closure) => closure.has(id));

const isLate = (id: string): boolean => late.some((closure) => closure.has(id));

/** What patches and diagnoses must do where LangChain and zod are old, or are not there. */
const patching = new Set(
  ["cli", "cli/patch", "cli/doctor"].flatMap((name) => [...closureOf(name)]),
);

/** Where the build is written to. */
const dist = process.env.TOOLMEND_DIST ?? "dist";

const shared: UserConfig = {
  format: ["esm", "cjs"],
  dts: true,
  fixedExtension: false,
  target: "node20",
  platform: "node",
  deps: { neverBundle: [/^node:/] },
  sourcemap: false,
  // Names of functions and classes are read at run time: by errors, and to tell sinks from what makes them.
  minify: { compress: { keepNames: { function: true, class: true } }, mangle: { keepNames: true } },
};

/** Comments are in the declarations, where editors look for them; bundlers need their annotations. */
const comments = { jsdoc: false };

const entriesOf = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, `src/${name}.ts`]));

const main: UserConfig = {
  ...shared,
  outDir: dist,
  // Else the bundler's own helpers import node:module, and no other entry would run in a browser.
  platform: "neutral",
  entry: entriesOf(["index", ...others]),
  outputOptions: {
    comments,
    codeSplitting: filesOf(closureOf("index"), [
      // Before what else uses parts of it: the first fault is to load what it needs, and no more.
      group("reading", (id) => repairing.has(id) && messages.has(id)),
      group("repair", (id) => repairing.has(id)),
      group("common", isCommon),
      group("later", isLater),
      group("late", isLate),
    ]),
  },
};

const withoutLangChain: UserConfig["plugins"] = [
  {
    name: "without-langchain",
    load(id) {
      const isSeam = id.endsWith("/src/repair/langchain.ts");
      return isSeam ? 'export * from "./without-langchain.ts";' : undefined;
    },
  },
];

/** `toolmend/core` shares no file with the other entries: in its own, nothing refers to LangChain. */
const core: UserConfig = {
  ...shared,
  format: "cjs",
  entry: { index: "src/core.ts" },
  outDir: `${dist}/core`,
  platform: "neutral",
  outputOptions: { comments, codeSplitting: filesOf(closureOf("core")) },
  plugins: withoutLangChain,
};

/**
 * The command line repairs by a JSON Schema, and runs where LangChain is not installed, too: with the files
 * of `toolmend/core`.
 */
const coreAndCli: UserConfig = {
  ...core,
  format: "esm",
  dts: { entry: "src/core.ts" },
  entry: { "core/index": "src/core.ts", cli: "src/cli.ts" },
  outDir: dist,
  outputOptions: {
    comments,
    codeSplitting: filesOf(
      closureOf("core"),
      [
        // Before what reads logs: else what both use is in a file that imports node:fs, which no browser has.
        group("repair", (id) => repairing.has(id)),
        group("start", (id) => patching.has(id) && !id.endsWith("/src/cli.ts")),
        group("logs", (id) => /\/src\/evidence\//.test(id)),
        group("commands", (id) => /\/src\/(?:cli|langchain)\//.test(id)),
      ],
      patching,
    ),
    chunkFileNames: "core/[name]-[hash].js",
  },
};

/** Logs and meters share no file with the rest: an application writes and reads them without LangChain, too. */
const evidence: UserConfig = {
  ...shared,
  entry: { index: "src/evidence.ts" },
  outDir: `${dist}/evidence`,
  outputOptions: { comments },
  plugins: withoutLangChain,
};

/** By itself: what it shares with logs is small, and would be four files more. */
const otel: UserConfig = { ...evidence, entry: { otel: "src/otel.ts" } };

const config: UserConfig[] = [main, core, coreAndCli, evidence, otel];

export default config;
