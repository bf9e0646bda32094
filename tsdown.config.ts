import { readFileSync } from "node:fs";
import { join } from "node:path";
import { decode, encode, type SourceMapSegment } from "@jridgewell/sourcemap-codec";
import type { UserConfig } from "tsdown";

/** A toolmend file with all its static imports. */
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

/** The code that is loaded on demand: calls in text. */
const later = ["message/text/rescue-text-calls", "executor/read-action"].map((name) =>
  closureOf(`langchain/${name}`),
);

/** One group of modules: its file name, and its members. */
const group = (name: string, test: (id: string) => boolean) => ({ name, test });

/**
 * One file for the code that entries share and load at once, and one for the code that they load later,
 * rather than one for each set of entries: the cost of an import depends mostly on the number of files.
 * A module is in the first group that takes it, with its imports.
 *
 * @param first The static imports of the first entry.
 * @param more Groups for the rest.
 * @param plain The code that others load without the first entry, in its own file. Default: none.
 */
function filesOf(
  first: ReadonlySet<string>,
  more: readonly ReturnType<typeof group>[] = [],
  plain: ReadonlySet<string> = new Set(),
) {
  const groups = [
    { ...group("types.d", (id) => /\.d\.[cm]?ts$/.test(id)), minShareCount: 2 },
    group("plain", (id) => first.has(id) && plain.has(id)),
    // With the bundler's own helpers, which may otherwise end up in an entry that others must not import: register.
    group("shared", (id) => first.has(id) || /rolldown.runtime/.test(id)),
    ...more,
  ];
  return { groups: groups.map((one, index) => ({ ...one, priority: groups.length - index })) };
}

const others = ["messages", "middleware", "register"];

const wrappers = ["middleware", "register"].map(closureOf);

/**
 * The code that a wrapper loads at once and another entry loads at some time: not the formats of calls
 * in text.
 */
function isCommon(id: string): boolean {
  const users = [...wrappers, ...later, closureOf("messages")];
  return (
    wrappers.some((closure) => closure.has(id)) &&
    users.filter((closure) => closure.has(id)).length > 1
  );
}

const isLater = (id: string): boolean => later.some((closure) => closure.has(id));

/** The tasks of patches and diagnoses when LangChain and zod are old, or missing. */
const patching = new Set(
  ["cli", "cli/patch", "cli/doctor"].flatMap((name) => [...closureOf(name)]),
);

/** A node of a bundle's syntax tree, as far as it is read. */
interface SyntaxNode {
  readonly type?: string;
  readonly start: number;
  readonly end: number;
  readonly regex?: { readonly pattern: string; readonly flags: string };
}

/** A change to bundled code: what stands between two offsets becomes a text. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Makes regular expressions with classes like `\p{L}` when they are first used. As literals they are read
 * with the file, at a fifth of a millisecond each: a third of what the first fault of a process costs.
 */
function lateClasses(tree: unknown): readonly Edit[] {
  const found = [...unicodeClassesIn(tree)].map(({ start, end, regex, isInside }, index) => {
    const { pattern = "", flags = "" } = regex ?? {};
    const made = `new RegExp(${JSON.stringify(pattern)}, "${flags}")`;
    const isKept = isInside && !/[gy]/.test(flags);
    return { start, end, text: isKept ? `(lateClass[${index}] ??= ${made})` : made };
  });
  const { body } = tree as { readonly body: readonly (SyntaxNode & { directive?: string })[] };
  const start = body.find(({ directive }) => directive === undefined)?.start ?? 0;
  const list = { start, end: start, text: "const lateClass = [];" };
  return found.length === 0 ? [] : [list, ...found];
}

/** The regular expressions with classes of Unicode in a tree, and whether each is inside a function. */
function* unicodeClassesIn(
  tree: unknown,
  isInside = false,
): Generator<SyntaxNode & { readonly isInside: boolean }> {
  if (tree === null || typeof tree !== "object") return;
  const node = tree as SyntaxNode;
  if (node.regex !== undefined) {
    if (/\\p\{/i.test(node.regex.pattern)) yield { ...node, isInside };
    return;
  }
  const isFunction = isInside || /Function/.test(node.type ?? "");
  for (const child of Object.values(node)) yield* unicodeClassesIn(child, isFunction);
}

/**
 * Begins each statement of minified code on a line of its own: Node.js prints the line that throws, which would
 * be most of the file. Compressed, it costs half a percent.
 */
function statementLines(tree: unknown): readonly Edit[] {
  const starts = [...new Set(statementsIn(tree))].filter((start) => start > 0);
  return starts.map((start) => ({ start, end: start, text: "\n" }));
}

/** Where the statements of programs, functions and blocks begin. */
function* statementsIn(tree: unknown): Generator<number> {
  if (tree === null || typeof tree !== "object") return;
  const { type, body } = tree as Readonly<Record<string, unknown>>;
  if ((type === "Program" || type === "BlockStatement") && Array.isArray(body)) {
    for (const { start } of body as SyntaxNode[]) yield start;
  }
  for (const child of Object.values(tree)) yield* statementsIn(child);
}

/** The code with its changes, in the order of their places. */
function applyEdits(code: string, edits: readonly Edit[]): string {
  const ends = [0, ...edits.map(({ end }) => end)];
  const kept = [...edits.map(({ start }) => start), code.length];
  return kept.map((start, i) => code.slice(ends[i], start) + (edits[i]?.text ?? "")).join("");
}

/**
 * Moves the places of a source map with the code. It names the sources without their text, which is in the
 * repository: with it, the package would be twice as large.
 */
function moveMap(source: string, code: string, edits: readonly Edit[]): string {
  const { sourcesContent: _, ...map } = JSON.parse(source);
  const lines = linesOf(code);
  const movedLines = linesOf(applyEdits(code, edits));
  const moved: SourceMapSegment[][] = movedLines.map(() => []);
  let [shift, next, line] = [0, 0, 0];
  for (const [at, segments] of decode(map.mappings).entries()) {
    for (const [column, ...rest] of segments) {
      const offset = (lines[at] ?? 0) + column;
      for (let edit = edits[next]; edit && edit.start <= offset; edit = edits[++next]) {
        shift += edit.text.length - (edit.end - edit.start);
      }
      while ((movedLines[line + 1] ?? Number.POSITIVE_INFINITY) <= offset + shift) line++;
      moved[line]?.push([offset + shift - (movedLines[line] ?? 0), ...rest] as SourceMapSegment);
    }
  }
  return JSON.stringify({ ...map, mappings: encode(moved) });
}

/** Where the lines of a text begin. */
const linesOf = (text: string): readonly number[] => [
  0,
  ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1),
];

