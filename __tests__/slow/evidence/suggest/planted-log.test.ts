import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, jest, test } from "@jest/globals";
import { build } from "esbuild";
import type { SuggestResult } from "#src/evidence/suggest/suggestion.ts";
import { HABITS } from "../../../../scripts/planted-log/habits.ts";
import { plantedLog } from "../../../../scripts/planted-log/planted-log.ts";
import { withoutLangChain } from "../../../../scripts/without-langchain.ts";
import { root, runCli } from "../../../support/cli/run-cli.ts";
import { makeProject } from "../../../support/langchain/register/make-project.ts";

/** Enough runs that each value of each habit is met in several of both halves. */
const RUNS = 3_000;

jest.setTimeout(300_000);

let project = "";
let said = "";
let found: SuggestResult;

beforeAll(async () => {
  const lines = await plantedLog({ runs: RUNS, labelled: 75 });
  project = makeProject({ "log.jsonl": lines.map((line) => `${JSON.stringify(line)}\n`).join("") });
  const { code, out, err } = await runCli(project, [
    "suggest",
    "log.jsonl",
    "--json",
    "--write",
    "fixers.suggested.ts",
  ]);
  expect([code, err]).toEqual([0, ""]);
  said = out;
  found = JSON.parse(out);
});

/** Runs a script or the command line as a process of its own. */
function runProcess(file: string, ...args: string[]) {
  const script = join(root, "scripts", "run-ts.mjs");
  const done = spawnSync(process.execPath, [script, join(root, file), ...args], {
    cwd: project,
    encoding: "utf8",
    timeout: 200_000,
  });
  return { code: done.status, out: done.stdout, err: done.stderr };
}

/** `toolmend` as the project's own package, so that the file that was written finds it. */
async function installToolmend(): Promise<void> {
  const folder = join(project, "node_modules", "toolmend");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"name":"toolmend","exports":"./index.mjs"}');
  await build({
    entryPoints: [join(root, "src", "core.ts")],
    bundle: true,
    platform: "node",
    format: "esm",
    plugins: [withoutLangChain],
    outfile: join(folder, "index.mjs"),
  });
}

describe("on a log with planted habits and traps", () => {
  test("suggest writes every habit, and no trap", () => {
    const { suggestions, toolNames, edits } = found;
    expect(edits.filter(({ verdict }) => verdict === "write")).toEqual([]);
    const written = [
      ...suggestions.filter(({ verdict }) => verdict === "write").flatMap(({ code }) => code),
      ...toolNames.filter(({ verdict }) => verdict === "write").map(({ code }) => code),
    ];
    expect(written.map(sortedKeys).sort()).toEqual(
      HABITS.flatMap(({ fixers }) => fixers.map(sortedKeys)).sort(),
    );
  });

  test("it contradicts no correction, and changes no call that is right or repaired", () => {
    for (const one of found.suggestions.filter(({ verdict }) => verdict === "write")) {
      expect(one).toMatchObject({
        mined: { contradict: 0 },
        heldOut: { contradict: 0 },
        validChanged: 0,
        repairedChanged: 0,
      });
      expect(one.lowerBound).toBeGreaterThanOrEqual(0.5);
      expect(one.valid).toBeGreaterThan(100);
    }
  });

  test("the same log twice gives the same bytes", async () => {
    const again = await runCli(project, ["suggest", "log.jsonl", "--json"]);
    expect(again.out).toBe(said);
  });

  test("an independent script counts the same", () => {
    writeFileSync(join(project, "found.json"), said);
    const recount = "scripts/recount-suggestions/main.ts";
    const { code, out, err } = runProcess(recount, "log.jsonl", "found.json");
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/^\d\d numbers counted again, 0 differ\.$/m);
    const [first] = found.suggestions;
    const more = { ...first?.heldOut, agree: (first?.heldOut.agree ?? 0) + 1 };
    const wrong = {
      ...found,
      suggestions: [{ ...first, heldOut: more }, ...found.suggestions.slice(1)],
    };
    writeFileSync(join(project, "wrong.json"), JSON.stringify(wrong));
    const told = runProcess(recount, "log.jsonl", "wrong.json");
    expect([told.code, told.out]).toEqual([1, expect.stringContaining("1 differ.")]);
  });

  test("the file that is written compiles, and a replay with it gives the numbers that were said", async () => {
    await installToolmend();
    const config = {
      compilerOptions: {
        target: "es2022",
        lib: ["es2023"],
        module: "nodenext",
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        allowImportingTsExtensions: true,
        types: ["node"],
        typeRoots: [join(root, "node_modules", "@types")],
        paths: { toolmend: [join(root, "src", "index.ts")] },
      },
      files: ["fixers.suggested.ts"],
    };
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify(config));
    execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", project]);

    const { code, out, err } = runProcess(
      "src/cli.ts",
      ...["replay", "log.jsonl", "--fixers", "fixers.suggested.ts", "--json"],
    );
    expect([code, err]).toEqual([0, ""]);
    const replayed = JSON.parse(out);
    const gained = replayed.differing as { kind: string; agrees?: boolean }[];
    const { written } = found;
    expect(replayed.gate).toMatchObject({ lost: 0, changed: written.changed });
    expect(replayed.calls - replayed.acceptedBefore).toBe(written.refused);
    expect({
      agree: gained.filter(({ agrees }) => agrees === true).length,
      contradict: gained.filter(({ agrees }) => agrees === false).length,
      unlabelled: gained.filter(({ agrees }) => agrees === undefined).length,
    }).toEqual({
      agree: written.agree,
      contradict: written.contradict,
      unlabelled: written.unlabelled,
    });
    expect(written).toMatchObject({ contradict: 0, changed: 0 });
    expect(written.agree).toBeGreaterThan(200);
  });

  test("what somebody changed by hand is not overwritten", async () => {
    const file = join(project, "mine.ts");
    writeFileSync(file, "// mine\n");
    const { code, err } = await runCli(project, ["suggest", "log.jsonl", "--write", "mine.ts"]);
    expect([code, err]).toEqual([2, expect.stringContaining("there is another file")]);
    expect(readFileSync(file, "utf8")).toBe("// mine\n");
  });
});

/** Code with the values of a mapping in their order, as the order means nothing. */
function sortedKeys(code: string): string {
  const mapping = /\{ (.*) \}/.exec(code)?.[1];
  if (mapping === undefined) return code;
  return code.replace(mapping, mapping.split(", ").sort().join(", "));
}
