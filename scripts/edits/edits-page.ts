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

What repair by the schema may change. It finds the cheapest set of edits that the schema accepts, and rejects the input if two different
sets are equally cheap. Each edit's name stands in \`repairs[i].fixer\`, its evidence in \`repairs[i].reason\`. With \`explain: true\`, a
result also says which edits were not made, where and why.

*becomes*: repaired. *not … : reason*: rejected for this reason alone. *nor*: this edit is not made, for other reasons.
*Right · wrong · beyond* counts an edit's part in repairs, at \`eager\`, of ${counts.calls.toLocaleString("en-US")} recorded calls: with a right result, a wrong
one, or a wrong one that no repair could prevent.

\`npm run docs\` makes this page from the code, and tests run every line of it.
`;

const TEXT = `## Text

| name | level | what it does |
|---|---|---|
| (none) | \`strict\` | text that is JSON is parsed, which is no repair |
| \`parse-json\` | \`strict\` | a string that holds the whole input as JSON is parsed |
| \`parse-json\` | \`safe\` | text that was encoded twice is decoded |
| \`json-syntax\` | \`safe\` | faults of syntax with one reading: other quotes or none, triple quotes around several lines, unescaped quotes inside a text, missing, repeated or other commas (\`;\`), surplus closing brackets, comments without words. So are literals of Python and JavaScript, code fences, and labels of the agent's own protocol (\`Action Input:\`, \`Observation:\`). Comments with words are rejected. So are other words before or after the JSON, two inputs, and a placeholder for a value (\`[name]\`, \`new_content\` for \`content\`). At \`eager\`, known words may introduce it (\`Here is the input:\`), and a brace too many may follow an object that fits |
| \`close-brackets\` | \`eager\` | missing closing brackets behind a complete value, if all required fields are there and no list is open. A number may have lost digits, and output that the provider reports as cut off is rejected |
`;

const NEVER = `## What no level does

- complete a text that was cut off inside a value, or choose among several inputs
- make a number from a boolean, or from text with a number in it (\`"12 items"\`) but for its field's own unit; round
- invent a required value that is no declared default, drop an element of a list, turn \`null\` into \`""\` or \`0\`
- match a choice by a part of it, a key or a tool but as \`rename-only-key\` and \`drop-name-words\` say
- change an id, a path or an amount by likeness
- alter a value that the schema accepts at its path
`;

const FIXERS = `## What a fixer is for

toolmend knows no synonyms, no antonyms and no languages; it knows JSON, your schema, and the [fixers](repair.md#fixers) that you
registered: \`renameKey("colour", "color")\` for another word, \`unwrapKey("details")\` for fields one level too deep,
\`mapValue("/priority", { dringend: "urgent" })\` for another language.
`;

/** The generated page. */
export function renderEditsPage(): string {
  return [
    HEAD,
    TEXT,
    `## \`safe\`, the default\n`,
    ...sections("safe"),
    `## \`eager\`\n`,
    ...sections("eager"),
    FIXERS,
    `## Tool names\n\nFor a tool \`web_search\`, and only if no other tool could be meant.\n\n${nameTable()}`,
    NEVER,
  ].join("\n");
}

/** The sections of a level's edits. Two edits of one name share a section. */
function sections(level: "safe" | "eager"): readonly string[] {
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
      ...edits.toReversed().flatMap((edit) => ["", ...describe(edit)]),
      "",
    ].join("\n");
  });
}

/** What an edit does, an example, what proves it, and what it rejects. */
function describe({ spec }: SpecifiedEdit): readonly string[] {
  const { example, proven = {}, refused = {}, notFor } = spec;
  const evidence = spec.evidence === undefined ? "" : ` **Evidence:** ${spec.evidence}`;
  return [
    `${spec.does}${evidence}`,
    "",
    `- ${code(example.input)} becomes ${code(example.after)}`,
    ...Object.entries(proven).map(
      ([reason, { input, after }]) => `- ${code(input)} becomes ${code(after)}: ${reason}`,
    ),
    ...Object.entries(refused).map(
      ([reason, witness]) => `- not ${code(witness.input)}${traitsOf(witness)}: ${reason}`,
    ),
    ...looksAlike(notFor),
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

/** The page shows so many inputs that only look like an edit's fault; the tests run all. */
const MAX_ALIKE = 2;

function looksAlike(cases: readonly EditCase[]): readonly string[] {
  const inputs = [...new Set(cases.map(({ input }) => code(input)))].slice(0, MAX_ALIKE);
  return inputs.length === 0 ? [] : [`- nor ${inputs.join(", ")}`];
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
