import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import ts from "typescript";
import { type CommonKey, type LangChainKey, wrappers } from "../../support/options/wrappers.ts";

/** The options that `__tests__/fast/options/options.test.ts` probes; the compiler asks for each. */
const PROBED: Readonly<Record<CommonKey | LangChainKey, true>> = {
  fixers: true,
  level: true,
  objectAsText: true,
  undeclaredKeys: true,
  edits: true,
  limits: true,
  onToolCall: true,
  onUnfixable: true,
  trace: true,
};

test("every function that takes the common options is among the wrappers, which say what each takes", () => {
  const taken = optionsTaken();
  expect([...taken.keys()].sort()).toEqual(Object.keys(wrappers).sort());
  for (const [name, { own = [], lacks = [] }] of Object.entries(wrappers)) {
    const common = Object.keys(PROBED).filter((key) => !lacks.some((lacking) => lacking === key));
    expect([name, ...[...(taken.get(name) ?? [])].sort()]).toEqual([
      name,
      ...[...common, ...own].sort(),
    ]);
  }
});

/** The exported functions that take the common options, and all their options, by their types. */
function optionsTaken(): ReadonlyMap<string, readonly string[]> {
  const folder = join(process.cwd(), "src");
  const entries = readdirSync(folder).filter((file) => file.endsWith(".ts") && file !== "cli.ts");
  const program = ts.createProgram(
    entries.map((file) => join(folder, file)),
    {
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2022,
      strict: true,
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      noEmit: true,
    },
  );
  const checker = program.getTypeChecker();
  const found = new Map<string, readonly string[]>();
  for (const file of entries) {
    const source = program.getSourceFile(join(folder, file));
    const module = source && checker.getSymbolAtLocation(source);
    if (source === undefined || module === undefined) continue;
    for (const exported of checker.getExportsOfModule(module)) {
      const type = checker.getTypeOfSymbolAtLocation(exported, source);
      const keys = type.getCallSignatures().flatMap(({ parameters }) =>
        parameters.flatMap((parameter) => {
          const given = checker.getTypeOfSymbolAtLocation(parameter, source);
          const names = checker
            .getPropertiesOfType(given.getNonNullableType())
            .filter((one) => !isForbidden(checker.getTypeOfSymbolAtLocation(one, source)))
            .map(({ name }) => name);
          return ["fixers", "level", "onToolCall"].every((key) => names.includes(key)) ? names : [];
        }),
      );
      if (keys.length > 0) found.set(exported.name, [...new Set(keys)]);
    }
  }
  return found;
}

/** Whether a type says that an option must be left out. */
function isForbidden(type: ts.Type): boolean {
  return (type.getNonNullableType().flags & ts.TypeFlags.Never) !== 0;
}