/** Changes to the bundled code. */
const rewrites: NonNullable<UserConfig["plugins"]> = [
  {
    name: "rewrites",
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk" || /\.d\.[cm]?ts$/.test(chunk.fileName)) continue;
        const { code } = chunk;
        const tree = this.parse(code);
        const edits = [...statementLines(tree), ...lateClasses(tree)];
        edits.sort((one, other) => one.start - other.start || one.end - other.end);
        const map = bundle[`${chunk.fileName}.map`];
        if (map?.type === "asset") map.source = moveMap(`${map.source}`, code, edits);
        chunk.code = applyEdits(code, edits);
      }
    },
  },
];

/** The output folder of the build. */
const dist = process.env.TOOLMEND_DIST ?? "dist";

/** type-fest's types are bundled into the declarations, but not what it declares in everybody's global scope. */
const withoutGlobals = {
  name: "without-globals",
  transform: {
    order: "pre" as const,
    filter: { id: /type-fest/ },
    handler: (code: string) => code.replace(/declare global \{[\s\S]*?\n\}/, ""),
  },
};

const shared: UserConfig = {
  format: ["esm", "cjs"],
  dts: true,
  fixedExtension: false,
  target: "node20",
  platform: "node",
  deps: { neverBundle: [/^node:/], onlyBundle: ["type-fest"] },
  // Not as one of `plugins`: those are left out where declarations of CommonJS are made.
  inputOptions: (options) => ({ ...options, plugins: [withoutGlobals, options.plugins] }),
  sourcemap: true,
  plugins: rewrites,
  // Names of functions and classes are read at run time: by errors, and to tell sinks from their factories.
  minify: { compress: { keepNames: { function: true, class: true } }, mangle: { keepNames: true } },
};

/** Comments are in the declarations, where editors look for them; bundlers need their annotations. */
const comments = { jsdoc: false };

const entriesOf = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, `src/${name}.ts`]));

const main: UserConfig = {
  ...shared,
  outDir: dist,
  // Otherwise the bundler's own helpers import node:module, and no other entry would run in a
  // browser.
  platform: "neutral",
  entry: entriesOf(["index", ...others]),
  outputOptions: {
    comments,
    codeSplitting: filesOf(closureOf("index"), [
      group("common", isCommon),
      group("later", isLater),
    ]),
  },
};

const withoutLangChain: UserConfig["plugins"] = [
  ...rewrites,
  {
    name: "without-langchain",
    load(id) {
      const isSeam = id.endsWith("/src/repair/langchain.ts");
      return isSeam ? 'export * from "./without-langchain.ts";' : undefined;
    },
  },
];

/**
 * `toolmend/core` and `toolmend/mcp` share no file with the other entries: nothing in their own files refers
 * to LangChain.
 */
const core: UserConfig = {
  ...shared,
  format: "cjs",
  entry: { index: "src/core.ts", mcp: "src/mcp.ts" },
  outDir: `${dist}/core`,
  platform: "neutral",
  outputOptions: { comments, codeSplitting: filesOf(closureOf("core")) },
  plugins: withoutLangChain,
};

/**
 * The command line repairs by a JSON Schema, and also runs without LangChain: with the files of
 * `toolmend/core`.
 */
const coreAndCli: UserConfig = {
  ...core,
  format: "esm",
  dts: { entry: ["src/core.ts", "src/mcp.ts"] },
  entry: { "core/index": "src/core.ts", "core/mcp": "src/mcp.ts", cli: "src/cli.ts" },
  outDir: dist,
  outputOptions: {
    comments,
    codeSplitting: filesOf(
      closureOf("core"),
      [
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

/** Separate: it shares little with the main entry, which needs LangChain. */
const fixers: UserConfig = {
  ...shared,
  entry: { fixers: "src/fixers.ts" },
  outDir: dist,
  platform: "neutral",
  outputOptions: { comments },
  plugins: withoutLangChain,
};

const config: UserConfig[] = [main, core, coreAndCli, evidence, fixers];

export default config;
