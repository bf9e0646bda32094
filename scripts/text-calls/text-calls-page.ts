// Writes docs/text-calls.md from the table of formats: node scripts/run-ts.mjs scripts/text-calls/text-calls-page.ts --write
// A test compares the page with what this makes of the table, so that it cannot go stale.
import { writeFileSync } from "node:fs";
import { type FormatEntry, formatEntries } from "./format-catalogue.ts";

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

A stream shows the markup first: calls are read when the message is whole.

## Which formats are read

\`true\` reads the formats that a *token* opens, as prose has no such tokens. Bare or fenced JSON, Python
and the others below are also what people show each other, so name them where your prompt asks for
them: \`rescueTextToolCalls: ["python-list", "json"]\` reads these two and no other, and so does
\`readTextCalls(text, tools, { formats: ["python-list", "json"] })\`.

## What is a call

- Each call is of an offered tool, by its exact name, well-formed and whole. Only a stop token may be
  missing behind it. Of several calls all are made, or none; a cut between two calls cannot be seen in
  formats that do not close the list of them.
- Thoughts before the calls are passed over (\`<think>\`, \`[THINK]\`, channels; also where their opening
  stood in the prompt). Nothing in them is a call. What was said before an opening mark is no thought.
- Before a token a sentence may stand, in any language, and stays as the message's content. Nothing may
  be open where the call begins: a code fence, backticks, quotation marks, a bracket, a comment, a list
  item, a blockquote, a table, a heading. No other token, tag or brace may stand in the sentence, and it
  may ask nothing.
- The call is the last thing said. Prose behind it, between two calls or in one, and two formats in one
  text: no call. A name that is given twice, in a header and in the JSON, is the same one twice.
- A definition of a tool, and an object that says more than its call (\`"type": "tool_result"\`), is none.
- A value without a type is what the tool's schema says of its place, with its spelling kept: \`3.10\` is
  text where text is wanted, and \`null\` nothing where text and nothing are: there is no call. JSON with
  faults of syntax is read at \`safe\`.

## When it is safe

It is off by default. \`rescueTextToolCalls\` makes no call of what stands in the \`history\` or in the
description of a tool: the tool's name and what each argument holds, in any order and notation (JSON, tags,
Python, a command line), also escaped (JSON in JSON, HTML entities, percent, \`\\x\`, \`\\u\`, octal,
quoted-printable), in Base64, or with marks that are not seen. Nothing else is decoded: a model that was told
to turn a page's reversed, hexadecimal or split text into a call makes one. And no sentence holds a call
back, here as little as beside a native call: whoever wants that uses approval (\`humanInTheLoopMiddleware\`).

This page is made from the code by \`npm run docs\`, and a test reads every example.
`;

/** The page as the table has it. */
export function renderTextCallsPage(): string {
  const rows = formatEntries.map((entry) => {
    const { format, models } = entry;
    return `| [\`${format}\`](#${format.replaceAll(".", "")}) | ${models} | ${notesOf(entry)} |`;
  });
  const sections = formatEntries.map(({ format, models, examples }) => {
    const blocks = examples.flatMap((example) => ["````text", example, "````", ""]);
    return [`### ${format}`, "", `${models}:`, "", ...blocks].join("\n");
  });
  return [
    HEAD,
    "## Formats\n",
    ["| format | written by | |", "|---|---|---|", ...rows, ""].join("\n"),
    "## Examples\n",
    ...sections,
  ].join("\n");
}

function notesOf({ forms }: FormatEntry): string {
  const isOfToken = forms.every(({ marker }) => marker === "token");
  const mayLackEnd = forms.some(({ isStopToken }) => isStopToken === true);
  return [
    isOfToken ? "*token*" : "to be named",
    ...(mayLackEnd ? ["its end may be missing"] : []),
  ].join(", ");
}

if (process.argv.includes("--write")) writeFileSync("docs/text-calls.md", renderTextCallsPage());
