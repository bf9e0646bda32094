// Writes docs/text-calls.md from the table of formats: node scripts/run-ts.mjs scripts/text-calls/text-calls-page.ts --write
// A test compares the page with its output, so that it cannot go stale.
import { writeFileSync } from "node:fs";
import { type FormatEntry, formatEntries } from "./format-catalogue.ts";

const HEAD = `# Calls written as text

If a server has no parser for its model, the model's calls arrive as text, and LangChain takes the text for the answer.
\`rescueTextToolCalls\` turns them into calls, in an agent:

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

in a message of your own graph:

\`\`\`ts
const history = messages.slice(0, 1); // what stands in it is no call
const repair = repairToolCalls([click], { rescueTextToolCalls: true, history });
const rescued = await repair.invoke(new AIMessage(text));
console.log(rescued.tool_calls?.[0]?.args); // { times: 2 }
\`\`\`

or, without LangChain, in a text:

\`\`\`ts
const found = readTextCalls(text, [click], { formats: ["hermes", "json"] });
console.log(found?.format, found?.calls[0]?.args); // hermes {"times": "2"}
\`\`\`

A stream shows the markup first; calls are read when the message is complete.

## What counts as a call

- Calls are of offered tools, by their exact names, complete and well-formed. Either all of a message's calls count, or none.
- Thoughts before the calls (\`<think>\`, \`[THINK]\`, channels) are skipped, and nothing in them is a call.
- A sentence may stand before a format's token and stays the message's content. It may not ask anything or hold another call, and
  nothing may be open where the call begins: no code, quotation mark, bracket, comment, list, table or heading.
- If you name \`invoke\` or \`function-tag\`, a sentence or a loose word may stand before their calls, too, if the call begins a
  line and its tool declares every parameter.
- The call comes last. Text after it or between two calls, or two formats in one text: no call.
- No text is a call in an answer of OpenAI's Responses API: the provider is sent its own output again.
- A tool's definition, and an object that says more than its call (\`"type": "tool_result"\`), is no call.
- A value without a type gets the schema's type and keeps its spelling: \`3.10\` stays text if text is expected.

## Is it safe?

It is off by default, and unsafe if the model reads what strangers wrote. It makes no call of a text in the \`history\` or in a tool's
description, in any order and notation, escaped or in Base64, in one message or the next; numbers are compared by value. Nothing else is
decoded: a model that was asked to turn a page's reversed text into a call makes one. Nor does a sentence ("I'll delete it if Ann agrees")
hold a call back. Use \`humanInTheLoopMiddleware\` for tools that matter, as for other calls.

## Formats

\`true\` reads formats that a token opens, because prose has no such tokens. Name the others if your prompt asks for them:
\`rescueTextToolCalls: ["python-list", "json"]\` reads these two and no other, and so does
\`formats\` of \`readTextCalls\`. Another name does not compile, and is a \`TypeError\` that asks what was meant.
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
