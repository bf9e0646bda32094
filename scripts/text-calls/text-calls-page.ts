// Writes docs/text-calls.md from the table of formats: node scripts/run-ts.mjs scripts/text-calls/text-calls-page.ts --write
// A test compares the page with what this makes of the table, so that it cannot go stale.
import { writeFileSync } from "node:fs";
import type { TextFormat } from "../../src/repair/text-calls/text-format.ts";
import { formatEntries } from "./format-catalogue.ts";

const HEAD = `# Calls written as text

Where a server has no parser for its model, the model's calls arrive as text, and LangChain takes the
text for the answer. \`rescueTextToolCalls: true\` makes them the calls that they are, in
\`repairAIMessage\` and \`toolInputMiddleware\`; \`readTextCalls(text, tools)\` from \`toolmend/messages\` or \`toolmend/core\`
reads them for a loop of your own:

<!-- set-up
import { tool } from "@langchain/core/tools";
import { z } from "zod";
const schema = z.object({ selector: z.string() });
const tools = [tool(async () => "", { name: "click", description: "Clicks.", schema })];
const text = '<tool_call>{"name": "click", "arguments": {"selector": "#a"}}</tool_call>';
-->

\`\`\`ts
import { repairToolInput } from "toolmend";
import { readTextCalls } from "toolmend/messages";

const found = readTextCalls(text, tools); // { format: "hermes", lead: "", calls: [{ name, args }] }
for (const { name, args } of found?.calls ?? []) {
  const tool = tools.find((one) => one.name === name);
  const result = tool && (await repairToolInput(args, tool));
}
\`\`\`

A message is calls, and nothing but calls, in one of the formats below, or it is text:

- Each call is of an offered tool, by its exact name, well-formed and whole. Only a stop token may be
  missing behind it. Of several calls all are made, or none; a cut between two calls cannot be seen in
  formats that do not close the list of them.
- Thoughts before the calls are passed over (\`<think>\`, \`[THINK]\`, channels; also where their opening
  stood in the prompt). Nothing in them is a call. What was said before an opening mark is no thought.
- Plain text may stand before them in formats marked *lead*, if it only says that its writer
  acts ("Let me check that."), and stays as the message's content. Any other sentence, prose behind, between or within the calls, quotation marks, code fences, two
  formats in one text: no call.
- A definition of a tool, and an object that says more than its call (\`"type": "tool_result"\`), is none.
- A value without a type is what the tool's schema says of its place, with its spelling kept: \`3.10\` is
  text where text is wanted, and \`null\` nothing where text and nothing are: there is no call. JSON with
  faults of syntax is read at \`safe\`.
- \`rescueTextToolCalls\` makes no call of what stands in the history or in the description of a tool, in
  whatever notation or encoding, nor where the user, in English or one of some twenty other languages,
  asked to be shown one or that nothing be run. In a form marked *common* it makes none where the user
  asked for any code or data.

It is off by default, and unsafe where the model reads what strangers wrote and you do not hand over the
\`history\`: what the model quotes from there may be run.

This page is made from the code by \`npm run docs\`, and a test reads every example.
`;

/** The page as the table has it. */
export function renderTextCallsPage(): string {
  const rows = formatEntries.map((format) => {
    return `| [\`${format.format}\`](#${format.format.replaceAll(".", "")}) | ${format.models} | ${notesOf(format)} |`;
  });
  const sections = formatEntries.map(({ format, models, example }) =>
    [`### ${format}`, "", `${models}:`, "", "````text", example, "````", ""].join("\n"),
  );
  return [
    HEAD,
    "## Formats\n",
    ["| format | written by | |", "|---|---|---|", ...rows, ""].join("\n"),
    "## One example each\n",
    ...sections,
  ].join("\n");
}

function notesOf({ takesLead, lead, isCommon, isStopToken }: TextFormat): string {
  return [
    takesLead === true || lead !== undefined ? "*lead*" : "",
    isStopToken === true ? "its end may be missing" : "",
    isCommon === true ? "*common*" : "",
  ]
    .filter((note) => note !== "")
    .join(", ");
}

if (process.argv.includes("--write")) writeFileSync("docs/text-calls.md", renderTextCallsPage());
