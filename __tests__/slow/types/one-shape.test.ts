import { join } from "node:path";
import { expect, test } from "@jest/globals";
import ts from "typescript";

// One name for one thing, in all types that the entries export:
//
// - What is run and recorded is `toolInput`, what the model wrote is `rawToolInput`.
// - A call has an `id` and a `name`, as LangChain's `ToolCall`; what tells about a call has `toolName`.
// - Results are discriminated by `ok`, records of finished calls say `valid`.
//
// Other names of theirs are the ones that they had before, and are `@deprecated`.

const root = join(__dirname, "..", "..", "..");
const ENTRIES = ["core", "evidence", "index", "messages", "middleware", "otel", "register-api"];
const files = [...ENTRIES, "runnables"].map((name) => join(root, "src", `${name}.ts`));

/** Other names of what has one. */
const OTHER_NAMES = ["input", "raw", "rawInput", "args", "tool", "answer", "success", "isValid"];

/** What is LangChain's own, or is no input of a tool. */
const OTHER_THINGS = [
  "CallLine.raw",
  "CallLine.tool",
  "CorrectionLine.raw",
  "CorrectionLine.tool",
  "CountLine.tool",
  "ExceptionAction.tool",
  "FixContext.tool",
  "RawToolCall.args",
  "SchemaLine.tool",
  "TextCall.args",
  "ToolAction.tool",
  "ToolCall.args",
  "ToolFailure.input",
];

const program = ts.createProgram(files, {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  types: ["node"],
});
const checker = program.getTypeChecker();

/** The fields of every type that an entry exports and that is a shape of its own, deprecated ones left out. */
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
  expect(types.length).toBeGreaterThan(60);
});

test("what has a name in one type has no other name in another", () => {
  const others = types.flatMap(([type, fields]) =>
    fields.filter((field) => OTHER_NAMES.includes(field)).map((field) => `${type}.${field}`),
  );
  expect(others).toEqual(OTHER_THINGS);
});

test("nothing has a name and a toolName, or says both ok and valid", () => {
  const errors = ["ToolInputError"];
  const both = (fields: readonly string[], ...names: string[]) =>
    names.every((name) => fields.includes(name));
  const doubled = types.filter(
    ([type, fields]) =>
      (both(fields, "name", "toolName") && !errors.includes(type)) || both(fields, "ok", "valid"),
  );
  expect(doubled).toEqual([]);
});

test("what has an id and a name is a call, and what is told of a call says toolName", () => {
  const about = types.filter(([, fields]) => fields.includes("toolCall"));
  const withoutName = about.filter(([, fields]) => !fields.includes("toolName"));
  expect(withoutName.map(([type]) => type)).toEqual(["RepairOptions"]);
  const named = types.filter(([, fields]) => fields.includes("toolInput") && fields.includes("id"));
  expect(named.filter(([, fields]) => !fields.includes("name"))).toEqual([]);
});
