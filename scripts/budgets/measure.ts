import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import ts from "typescript";
import { weigh } from "../bundles.ts";
import { withoutLangChain } from "../without-langchain.ts";
import type { Figures } from "./table.ts";
import { measureThought, type Thought } from "./thought.ts";

/** The figures of a checkout. */
export interface Measured {
  readonly figures: Figures;
  /** The number of names that each entry exports, by its name in package.json. */
  readonly entries: ReadonlyMap<string, number>;
  /** The number of words in each file with a list of words. */
  readonly wordsByFile: ReadonlyMap<string, number>;
  readonly thought: Thought;
}

/** Measures the checkout in the working directory. */
export async function measure(): Promise<Measured> {
  const sources = filesIn("src", ".ts");
  const pages = filesIn("docs", ".md").filter((file) => !file.startsWith("docs/reference/"));
  const exported = new Map(
    sources
      .filter((file) => /^src\/[\w-]+\.ts$/.test(file) && file !== "src/cli.ts")
      .map((file) => [entryOf(file), exportedNames(file)]),
  );
  const wordsByFile = new Map(
    sources
      .map((file) => [file, countListedWords(read(file))] as const)
      .filter(([, count]) => count > 0)
      .sort(([, one], [, other]) => other - one),
  );
  const thought = measureThought(new Map(sources.map((file) => [file, read(file)])));
  return {
    figures: {
      "files in src": sources.length,
      "public names": new Set([...exported.values()].flat()).size,
      "words in lists": sum([...wordsByFile.values()]),
      "files with words in lists": wordsByFile.size,
      docs: pages.length,
      "words of docs": sum(pages.map((file) => read(file).split(/\s+/).length)),
      README: countLines("README.md"),
      tokens: roundUp(thought.tokens / 1_000),
      "tokens a line": roundUp(thought.tokensPerLine),
      "logic in 100 lines": roundUp(thought.logicPer100Lines),
      "complex functions": thought.complexFunctions.length,
      "long functions": thought.longFunctions.length,
      "vague names": thought.vagueNames.length,
      "types declared twice": thought.typesDeclaredTwice.length,
      regexes: thought.regexes,
      "long regexes": thought.longRegexes.length,
      "toolmend, gzip": await kilobytesOf("index"),
      "toolmend/middleware, gzip": await kilobytesOf("middleware"),
      "toolmend/core, gzip": await kilobytesOf("core"),
    },
    entries: new Map([...exported].map(([entry, names]) => [entry, names.length])),
    wordsByFile,
    thought,
  };
}

/**
 * Counts hand-picked natural-language words: strings of twelve words and more, alternations of
 * eight and more in a regular expression, arrays of twelve strings and more.
 */
export function countListedWords(file: string): number {
  // The sentence of an edit and its reasons are no lists.
  const source = file.replace(/^\s*(?:does|evidence):\s*(?:"[^"]*"|`[^`]*`)/gm, "");
  const strings = /"((?:[\p{Ll}'\-=]+[ ,]+){11,}[\p{Ll}'\-=]+)"(?!:)/gu;
  const alternations = /\/[^\n/]*(?:\b[\p{Ll}']{2,}\|){7,}[^\n]*\//gu;
  const arrays = /\[((?:\s*"[\p{Ll}'\- ]{2,}",){11,}[^\]]*)\]/gu;
  return sum([
    ...[...source.matchAll(strings)].map(([, words = ""]) => words.split(/[ ,]+/).length),
    ...[...source.matchAll(alternations)].map(([pattern]) => pattern.split("|").length),
    ...[...source.matchAll(arrays)].map(([, items = ""]) => (items.split('"').length - 1) / 2),
  ]);
}

/** Bundles everything that an entry exports, loaded at once or later. */
async function kilobytesOf(entry: string): Promise<number> {
  const plugins = entry === "core" ? [withoutLangChain] : [];
  const { initial, lazy } = await weigh(`export * from "./${entry}.ts"`, plugins);
  return Math.ceil((initial + lazy) / 1_000);
}

/** The names that a file exports, including those of `export * from "./other.ts"`. */
function exportedNames(file: string): readonly string[] {
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true);
  const names = source.statements.flatMap((node) => {
    if (ts.isExportDeclaration(node)) {
      const { exportClause: clause, moduleSpecifier: from } = node;
      if (clause === undefined)
        return exportedNames(join(file, "..", (from as ts.StringLiteral).text));
      return ts.isNamedExports(clause)
        ? clause.elements.map(({ name }) => name.text)
        : [clause.name.text];
    }
    const modifiers = ts.canHaveModifiers(node) ? ts.getModifiers(node) : undefined;
    if (!modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
    if (ts.isVariableStatement(node)) {
      return node.declarationList.declarations.map(({ name }) => name.getText());
    }
    const { name } = node as ts.DeclarationStatement;
    return name === undefined ? [] : [name.text];
  });
  return [...new Set(names)];
}

/** `toolmend` for src/index.ts, `toolmend/core` for src/core.ts. */
function entryOf(file: string): string {
  const name = basename(file, ".ts");
  return name === "index" ? "toolmend" : `toolmend/${name}`;
}

function filesIn(folder: string, ending: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(ending))
    .map((file) => join(folder, file))
    .sort();
}

/** To one decimal, so that a small change leaves the ceiling. */
const roundUp = (figure: number): number => Math.ceil(figure * 10) / 10;
const read = (file: string): string => readFileSync(file, "utf8");
const countLines = (file: string): number => read(file).split("\n").length - 1;
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
