import { join } from "node:path";
import { expect, test } from "@jest/globals";
import ts from "typescript";
import { instrument, mutatedHost } from "../../../scripts/mutate/instrument.ts";
import { mutantsOf } from "../../../scripts/mutate/mutants.ts";
import { regexMutations } from "../../../scripts/mutate/regex-mutations.ts";
import { testsOf } from "../../../scripts/mutate/tests-of.ts";
import { sampled } from "../../support/tier.ts";

const root = join(__dirname, "../../..");

/** The mutants of a text, each as `before → after`. */
const changesOf = (text: string) =>
  mutantsOf("file.ts", text).mutants.map(({ before, after }) => `${before} → ${after}`);

test.each([
  ["if (isOpen) close(door);", ["isOpen → true", "isOpen → false", "close(door); → "]],
  ["const both = isOpen && isLit;", ["isOpen &&  → ", " && isLit → "]],
  ["if (isOpen && isLit) {}", ["isOpen && isLit → false", "isOpen &&  → ", " && isLit → "]],
  ["if (isOpen || isLit) {}", ["isOpen || isLit → true", "isOpen ||  → ", " || isLit → "]],
  ["const all = a && b && c;", ["a &&  → ", " && b → ", " && c → "]],
  ["while (isOpen) {}", ["isOpen → false"]],
  ["const isLow = size < limit;", ["< → <="]],
  ["const isLow = size < 7;", ["7 → 8", "7 → 6"]],
  ["const isSame = one === two;", ["=== → !=="]],
  ["const isClosed = !isOpen;", ["!isOpen → isOpen"]],
  ["const name = given ?? fallback;", ["given ??  → ", " ?? fallback → "]],
  ["const sum = one + two;", ["+ → -"]],
  ["const kinds = kind + 's';", [`'s' → ""`]],
  ["const short = names.filter(isShort).sort();", [".filter(isShort) → ", ".sort() → "]],
  ["const isAny = names.some(isShort);", ["some → every"]],
  ["const empty = '';", [`'' → "changed"`]],
  ["const word = 'word';", [`'word' → ""`]],
  ["const isOpen = true;", ["true → false"]],
])("the mutants of %s", (text, changes) => {
  expect(changesOf(text).sort()).toEqual([...changes].sort());
});

test.each([
  "import { a } from './a.ts'; export { b } from './b.ts';",
  "type Size = 1 | 'small'; interface Box { size: 1 }",
  "const size = {} as { [key: string]: 'small' | 2 };",
  "throw new TypeError('missing');",
  "const issue = { message: 'missing' };",
  "const reason = 'a name is missing';",
  "const { 'tool-name': toolName, 1: second } = input;",
])("nothing is mutated in %s", (text) => {
  expect(changesOf(text)).toEqual([]);
});

test.each([
  ["/^a+$/", ["/a+$/", "/^a$/", "/^a+/"]],
  ["/a*b?/i", ["/a+b?/i", "/a*b/i", "/a*b?/"]],
  ["/(?<!x)\\^[^a]/u", ["/\\^[^a]/u", "/(?<!x)\\^[a]/u"]],
  ["/a|b|c/", ["/b|c/", "/a|c/", "/a|b/"]],
  ["/(?:a|[|+]){2}/", ["/(?:[|+]){2}/", "/(?:a){2}/", "/(?:a|[|+])/"]],
])("the mutations of the regular expression %s", (literal, mutated) => {
  const results = regexMutations(literal).map(
    ({ start, end, after }) => literal.slice(0, start) + after + literal.slice(end),
  );
  expect(results.sort()).toEqual([...mutated].sort());
});

/** Uses each kind of host: nested ones, an optional chain, a statement behind `if`, a default, a regex. */
const PROGRAM = `
  const LIMIT = 3;
  const SIGN = /[+-]?\\d+/;
  function read(input: { words?: string[] }, isLoud = false) {
    const log: string[] = [];
    if (isLoud) log.push("loud"); else log.push("quiet");
    const first = input.words?.filter((word) => word.length > LIMIT).slice(0, 2).join("-");
    const kind = SIGN.test(first ?? "none") && !isLoud ? "number" : "text";
    for (let step = 0; step < 2; step++) log.push(kind + step);
    return [...log, first?.toUpperCase().trim() ?? null, (input.words?.length ?? 0) - 1 >= 2];
  }
  return [read({}), read({ words: ["many", "is", "short", "12345"] }, true), read({ words: ["1234"] })];
`;

/** Runs a program with one mutant active; also returns what it reached. */
function runProgram(text: string, active = 0): { result: unknown; reached: ReadonlySet<number> } {
  const reached = new Set<number>();
  const isActive = (id: number) => {
    reached.add(id);
    // A mutated loop might not end.
    if (reached.size > 0 && ++steps > 5_000) throw new Error("endless");
    return id === active;
  };
  let steps = 0;
  const { outputText } = ts.transpileModule(`function program() {${text}}`, {});
  const program = new Function("globalThis", `${outputText} return program();`);
  try {
    return { result: program({ __mutant: isActive }), reached };
  } catch (error) {
    return { result: `${error}`, reached };
  }
}

test("an instrumented program does what the mutated text does, for each mutant", () => {
  const { mutants, reads } = mutantsOf("file.ts", PROGRAM);
  const numbered = mutants.map((mutant, index) => ({
    ...mutant,
    file: "file.ts",
    id: index + 1,
    reachId: index + 1,
  }));
  const text = instrument(
    PROGRAM,
    numbered,
    reads.map((read) => ({ ...read, id: -1 })),
  );
  expect(runProgram(text).result).toEqual(runProgram(PROGRAM).result);
  const ending = numbered.filter(({ before }) => before !== "step++");
  for (const mutant of sampled(ending, 4)) {
    const { start, end } = mutant.host;
    const inPlace = mutant.host.isStatement ? ";" : `(${mutatedHost(PROGRAM, mutant)})`;
    const mutated = PROGRAM.slice(0, start) + inPlace + PROGRAM.slice(end);
    expect([mutant, runProgram(text, mutant.id).result]).toEqual([
      mutant,
      runProgram(mutated).result,
    ]);
  }
});

test("a private constant counts as reached where it is read; an exported one as soon as it is loaded", () => {
  const text = "const WIDTH = 2; export const HEIGHT = 3; const area = () => WIDTH * HEIGHT;";
  const { mutants, reads } = mutantsOf("file.ts", text);
  expect(mutants.map(({ before, constant }) => [before, constant])).toEqual([
    ["2", "WIDTH"],
    ["2", "WIDTH"],
    ["3", undefined],
    ["3", undefined],
    ["*", undefined],
  ]);
  expect(reads).toEqual([{ constant: "WIDTH", start: 61, end: 66 }]);
});

test("a file's own tests mirror its folder, or the next one above that has tests", () => {
  const { own, wider } = testsOf(root, "src/repair/words/names.ts");
  expect(own).toContain("__tests__/fast/repair/words/names.test.ts");
  expect(own.every((path) => path.startsWith("__tests__/fast/repair/words/"))).toBe(true);
  expect(wider).toContain("__tests__/fast/hazards/hazards.test.ts");
  expect(wider.filter((path) => own.includes(path))).toEqual([]);
  const inside = testsOf(root, "src/repair/words/no-such-folder/file.ts");
  expect(inside.own).toEqual(own);
});
