import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";

const root = join(__dirname, "..", "..");

/** The entries of package.json, by the files that re-export them. */
const ENTRIES = [
  "index",
  "core",
  "fixers",
  "middleware",
  "messages",
  "register",
  "evidence",
  "mcp",
];

/** Its types are built into our declarations, and so are exported as our own. */
const TYPE_FEST = join(root, "node_modules/type-fest/source/basic.d.ts");

/** An exported declaration, and where it is. */
export interface Exported {
  readonly name: string;
  readonly node: ts.Node;
  readonly file: string;
}

const parsed = new Map<string, ts.SourceFile>();

function parse(file: string): ts.SourceFile {
  const known =
    parsed.get(file) ??
    ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  parsed.set(file, known);
  return known;
}

/** The exports of a file, followed to their declarations; LangChain's own are left out. */
function exportsOf(file: string): readonly Exported[] {
  const declared: Exported[] = [];
  const passed = parse(file).statements.flatMap((node) => {
    if (isExported(node)) {
      declared.push(...namesOf(node).map((name) => ({ name, node, file })));
    }
    const clause = ts.isExportDeclaration(node) ? node.exportClause : undefined;
    if (clause === undefined || !ts.isNamedExports(clause)) return [];
    return clause.elements.flatMap(({ name, propertyName }) => {
      const asked = (propertyName ?? name).text;
      const source = moduleOf(node as ts.ExportDeclaration) ?? importedFrom(file, asked);
      if (source === "type-fest") return find(TYPE_FEST, asked);
      return source?.startsWith(".") ? find(join(dirname(file), source), asked) : [];
    });
  });
  // The signatures of an overloaded function are public, its implementation is not.
  const isPublic = ({ name, node }: Exported) =>
    !("body" in node && node.body) || declared.filter((one) => one.name === name).length === 1;
  return [...declared.filter(isPublic), ...passed];
}

function namesOf(node: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(node)) {
    return node.declarationList.declarations.map(({ name }) => name.getText());
  }
  return [(node as ts.FunctionDeclaration).name?.text ?? ""];
}

function isExported(node: ts.Statement): boolean {
  const { modifiers } = node as ts.FunctionDeclaration;
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
}

function moduleOf(node: ts.ExportDeclaration | ts.ImportDeclaration): string | undefined {
  return (node.moduleSpecifier as ts.StringLiteral | undefined)?.text;
}

function importedFrom(file: string, name: string): string | undefined {
  const imports = parse(file).statements.filter(ts.isImportDeclaration);
  const found = imports.find((node) => {
    const bindings = node.importClause?.namedBindings;
    return bindings && ts.isNamedImports(bindings)
      ? bindings.elements.some((one) => one.name.text === name)
      : false;
  });
  return found && moduleOf(found);
}

function find(file: string, name: string): readonly Exported[] {
  return exportsOf(file).filter((one) => one.name === name);
}

/** The exports of each entry; LangChain's own are left out. */
export const PUBLIC_EXPORTS: ReadonlyMap<string, readonly Exported[]> = new Map(
  ENTRIES.map((entry) => [entry, exportsOf(join(root, "src", `${entry}.ts`))]),
);

/** The examples in the docstrings of exports, by name. */
export function docstringExamples(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { name, node } of [...PUBLIC_EXPORTS.values()].flat()) {
    const members = ts.isClassDeclaration(node) ? node.members : [];
    for (const part of [node, ...members]) {
      const example = ts.getJSDocTags(part).find(({ tagName }) => tagName.text === "example");
      const code = /```ts\n([\s\S]*?)```/.exec(
        ts.getTextOfJSDocComment(example?.comment) ?? "",
      )?.[1];
      const member = part === node ? "" : `.${(part as ts.ClassElement).name?.getText()}`;
      if (code !== undefined) found.set(name + member, code);
    }
  }
  return found;
}
