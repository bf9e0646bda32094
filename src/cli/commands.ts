import type { ReadPlaces } from "../evidence/read-log.ts";

/**
 * The commands: their help, the checks of their arguments, and the types of
 * their options follow from this table.
 */
export const COMMANDS = {
  patch: {
    args: "[package…]",
    summary: "apply the source patches that fit the installed versions",
    options: {
      check: "change nothing; exit 1 when one is not applied, or does not fit",
      reverse: "restore the published files",
      list: "what is installed, and whether its patch is applied",
      print: "the patch of one package, as pnpm and yarn read it",
      partial:
        "leave out versions without a patch, also with --check: else exit 1",
    },
  },
  doctor: {
    args: "",
    summary:
      "what is installed, and what is wrong with it; exit 1 on a problem",
    options: { json: "as JSON" },
  },
  repair: {
    args: "--schema FILE",
    summary:
      "repair the tool input on stdin by a JSON Schema; exit 2 when rejected",
    options: {
      "schema FILE": "the JSON Schema",
      "level strict|safe|eager": "how far to go (safe)",
      "undeclared repair|refuse|leave":
        "what to do with undeclared keys (repair)",
      "name NAME": "the tool's name, for the messages (tool)",
      explain: "say step by step why it is repaired or rejected",
      json: "the whole result as JSON: the input with its repairs, or the error",
    },
  },
  record: {
    args: "--from langsmith|otel FILE…",
    summary:
      "make a log from existing traces: exported runs; OTLP, Tempo, Phoenix",
    options: {
      "from langsmith|otel": "where the files are from",
      "out FILE": "where to write (the standard output)",
      "schemas DIR":
        "the schemas of tools, TOOL.json, before those in the trace",
      "level strict|safe|eager": "how far repairs go (safe)",
      "content none|keys|full":
        "what the log holds of what models wrote (none); full: each valid call",
      "redact FILE":
        "with content full: a module that exports redact(value, path)",
    },
  },
  report: {
    args: "LOG…",
    summary: "what logs say (files, folders, - for the standard input; .gz)",
    options: {
      "out FILE": "as one page of HTML",
      "by tool|model": "what the rows are (tool)",
      json: "as JSON",
    },
  },
  suggest: {
    args: "LOG…",
    summary: "which fixers a log shows; exit 2 when it holds no inputs",
    options: {
      "min-runs COUNT":
        "in how many conversations a correction must be seen (3)",
      "write FILE":
        "write those that structure proves, and the others as comments",
      json: "as JSON, without values of the log",
    },
  },
  replay: {
    args: "LOG…",
    summary:
      "which calls of a log would be lost, changed or wrong; exit 1 when too many",
    options: {
      "fixers FILE":
        "with these fixers: a module that exports a registry as fixers, or default",
      "schemas DIR": "with these schemas: TOOL.json",
      "level strict|safe|eager": "at this level (as each call was logged)",
      "baseline FILE": "compared with the last --update, not with the log",
      update: "write the results to the baseline (toolmend.baseline.json)",
      "max-lost N": "how many calls may be lost (0)",
      "max-changed N": "how many calls may be changed (0)",
      "max-contradicted N": "how many may differ from their correction (0)",
      json: "as JSON",
    },
  },
  mcp: {
    args: "-- COMMAND…",
    summary:
      "repair the calls before a server of MCP on stdio, which COMMAND starts",
    options: {
      "log FILE": "where to log what became of each call",
      "level strict|safe|eager|auto":
        "how far repairs go; auto by the tools' annotations (safe)",
      "rejections toolmend|server":
        "who answers what cannot be repaired (server)",
      "fixers MODULE":
        "with these fixers: a module that exports a registry or lists as fixers, or default",
    },
  },
  schemas: {
    args: "MODULE --out DIR",
    summary:
      "write the JSON Schemas of the tools that a module exports, for replay",
    options: { "out DIR": "where to write them: TOOL.json" },
  },
} as const;

export type CommandName = keyof typeof COMMANDS;

/**
 * `strict|safe` is of the type `"strict" | "safe"`; what stands in capitals is
 * text, or a number.
 */
type Value<Kind> = Kind extends `${infer One}|${infer Others}`
  ? Value<One> | Value<Others>
  : Kind extends "N" | "COUNT"
    ? number
    : Kind extends Uppercase<string>
      ? string
      : Kind;

/**
 * The options of a command by name, those that its usage names always, and its
 * other arguments as `names`.
 */
type CommandArguments<
  Row extends { readonly args: string; readonly options: object },
> = {
  readonly names: readonly string[];
} & {
  readonly [Key in keyof Row["options"] &
    string as Key extends `${infer Name} ${string}` ? Name : Key]:
    | (Key extends `${string} ${infer Kind}` ? Value<Kind> : boolean)
    | (Row["args"] extends `${string}--${Key}${string}` ? never : undefined);
};

/** Runs a command, and returns the exit code. */
export type Command<Name extends CommandName> = (
  options: CommandArguments<(typeof COMMANDS)[Name]>,
  terminal: Terminal,
) => number | Promise<number>;

/**
 * What a command may use of the world: the standard input, and where files are.
 */
export interface Terminal extends ReadPlaces {
  readonly version: string;
  /** The folder of the patches that toolmend ships. */
  readonly patches: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  out(line: string): void;
  err(line: string): void;
}

export function helpOf(name: CommandName): string {
  const { args, summary, options } = COMMANDS[name];
  const row = (usage: string, text: string) => `${usage.padEnd(36)}   ${text}`;
  const rows = Object.entries(options).map(([option, text]) =>
    row(`    --${option}`, text),
  );
  return [row(`  toolmend ${name} ${args}`, summary), ...rows].join("\n");
}

/** So many rows of a table are printed. */
const MOST_ROWS = 30;

/** Lays out rows in columns, the first of them as the heading. */
export function toTable(rows: readonly (readonly string[])[]): string {
  const shown = rows.slice(0, MOST_ROWS + 1);
  const widths = rows[0]?.map((_, at) =>
    Math.max(...shown.map((row) => row[at]?.length ?? 0)),
  );
  const pad = (cell: string, at: number) => cell.padEnd(widths?.[at] ?? 0);
  const lines = shown.map((row) => row.map(pad).join("  ").trimEnd());
  const left = rows.length - shown.length;
  return left > 0
    ? [...lines, `and ${left} more: --json has all`].join("\n")
    : lines.join("\n");
}
