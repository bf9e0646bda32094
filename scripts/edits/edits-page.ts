// Writes docs/edits.md from the edits themselves: node scripts/run-ts.mjs scripts/edits/edits-page.ts
// A test compares the page with its output, so that it cannot go stale.
import { readFileSync, writeFileSync } from "node:fs";
import { type SpecifiedEdit, specifiedEdits } from "../../src/repair/align/edits/specs.ts";
import { repairToolName } from "../../src/repair/align/repair-tool-name.ts";
import type { EditCase } from "../../src/repair/align/rule.ts";

/** Names as models write them, for a tool `web_search`; the code says what they resolve to. */
const NAMES = [
  "WebSearch",
  "functions.web_search",
  "web_search<|channel|>json",
  "search_web_search",
];

interface Counts {
  readonly calls: number;
  readonly edits: { readonly [edit: string]: { [verdict: string]: number } };
}

const counts = JSON.parse(readFileSync("scripts/edits/counts.json", "utf8")) as Counts;

const HEAD = `# Every edit

Repair by the schema takes the cheapest set of these edits that the schema accepts, and rejects the input if two sets cost the same. All else
is for your [fixers](repair.md#fixers).

**No edit removes an undeclared key such as \`dry_run\`: a \`z.object\` tool ignores it and runs, with toolmend as without.**
[\`undeclaredKeys: "refuse"\`](repair.md#undeclared-keys) rejects it.

*Not … : reason* is an input that this reason alone keeps from being repaired; an edit has more. *57/0/4* says how an edit did in ${counts.calls.toLocaleString("en-US")}
recorded calls at \`eager\`: right, wrong by toolmend, wrong in any case. Code writes this page, and tests run its examples.
`;

const TEXT = `## Text

| name | level | what it does |
|---|---|---|
| \`parse-json\` | \`strict\` | parses a string that holds the whole input as JSON; at \`safe\`, also one that was encoded twice |
| \`json-syntax\` | \`safe\` | repairs syntax with one reading: quotes, commas, surplus closing brackets, comments without words, literals of Python and JavaScript, code fences, labels (\`Action Input:\`). Rejects comments with words, other words around the JSON, two inputs, and placeholders (\`[name]\`). At \`eager\`, also takes \`Here is the input:\` and a surplus brace after an object that fits |
| \`close-brackets\` | \`eager\` | adds missing closing brackets after a complete value, if all required fields are there, no list is open, and the provider does not report a cut-off. A number may have lost digits |
`;

const NEVER = `## What no level does

- complete a value that was cut off, or choose among several inputs
- make a number from a boolean or from \`"12 items"\`, except for the field's own unit; round
- invent a required value, drop an element of a list, turn \`null\` into \`""\` or \`0\`
- match a choice by a part of it, or change an id, a path or an amount by likeness
- alter a value that the schema accepts at its path
`;

/** The generated page. */
export function renderEditsPage(): string {
  const shown = new Set<string>();
  return [
    HEAD,
    TEXT,
    `## \`safe\`, the default\n`,
    ...sections("safe", shown),
    `## \`eager\`\n`,
    ...sections("eager", shown),
    `## Tool names\n\nFor a tool \`web_search\`, and only if no other tool could be meant.\n\n${nameTable()}`,
    NEVER,
  ].join("\n");
}

/**
 * The sections of a level's edits. Two edits of one name share a section.
 *
 * @param shown The reasons that the page shows so far; each is shown once.
 */
function sections(level: "safe" | "eager", shown: Set<string>): readonly string[] {
  const ofLevel = specifiedEdits.filter(({ edit }) => edit.level === level);
  const names = [...new Set(ofLevel.map(({ edit }) => edit.name))];
  return names.map((name) => {
    const edits = ofLevel.filter(({ edit }) => edit.name === name);
    const figures = counted(name);
    const heading = `### \`${name}\``;
    const count = figures === "" ? [] : ["", `*${figures}*`];
    // Of two edits of one name, that of keys comes first.
    return [
      heading,
      ...count,
      ...edits.toReversed().flatMap((edit) => ["", ...describe(edit, shown)]),
      "",
    ].join("\n");
  });
}

/** So many reasons of an edit, and each only once: src/repair/align/edits has all, and tests run them. */
const MAX_WITNESSES = 1;

/** What an edit does, an example, and what it rejects. */
function describe({ spec }: SpecifiedEdit, shown: Set<string>): readonly string[] {
  const { example, witnesses = {} } = spec;
  const evidence = spec.evidence === undefined ? "" : ` **Evidence:** ${spec.evidence}`;
  const unseen = Object.entries(witnesses)
    .filter(([reason]) => !shown.has(reason))
    .slice(0, MAX_WITNESSES);
  for (const [reason] of unseen) shown.add(reason);
  return [
    `${spec.does}${evidence}`,
    "",
    `- ${code(example.input)} becomes ${code(example.after)}`,
    ...unseen.map(
      ([reason, witness]) => `- not ${code(witness.input)}${traitsOf(witness)}: ${reason}`,
    ),
  ];
}

/** What the schema of a case says beside types, as far as a reason may speak of it. */
function traitsOf({ schema, description }: EditCase): string {
  const said: string[] = [];
  JSON.stringify(schema, (key, value) => {
    if (key === "description") said.push(`“${value}”`);
    if (key === "enum" || key === "const" || key === "default") {
      said.push(`${key} ${code(value)}`);
    }
    return value;
  });
  if (description !== undefined) said.push(`tool: “${description}”`);
  return said.length === 0 ? "" : ` (${said.join(", ")})`;
}

function nameTable(): string {
  const written = [...NAMES.map((name) => ({ name, offered: OFFERED })), NAMELESS];
  const rows = written.map(({ name, offered }) => {
    const found = repairToolName(name, offered);
    if (!found.ok) throw new Error(`${name} is no longer repaired: choose another example.`);
    return `| \`${found.fixer}\` | \`${found.level}\` | ${code(name)} |`;
  });
  return ["| name | level | from |", "|---|---|---|", ...rows, ""].join("\n");
}

const OFFERED = ["web_search", "open_page"];
/** No name is a call of the only tool. */
const NAMELESS = { name: "", offered: ["web_search"] };

/** How often an edit was right and wrong on recorded calls; empty if unknown. */
function counted(name: string): string {
  const { right = 0, wrong = 0, beyondRepair = 0 } = counts.edits[name] ?? {};
  return right + wrong + beyondRepair === 0 ? "" : `${right}/${wrong}/${beyondRepair}`;
}

function code(value: unknown): string {
  return `\`\`${cell(JSON.stringify(value))}\`\``.replaceAll("````", "``");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

if (process.argv.includes("--write")) {
  writeFileSync("docs/edits.md", renderEditsPage());
}
