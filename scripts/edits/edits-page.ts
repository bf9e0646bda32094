// Writes docs/edits.md from the edits themselves: node scripts/run-ts.mjs scripts/edits/edits-page.ts
// A test compares the page with its output, so that it cannot go stale.
import { readFileSync, writeFileSync } from "node:fs";
import { repairToolName } from "../../src/repair/align/repair-tool-name.ts";
import { renderHazards } from "../hazards/hazards-page.ts";
import { edits } from "./edit-catalogue.ts";

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

What repair by the schema may change, with an example each. It finds the cheapest set of edits that the schema accepts, and rejects the
input if two different sets are equally cheap. Each edit's name stands in \`repairs[i].fixer\`, its evidence in \`repairs[i].reason\`.

*Right · wrong · beyond* counts the edit's part in repairs, at \`eager\`, of recorded calls: with the right result, with a wrong one, or
with a wrong one that no repair could prevent. Recorded are ${counts.calls.toLocaleString("en-US")} calls of 23 models.

\`npm run docs\` makes this page from the code, and tests run every row.
`;

const TEXT = `## Text

| name | level | what it does |
|---|---|---|
| (none) | \`strict\` | text that is JSON is parsed, which is no repair |
| \`parse-json\` | \`strict\` | a string that holds the whole input as JSON is parsed |
| \`parse-json\` | \`safe\` | text that was encoded twice is decoded |
| \`json-syntax\` | \`safe\` | syntax errors with one reading: quotes, commas, extra brackets, comments without words, Python and JavaScript literals, code fences, … |
| \`close-brackets\` | \`eager\` | missing closing brackets, if all required fields are there and nothing shows that the output was cut off |
`;

const NEVER = `## What no level does

- complete a text that was cut off inside a value, or choose among several inputs
- make a number from a boolean, or from text with a number in it (\`"12 items"\`); round
- invent a required value, drop an element of a list, turn \`null\` into \`""\` or \`0\`
- match a choice, a key or a tool by a part of its name
- change an id, a path or an amount by likeness
- alter a value that the schema accepts at its path
`;

const GONE = `## What a fixer is for

toolmend knows no synonyms, no antonyms and no languages; it knows JSON, your schema, and the [fixers](repair.md#fixers) that you
registered: \`renameKey("colour", "color")\` for another word, \`unwrapKey("details")\` for fields one level too deep,
\`mapValue("/priority", { dringend: "urgent" })\` for another language.
`;

/** The generated page. */
export function renderEditsPage(): string {
  const named = (level: string) => edits.filter((edit) => edit.level === level);
  return [
    HEAD,
    TEXT,
    `## \`safe\`, the default\n\n${table(named("safe"))}`,
    `## \`eager\`\n\n${table(named("eager"))}`,
    GONE,
    `## Tool names\n\nFor a tool \`web_search\`, and only if no other tool could be meant.\n\n${nameTable()}`,
    NEVER,
    renderHazards(),
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
    const found = repairToolName(name, ["web_search", "open_page"]);
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

/** How often an edit was right and wrong on recorded calls; empty if unknown. */
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
