import { join } from "node:path";
import { expect, test } from "@jest/globals";
import ts from "typescript";

// One name for one thing, in all types that the entries export:
//
// - The input that is run and recorded is `toolInput`, the model's is `rawToolInput`.
// - A call has an `id` and a `name`, as LangChain's `ToolCall`; a report about a call has `toolName`.
// - Results are discriminated by `ok`, records of finished calls have `valid`.

const root = join(__dirname, "..", "..", "..");
const ENTRIES = ["core", "evidence", "fixers", "index", "messages", "middleware", "register"];
const files = ENTRIES.map((name) => join(root, "src", `${name}.ts`));

/** Other names for things that have a name. */
const OTHER_NAMES = ["input", "raw", "rawInput", "args", "tool", "answer", "success", "isValid"];

/** Names that are LangChain's own, or do not concern a tool's input. */
const OTHER_THINGS = ["FixContext.tool"];

const program = ts.createProgram(files, {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  types: ["node"],
});
const checker = program.getTypeChecker();

/** The fields of every exported object type, without deprecated ones. */
function fieldsByType(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const file of files) {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    for (const exported of module ? checker.getExportsOfModule(module) : []) {
      const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0;
      const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported;
      if ((symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.Class)) === 0) continue;
      const fields = checker
        .getDeclaredTypeOfSymbol(symbol)
        .getProperties()
        .filter((field) => !isDeprecated(field));
      found.set(
        symbol.name,
        fields.map(({ name }) => name),
      );
    }
  }
  return found;
}

function isDeprecated(symbol: ts.Symbol): boolean {
  return symbol.getJsDocTags(checker).some(({ name }) => name === "deprecated");
}

const types = [...fieldsByType()].sort(([one], [other]) => one.localeCompare(other));

test("the entries have types", () => {
  expect(types.length).toBeGreaterThan(15);
});

test("a thing that has a name in one type has no other name in another", () => {
  const others = types.flatMap(([type, fields]) =>
    fields.filter((field) => OTHER_NAMES.includes(field)).map((field) => `${type}.${field}`),
  );
  expect(others).toEqual(OTHER_THINGS);
});

test("no type has both name and toolName, or both ok and valid", () => {
  const errors = ["ToolInputError"];
  const both = (fields: readonly string[], ...names: string[]) =>
    names.every((name) => fields.includes(name));
  const doubled = types.filter(
    ([type, fields]) =>
      (both(fields, "name", "toolName") && !errors.includes(type)) || both(fields, "ok", "valid"),
  );
  expect(doubled).toEqual([]);
});

test("a type with id and name is a call, and a report about a call has toolName", () => {
  const about = types.filter(([, fields]) => fields.includes("toolCall"));
  const withoutName = about.filter(([, fields]) => !fields.includes("toolName"));
  expect(withoutName.map(([type]) => type)).toEqual(["RepairOptions"]);
  const named = types.filter(([, fields]) => fields.includes("toolInput") && fields.includes("id"));
  expect(named.filter(([, fields]) => !fields.includes("name"))).toEqual([]);
});

test("a function that an entry makes has parameters whose types can be named", () => {
  const exported = new Set<string>();
  const functions: ts.Symbol[] = [];
  for (const file of files) {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    for (const one of module ? checker.getExportsOfModule(module) : []) {
      exported.add(one.name);
      const isAlias = (one.flags & ts.SymbolFlags.Alias) !== 0;
      functions.push(isAlias ? checker.getAliasedSymbol(one) : one);
    }
  }
  const callsOf = (type: ts.Type) => checker.getSignaturesOfType(type, ts.SignatureKind.Call);
  const hidden = functions.flatMap((one) =>
    callsOf(checker.getTypeOfSymbol(one))
      .flatMap((made) => callsOf(made.getReturnType()))
      .flatMap((inner) => inner.getParameters())
      .flatMap((parameter) => {
        const { name, declarations: [at] = [] } = checker.getTypeOfSymbol(parameter).symbol ?? {};
        const isOurs = at?.getSourceFile().fileName.startsWith(join(root, "src"));
        const isNamed = isOurs && !name?.startsWith("__") && !exported.has(name ?? "");
        return isNamed ? [`${one.name}: ${name}`] : [];
      }),
  );
  expect(hidden).toEqual([]);
});
