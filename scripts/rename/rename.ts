import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import ts from "typescript";
import type { FileRename, NameRename } from "./names.ts";

/** A position in a file, and the new text. */
interface Edit {
  readonly file: string;
  readonly start: number;
  readonly length: number;
  readonly text: string;
}

/** Renames names of the TypeScript in some folders, wherever they are used. */
export class Renamer {
  readonly #root: string;
  readonly #texts = new Map<string, string>();
  readonly #versions = new Map<string, number>();
  readonly #service: ts.LanguageService;

  /**
   * @param root The folder of the repository.
   * @param folders Those that hold code, below it.
   */
  constructor(root: string, folders: readonly string[]) {
    this.#root = root;
    for (const file of folders.flatMap((folder) => filesIn(join(root, folder), ".ts"))) {
      this.#write(file, readFileSync(file, "utf8"));
    }
    const { config } = ts.readConfigFile(join(root, "tsconfig.check.json"), ts.sys.readFile);
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
    this.#service = ts.createLanguageService({
      getCompilationSettings: () => options,
      getScriptFileNames: () => [...this.#texts.keys()],
      getScriptVersion: (file) => String(this.#versions.get(file) ?? 0),
      getScriptSnapshot: (file) => {
        const text = this.#texts.get(file) ?? ts.sys.readFile(file);
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
      },
      getCurrentDirectory: () => root,
      getDefaultLibFileName: ts.getDefaultLibFilePath,
      fileExists: ts.sys.fileExists,
      readFile: ts.sys.readFile,
      readDirectory: ts.sys.readDirectory,
      directoryExists: ts.sys.directoryExists,
      getDirectories: ts.sys.getDirectories,
    });
  }

  /**
   * Renames a name that a file declares, at every depth and wherever it is used.
   *
   * @returns The reason for a failure; `undefined` on success.
   */
  rename({ file, from, to }: NameRename): string | undefined {
    const path = join(this.#root, file);
    const [owner, member] = from.includes(".") ? from.split(".") : [undefined, from];
    const source = this.#service.getProgram()?.getSourceFile(path);
    if (source === undefined) return `${file} is gone`;
    const declared = declarationsOf(source, member ?? from, owner);
    if (declared.length === 0) return `${file} does not declare ${from} any more`;
    const edits = this.#editsFor(path, declared, {
      from: member ?? from,
      to,
      isMember: owner !== undefined,
    });
    for (const changed of new Set(edits.map((edit) => edit.file))) {
      const inner = relative(this.#root, changed);
      if (/^src\/[\w-]+\.ts$/.test(inner)) return `${from} of ${file} is public: ${inner} has it`;
      const known = this.#service.getProgram()?.getSourceFile(changed);
      if (known && hasIdentifier(known, to))
        return `${inner} has a ${to} already (${from} of ${file})`;
    }
    this.#apply(edits, member ?? from, to);
    return undefined;
  }

