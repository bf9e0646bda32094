import ts from "typescript";
import type { Program } from "./docs/programs.ts";
import { docstringExamples, PUBLIC_EXPORTS } from "./public-exports.ts";

/** The values that the examples of docstrings use; each example has its own. */
const WORLD = `
import { AgentExecutor, createToolCallingAgent } from "@langchain/classic/agents";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { fakeModel } from "@langchain/core/testing";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { createAgent, tool } from "langchain";
import { z } from "zod";

function makeWorld() {
  const click = tool(async ({ selector }) => \`clicked \${selector}\`, {
    name: "click",
    description: "Clicks.",
    schema: z.object({ selector: z.string() }),
  });
  const tools = [click];
  const fixers = createFixerRegistry(tools);
  fixers.register("click", renameKey("element", "selector"));
  const model = fakeModel()
    .respondWithTools([{ name: "click", args: { element: "#buy" } }])
    .respond(new AIMessage("Bought."));
  const prompt = ChatPromptTemplate.fromMessages([["human", "{input}"], ["placeholder", "{agent_scratchpad}"]]);
  const executor = new AgentExecutor({ agent: createToolCallingAgent({ llm: model, tools, prompt }), tools });
  const agent = createAgent({ model, tools, middleware: [toolInputMiddleware({ fixers })] });
  const error: unknown = new Error("another");
  const server = new McpServer({ name: "shop", version: "1.0.0" });
  const [transport] = InMemoryTransport.createLinkedPair();
  return { click, tools, fixers, model, executor, agent, error, server, transport };
}
`;

/** Every example of every public docstring, one after another, each in its own scope. */
export function docstringProgram(): Program {
  const taken = new Set<string>();
  const imports = [...PUBLIC_EXPORTS].flatMap(([entry, exported]) => {
    const values = exported.filter(
      ({ node }) => !ts.isInterfaceDeclaration(node) && !ts.isTypeAliasDeclaration(node),
    );
    const names = [...new Set(values.map(({ name }) => name))].filter((name) => !taken.has(name));
    for (const name of names) taken.add(name);
    const from = entry === "index" ? "" : `/${entry}`;
    return names.length === 0 ? [] : [`import { ${names.join(", ")} } from "toolmend${from}";`];
  });
  const examples = [...docstringExamples()].map(
    ([name, code]) => `// ${name}
await (async () => {
const { click, tools, fixers, model, executor, agent, error, server, transport } = makeWorld();
{
${code}}
})();`,
  );
  const code = [...imports, WORLD, ...examples, "export {};", ""].join("\n");
  const printing = /^ *(?:if .*)?console\.log\(.*\); \/\/ (.*)$/gm;
  const says = [...code.matchAll(printing)].map(([, said = ""]) => said);
  return { title: "docstrings", code, says, isRunnable: true };
}
