import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { createFixerRegistry, renameKey } from "toolmend";
import ts from "typescript";
import {
  type CommonKey,
  type LangChainKey,
  type ProbedOptions,
  runBy,
  wrappers,
} from "../../support/options/wrappers.ts";

/** Shows that an option has its effect. */
interface Probe {
  readonly args: Record<string, unknown>;
  /** What the tool is run with as long as the option is not given; nothing where the call is refused. */
  readonly before?: unknown;
  /** The option; `heard` takes what a listener is given. */
  readonly given: (heard: unknown[]) => ProbedOptions;
  /** What the tool is run with then. */
  readonly after?: unknown;
  /** What a listener is given then. */
  readonly heard?: readonly object[];
  /** What a trace shows before and after. */
  readonly shown?: readonly [before: readonly string[], after: readonly string[]];
}

const valid = { selector: "#a", times: 5 };
const faulty = { selector: "#a", times: "5" };
const fixers = createFixerRegistry();
fixers.register("click", renameKey("element", "selector"));

/** One for each option that all wrappers take: who adds an option is asked for its probe here. */
const probes: Readonly<Record<CommonKey | LangChainKey, Probe>> = {
  fixers: {
    args: { element: "#a" },
    given: () => ({ fixers }),
    after: { selector: "#a" },
  },
  level: { args: faulty, before: valid, given: () => ({ level: "strict" }) },
  objectAsText: {
    args: { selector: { css: "#a" } },
    given: () => ({ objectAsText: true }),
    after: { selector: '{"css":"#a"}' },
  },
  undeclaredKeys: {
    args: { selector: "#a", dry_run: true },
    before: expect.objectContaining({ selector: "#a" }),
    given: () => ({ undeclaredKeys: "refuse" }),
  },
  edits: { args: faulty, before: valid, given: () => ({ edits: { "read-number": false } }) },
  limits: { args: faulty, before: valid, given: () => ({ limits: { maxLength: 4 } }) },
  onRepair: {
    args: faulty,
    before: valid,
    given: (heard) => ({ onRepair: (event) => void heard.push(event) }),
    after: valid,
    heard: [{ toolName: "click", toolInput: valid }],
  },
  onRefused: {
    args: { nothing: 5 },
    given: (heard) => ({ onRefused: (event) => void heard.push(event) }),
    heard: [{ toolName: "click", rawToolInput: { nothing: 5 } }],
  },
  evidence: {
    args: valid,
    before: valid,
    given: (heard) => ({ evidence: [(event) => void heard.push(event)] }),
    after: valid,
    heard: [{ kind: "call", outcome: "valid", toolName: "click" }],
  },
  onUnfixable: {
    args: { nothing: 5 },
    given: () => ({ onUnfixable: () => ({ selector: "#given" }) }),
    after: { selector: "#given" },
  },
  trace: {
    args: faulty,
    before: valid,
    given: () => ({ trace: false }),
    after: valid,
    shown: [["toolmend.repair"], []],
  },
};

const taken = optionsTaken();

test("every function that takes the common options is a wrapper here, and has each of its options probed", () => {
  expect([...taken.keys()].sort()).toEqual(Object.keys(wrappers).sort());
  for (const [name, keys] of taken) {
    const known = [...Object.keys(probes), ...(wrappers[name]?.own ?? [])];
    expect([name, keys.filter((key) => !known.includes(key))]).toEqual([name, []]);
    expect([name, wrappers[name]?.own?.filter((key) => !keys.includes(key)) ?? []]).toEqual([
      name,
      [],
    ]);
  }
});

describe.each(Object.entries(wrappers))("%s", (name, wrapper) => {
  const rows = Object.entries(probes).filter(([key]) => taken.get(name)?.includes(key));
  test.each(rows)("has the option %s take effect", async (key, probe) => {
    const ranWith = (input: unknown) => (input === undefined ? [] : [input]);
    const before = await runBy(wrapper, probe.args, {});
    expect(before.inputs).toEqual(ranWith(probe.before));
    const heard: unknown[] = [];
    const after = await runBy(wrapper, probe.args, probe.given(heard));
    expect(after.inputs).toEqual(ranWith(probe.after));
    const isIgnored = wrapper.ignores?.some((one) => one === key);
    expect(heard).toMatchObject(isIgnored ? [] : (probe.heard ?? []));
    if (probe.shown) expect([before.shown, after.shown]).toEqual(probe.shown);
  });
});

/** The exported functions that take the common options, and all that each of them takes, by the types. */
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
          return ["fixers", "level", "limits"].every((key) => names.includes(key)) ? names : [];
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