  /**
   * Moves a file, and updates its importers.
   *
   * @returns The reason for a failure; `undefined` on success.
   */
  move({ from, to }: FileRename): string | undefined {
    const [old, next] = [join(this.#root, from), join(this.#root, to)];
    const text = this.#texts.get(old);
    if (text === undefined) return `${from} is gone`;
    if (existsSync(next)) return `${to} exists already (${from})`;
    for (const [file, source] of this.#texts) {
      const here = file === old ? next : file;
      const moved = source.replaceAll(
        /(["'])((?:\.{1,2}|#src)\/[^"'\n]*\.ts)\1/g,
        (whole, quote, path) => {
          const isAlias = path.startsWith("#src/");
          const base = isAlias ? join(this.#root, "src", path.slice(5)) : join(dirname(file), path);
          const target = normalize(base) === old ? next : normalize(base);
          if (target === normalize(base) && (isAlias || file !== old)) return whole;
          if (isAlias) return `${quote}#src/${relative(join(this.#root, "src"), target)}${quote}`;
          const specifier = relative(dirname(here), target);
          return `${quote}${specifier.startsWith(".") ? specifier : `./${specifier}`}${quote}`;
        },
      );
      if (moved !== source) this.#write(file, moved);
    }
    this.save();
    mkdirSync(dirname(next), { recursive: true });
    renameSync(old, next);
    this.#write(next, this.#texts.get(old) ?? text);
    this.#texts.delete(old);
    return undefined;
  }

  /** Writes the changed files. */
  save(): readonly string[] {
    const changed = [...this.#versions].filter(
      ([file, version]) => version > 1 && this.#texts.has(file),
    );
    for (const [file] of changed) {
      writeFileSync(file, this.#texts.get(file) ?? "");
      this.#versions.set(file, 1);
    }
    return changed.map(([file]) => file);
  }

  /**
   * The text wherever the name is used. TypeScript would write `import { next as name }`, or `{
   * name: next }` in a pattern: such a local name is renamed as well.
   */
  #editsFor(
    path: string,
    starts: readonly number[],
    { from, to, isMember }: Pick<NameRename, "from" | "to"> & { readonly isMember: boolean },
  ): readonly Edit[] {
    const edits = new Map<string, Edit>();
    const open = starts.map((start) => ({ file: path, start }));
    const asked = new Set<string>();
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      const key = `${place.file}:${place.start}`;
      if (asked.has(key)) continue;
      asked.add(key);
      const found = this.#service.findRenameLocations(place.file, place.start, false, false, {
        providePrefixAndSuffixTextForRename: true,
      });
      for (const { fileName: file, textSpan, prefixText = "", suffixText = "" } of found ?? []) {
        const { start, length } = textSpan;
        if (this.#texts.get(file)?.slice(start, start + length) !== from) continue;
        const isBinding = this.#isBinding(file, start, isMember);
        const known = edits.get(`${file}:${start}`);
        if (isBinding) open.push({ file, start });
        const isBare =
          isBinding || (known !== undefined && known.text !== `${prefixText}${to}${suffixText}`);
        const text = isBare ? to : `${prefixText}${to}${suffixText}`;
        edits.set(`${file}:${start}`, { file, start, length, text });
      }
    }
    return [...edits.values()];
  }

  /** Whether a name is that of an import, of an export or, when a member is renamed, of a local in a pattern. */
  #isBinding(file: string, start: number, isMember: boolean): boolean {
    const source = this.#service.getProgram()?.getSourceFile(file);
    const parent = source && identifiersOf(source).find((one) => one.getStart() === start)?.parent;
    if (parent === undefined) return false;
    const isNamed = ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent);
    return (
      (isNamed || (isMember && ts.isBindingElement(parent))) && parent.propertyName === undefined
    );
  }

  /** Makes the edits, and updates comments that name it in backticks, too. */
  #apply(edits: readonly Edit[], from: string, to: string): void {
    for (const file of new Set(edits.map((edit) => edit.file))) {
      const own = edits.filter((edit) => edit.file === file).sort((a, b) => b.start - a.start);
      let text = this.#texts.get(file) ?? "";
      for (const { start, length, text: next } of own) {
        text = text.slice(0, start) + next + text.slice(start + length);
      }
      this.#write(file, text.replaceAll(`\`${from}\``, `\`${to}\``));
    }
  }

  #write(file: string, text: string): void {
    this.#texts.set(file, text);
    this.#versions.set(file, (this.#versions.get(file) ?? 0) + 1);
  }
}

/** Where a file declares a name: a function, a type, a local; with an owner, a member of that type. */
function declarationsOf(
  source: ts.SourceFile,
  name: string,
  owner: string | undefined,
): readonly number[] {
  return identifiersOf(source)
    .filter(({ text, parent }) => {
      if (text !== name || !("name" in parent)) return false;
      if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent)) return false;
      if (ts.isPropertyAccessExpression(parent)) return false;
      if (ts.isTypeElement(parent) || ts.isPropertyAssignment(parent)) {
        return ownerOf(parent) === owner && owner !== undefined;
      }
      return owner === undefined && !ts.isShorthandPropertyAssignment(parent);
    })
    .filter((one) => (one.parent as ts.NamedDeclaration).name === one)
    .map((one) => one.getStart());
}

function ownerOf(node: ts.Node): string | undefined {
  const around = node.parent && ts.isIntersectionTypeNode(node.parent) ? node.parent : node;
  for (let at = around.parent; at !== undefined; at = at.parent) {
    if (ts.isInterfaceDeclaration(at) || ts.isTypeAliasDeclaration(at)) return at.name.text;
  }
  return undefined;
}

/** Whether a name is taken in a file, by anything but a member. */
function hasIdentifier(source: ts.SourceFile, name: string): boolean {
  return identifiersOf(source).some((one) => {
    const { text, parent } = one;
    if (text !== name || ts.isTypeElement(parent) || ts.isPropertyAssignment(parent)) return false;
    const isName =
      (ts.isPropertyAccessExpression(parent) && parent.name === one) ||
      (ts.isBindingElement(parent) && parent.propertyName === one);
    return !isName;
  });
}

function identifiersOf(source: ts.SourceFile): readonly ts.Identifier[] {
  const found: ts.Identifier[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function filesIn(folder: string, ending: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.name === "node_modules" || entry.name === "consumers") return [];
    if (entry.isDirectory()) return filesIn(path, ending);
    return path.endsWith(ending) ? [path] : [];
  });
}
