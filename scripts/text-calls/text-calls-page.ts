// Writes docs/text-calls.md from the table of formats: node scripts/run-ts.mjs scripts/text-calls/text-calls-page.ts --write
// A test compares the page with its output, so that it cannot go stale.
import { writeFileSync } from "node:fs";
import { type FormatEntry, formatEntries } from "../../src/repair/text-calls/format-catalogue.ts";

const HEAD = `# Calls written as text

If a server has no parser for its model, the model's calls arrive as text, and LangChain takes the text for the answer.
\`rescueTextToolCalls\` turns them into calls. In an agent:

\`\`\`ts
import { fakeModel } from "@langchain/core/testing";
import { AIMessage, createAgent, tool } from "langchain";
import { readTextCalls, repairToolCalls } from "toolmend/messages";
import { toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";

const click = tool(async ({ times }) => \`clicked \${times} times\`, {
  name: "click",
  schema: z.object({ times: z.number() }),
});
const text = '<tool_call>{"name": "click", "arguments": {"times": "2"}}</tool_call>';
const model = fakeModel().respond(new AIMessage(text)).respond(new AIMessage("Done."));

const middleware = [toolInputMiddleware({ rescueTextToolCalls: true })];
const agent = createAgent({ model, tools: [click], middleware });
const { messages } = await agent.invoke({ messages: "Click twice." });
console.log(messages.at(-2)?.content); // clicked 2 times
\`\`\`

In a message of your own graph (continues the block above):

\`\`\`ts
const history = messages.slice(0, 1); // what stands in it is no call
const repair = repairToolCalls([click], { rescueTextToolCalls: true, history });
const rescued = await repair.invoke(new AIMessage(text));
console.log(rescued.tool_calls?.[0]?.args); // { times: 2 }
\`\`\`

Without LangChain, in a text (continues the blocks above):

\`\`\`ts
const found = readTextCalls(text, [click], { formats: ["hermes", "json"] });
console.log(found?.format, found?.calls[0]?.args); // hermes {"times": "2"}
\`\`\`

A stream shows the markup first; calls are read when the message is complete.

## What counts as a call

- Calls are of offered tools, by exact name, complete and well-formed. Either all of a message's calls count, or none.
- They come last. Text after or between them, or two formats in one text: no call.
- Thoughts before them (\`<think>\`, \`[THINK]\`, channels) are skipped.
- A sentence may stand before a format's token, and stays the message's content. It may not be a question or hold another call. Nothing
  may be open where the call begins: code, a quotation, a bracket, a comment, a list, a table or a heading.
- Before calls in \`invoke\` and \`function-tag\`, which you name, a sentence may stand too, if the call begins a line.
- A tool's definition, an object that says more than its call, and an answer of OpenAI's Responses API hold no call.
- A value without a type gets the schema's type and keeps its spelling: \`3.10\` stays text if text is expected.

## Is it safe?

It is off by default, and unsafe if the model reads what strangers wrote. Text that already stands in the \`history\` or a tool description
never becomes a call, even escaped or in Base64. Nothing else is decoded: a model that was asked to turn a page's reversed text into a call makes
one. A sentence ("I'll delete it if Ann agrees") does not hold a call back, either. Use \`humanInTheLoopMiddleware\` for tools that matter.

## Formats

\`true\` reads the formats that a token opens, because prose has no such tokens. Name others if your prompt asks for them:
\`rescueTextToolCalls: ["python-list", "json"]\` reads these two and no other, as \`formats\` of \`readTextCalls\` does.
`;

/** The generated page. */
export function renderTextCallsPage(): string {
  const isOfToken = ({ forms }: FormatEntry) => forms.every(({ marker }) => marker === "token");
  const list = (entries: readonly FormatEntry[]) =>
    entries.map(({ format, models }) => `- \`${format}\`: ${models}`).join("\n");
  return `${HEAD}
Opened by a token:

${list(formatEntries.filter(isOfToken))}

To be named:

${list(formatEntries.filter((entry) => !isOfToken(entry)))}
`;
}

if (process.argv.includes("--write")) writeFileSync("docs/text-calls.md", renderTextCallsPage());
