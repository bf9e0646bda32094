import {
  AgentExecutor,
  type AgentExecutorInput,
  createToolCallingAgent,
} from "@langchain/classic/agents";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import type { ChatOpenAI } from "@langchain/openai";
import type { WebTools } from "./web-tools.ts";

/** Further options for LangChain's AgentExecutor. */
export type ExecutorOptions = Omit<Partial<AgentExecutorInput>, "agent" | "tools">;

/** Makes a web agent, as in LangChain's documentation. */
export function createWebAgent(
  llm: ChatOpenAI,
  tools: WebTools,
  options: ExecutorOptions = {},
): AgentExecutor {
  const prompt = ChatPromptTemplate.fromMessages([
    ["system", "You use a web page."],
    ["human", "{input}"],
    ["placeholder", "{agent_scratchpad}"],
  ]);
  const agent = createToolCallingAgent({ llm, tools: [...tools], prompt });
  return new AgentExecutor({ agent, tools: [...tools], returnIntermediateSteps: true, ...options });
}
