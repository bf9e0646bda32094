// Writes docs/edits.md from the edits themselves: node scripts/run-ts.mjs scripts/edits/edits-page.ts
// A test compares the page with what this makes of the code, so that it cannot go stale.
import { readFileSync, writeFileSync } from "node:fs";
import { repairToolName } from "../../src/repair/align/repair-tool-name.ts";
import { edits } from "./edit-catalogue.ts";

/** Names as models write them, for a tool `web_search`; what they come to is asked of the code. */
const NAMES = [
  "WebSearch",
  "functions.web_search",
  "mcp__browser__web_search",
  "web_search<|channel|>json",
  "search_web_search",
];

interface Counts {
  readonly calls: number;
  readonly edits: { readonly [edit: string]: { [verdict: string]: number } };
}

const counts = JSON.parse(readFileSync("scripts/edits/counts.json", "utf8")) as Counts;

const HEAD = `# Every edit

What the schema-driven repair may do to an input that the tool's schema refuses and no registered
fixer has repaired, with one example each. It looks for the cheapest set of edits that the schema
accepts; where two different ones are equally cheap, it refuses. The names are those in \`repairs\`.

*right · wrong · beyond* is how often the edit took part in a repair, at \`eager\`, of a recorded call
that came out right; wrong; or wrong where no repair could have made it right. Of ${counts.calls.toLocaleString("en-US")}
calls of 23 models, those of which it is known what was right (\`scripts/edits/count-edits.ts\`).
What an edit beyond syntax went by is in \`repairs[i].reason\`.

This page is made from the code by \`npm run docs\`. A test runs every example and every input that
must be refused; another attacks each edit with other words, units and values around its example.
`;

const TEXT = `## Text

Before the schema is asked, text is read as JSON.

| name | level | what it does |
|---|---|---|
| (none) | \`strict\` | text that is JSON is parsed; that is no repair |
| \`parse-json\` | \`strict\` | where a parsed value is given, a string that holds the whole input as JSON is read |
| \`parse-json\` | \`safe\` | text that was encoded twice is unwrapped |
| \`json-syntax\` | \`safe\` | faults of syntax where one reading is possible: quotes, commas, brackets too many, comments that say nothing, literals of Python and JavaScript, code fences, unescaped quotes in a string, … |
| \`close-brackets\` | \`eager\` | only closing brackets are missing, all that is required is there, and nothing says that the output was cut off |
`;

const NEVER = `## What no level does

- complete text that was cut off inside a value, or pick one of several inputs
- make a number of a boolean, or of text with a number in it (\`"12 items"\`); round
- invent a required value, drop an element of a list, make \`null\` into \`""\` or \`0\`
- match a choice, a key or a tool by a part of its name
- change an id, a path or an amount by likeness
- alter a value that the schema accepts at its place
`;

const GONE = `## What a fixer is for

toolmend knows no synonyms, no contraries and no languages. What needs them is a registered fixer of a
line or two: \`renameKey("colour", "color")\` for another word, \`unwrapKey("details")\` for fields one
level too deep, \`mapValue({ dringend: "urgent" })\` for another language, \`coerceTo("number")\` for
figures with a unit that the tool knows. [Fixers](fixers.md) has all of them.
`;

/** The page as the code has it. */
export function renderEditsPage(): string {
  const named = (level: string) => edits.filter((edit) => edit.level === level);
  return [
    HEAD,
    TEXT,
    `## \`safe\`, the default\n\n${table(named("safe"))}`,
    `## \`eager\`\n\n${table(named("eager"))}`,
    GONE,
    `## Tool names\n\nFor a tool \`web_search\`. Never towards a name that another tool could be meant by.\n\n${nameTable()}`,
    NEVER,
  ].join("\n");
}

function table(entries: typeof edits): string {
  const rows = entries.map(({ name, docs, evidence, example, mustRefuse: [refused] }) => {
    const rule = evidence === undefined ? docs : `${docs} **Evidence:** ${evidence}`;
    const inputs = [example.input, example.after, refused.input].map(code).join(" | ");
    return `| \`${name}\` | ${cell(rule)} | ${inputs} | ${counted(name)} |`;
  });
  const head = "| name | what it does | from | to | but not | right · wrong · beyond |";
  return [head, "|---|---|---|---|---|---|", ...rows, ""].join("\n");
}

function nameTable(): string {
  const rows = NAMES.map((name) => {
    const found = repairToolName(name, ["web_search", "open_page"], "eager");
    if (!found.ok) throw new Error(`${name} is no longer repaired: choose another example.`);
    return `| \`${found.fixer}\` | \`${found.level}\` | ${code(name)} | ${counted(found.fixer)} |`;
  });
  return [
    "| name | level | from | right · wrong · beyond |",
    "|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}

/** How often an edit was right and wrong on recorded calls; nothing where nobody knows. */
function counted(name: string): string {
  const { right = 0, wrong = 0, beyondRepair = 0 } = counts.edits[name] ?? {};
  return right + wrong + beyondRepair === 0 ? "" : `${right} · ${wrong} · ${beyondRepair}`;
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
