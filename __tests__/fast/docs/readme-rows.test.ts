import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { tool } from "@langchain/core/tools";
import { type Fixer, repairToolCall } from "toolmend";
import * as builtIn from "toolmend/fixers";
import { z } from "zod";

// The table of README that says what toolmend does by default, with a fixer, and never.

const readme = readFileSync(join(__dirname, "..", "..", "..", "README.md"), "utf8");

const click = tool(({ selector }) => selector, {
  name: "click",
  schema: z.object({ selector: z.string() }),
});
const search = tool(({ query }) => query, {
  name: "search",
  schema: z.object({
    query: z.string(),
    limit: z.number().optional(),
    tags: z.array(z.string()).optional(),
  }),
});
const remove = tool(({ path }) => `removed ${path}`, {
  name: "remove",
  schema: z.object({ path: z.string() }),
});

/** A row: when it holds, the tool, what the model writes, a fixer's code, and the input that runs. */
interface Row {
  readonly when: string;
  readonly name: string;
  readonly args: string;
  readonly fixer: string | undefined;
  readonly runs: string | undefined;
}

const ROW =
  /^\| (by default|with a fixer|never) \| `(\w+) (.*)` \| (?:`(\w+\(.*\))` )?(?:runs `(.*)`|rejects it: .*) \|$/gm;

const rows: readonly Row[] = [...readme.matchAll(ROW)].map(
  ([, when = "", name = "", args = "", fixer, runs]) => ({ when, name, args, fixer, runs }),
);
const rowsWhen = (when: string) => rows.filter((row) => row.when === when);

function makeFixer(code: string): Fixer {
  return new Function("fixers", `with (fixers) { return ${code}; }`)(builtIn);
}

async function runRow({ name, args }: Row, options: object) {
  const result = await repairToolCall({ name, args }, [click, search], options);
  return result.ok ? result.toolInput : "rejected";
}

test("the table has eight rows", () => {
  expect(rows.map(({ when }) => when)).toEqual([
    ...Array.from({ length: 4 }, () => "by default"),
    ...Array.from({ length: 2 }, () => "with a fixer"),
    ...Array.from({ length: 2 }, () => "never"),
  ]);
});

describe("README's table", () => {
  test.each(rowsWhen("by default"))("$name $args runs by default", async (row) => {
    expect(await runRow(row, {})).toEqual(JSON.parse(row.runs ?? ""));
  });

  test.each(rowsWhen("with a fixer"))("$name $args needs its fixer", async (row) => {
    const fixers = { [row.name]: [makeFixer(row.fixer ?? "")] };
    expect(await runRow(row, {})).toBe("rejected");
    expect(await runRow(row, { fixers })).toEqual(JSON.parse(row.runs ?? ""));
  });

  test.each(rowsWhen("never"))("$name $args runs at no level", async (row) => {
    expect(await runRow(row, {})).toBe("rejected");
    expect(await runRow(row, { level: "eager" })).toBe("rejected");
  });
});

describe("what README says of undeclared keys", () => {
  const args = JSON.stringify({ path: "/srv", dry_run: true });

  test("a tool with z.object runs without the key, with toolmend as without", async () => {
    expect(readme).toContain('`{"path": "/srv", "dry_run": true}` and runs');
    const result = await repairToolCall({ name: "remove", args }, [remove]);
    expect(result.ok && (await remove.invoke(result.toolInput as never))).toBe("removed /srv");
    expect(await remove.invoke(JSON.parse(args))).toBe("removed /srv");
  });

  test("undeclaredKeys: refuse rejects it", async () => {
    const result = await repairToolCall({ name: "remove", args }, [remove], {
      undeclaredKeys: "refuse",
    });
    expect(result.ok).toBe(false);
  });
});
