import {
  ChatAgent,
  ChatConversationalAgent,
  createOpenAIFunctionsAgent,
  createOpenAIToolsAgent,
  createReactAgent,
  createStructuredChatAgent,
  createToolCallingAgent,
  createXmlAgent,
  LLMSingleActionAgent,
  OpenAIAgent,
  StructuredChatAgent,
  XMLAgent,
  ZeroShotAgent,
} from "@langchain/classic/agents";
import { ReActSingleInputOutputParser } from "@langchain/classic/agents/react/output_parser";
import { LLMChain } from "@langchain/classic/chains";
import { AIMessage } from "@langchain/core/messages";
import { ChatPromptTemplate, PromptTemplate } from "@langchain/core/prompts";
import type { ScriptedModel } from "./scripted-model.ts";

// biome-ignore lint/suspicious/noExplicitAny: the constructors' types differ, their use does not
type Any = any;

/** A way to make an agent, and how a model writes for it. */
export interface AgentKind {
  /** Whether its model calls tools, so that the next prompt shows the repaired input. */
  readonly callsTools: boolean;
  make(model: ScriptedModel, tools: readonly unknown[]): Any;
  /** `input` as JSON text, or as bare text if the form permits it. */
  act(tool: string, input: string): AIMessage;
  finish(answer: string): AIMessage;
}

const messagePrompt = ChatPromptTemplate.fromMessages([
  ["system", "You help."],
  ["human", "{input}"],
  ["placeholder", "{agent_scratchpad}"],
]);

const textPrompt = ChatPromptTemplate.fromMessages([
  ["system", "Tools: {tools} Names: {tool_names}"],
  ["human", "{input} {agent_scratchpad}"],
]);

const xmlPrompt = ChatPromptTemplate.fromMessages([
  ["system", "Tools: {tools}"],
  ["human", "{input} {agent_scratchpad}"],
]);

let ids = 0;

/** A value as models put it into a tool call: text that is not JSON becomes a JSON string. */
export function asJson(input: string): string {
  try {
    JSON.parse(input);
    return input;
  } catch {
    return JSON.stringify(input);
  }
}

const toolCalling = {
  callsTools: true,
  act: (name: string, input: string) =>
    new AIMessage({
      content: "",
      tool_calls: [
        { type: "tool_call", id: `call_${++ids}`, name, args: JSON.parse(asJson(input)) },
      ],
    }),
  finish: (answer: string) => new AIMessage(answer),
};

const openAITools = {
  ...toolCalling,
  act: (name: string, input: string) => {
    const { tool_calls: [call] = [] } = toolCalling.act(name, input);
    const called = { name, arguments: asJson(input) };
    return new AIMessage({
      content: "",
      tool_calls: call && [call],
      additional_kwargs: {
        tool_calls: [{ type: "function", id: call?.id ?? "", function: called }],
      },
    });
  },
};

const openAIFunctions = {
  ...toolCalling,
  act: (name: string, input: string) =>
    new AIMessage({
      content: "",
      additional_kwargs: { function_call: { name, arguments: asJson(input) } },
    }),
};

const blob = (action: string, input: string) =>
  `\`\`\`json\n{"action": "${action}", "action_input": ${asJson(input)}}\n\`\`\``;

const chatBlob = {
  callsTools: false,
  act: (name: string, input: string) => new AIMessage(`Thought: hm\nAction:\n${blob(name, input)}`),
  finish: (answer: string) => new AIMessage(blob("Final Answer", answer)),
};

const react = {
  callsTools: false,
  act: (name: string, input: string) =>
    new AIMessage(`Thought: hm\nAction: ${name}\nAction Input: ${input}`),
  finish: (answer: string) => new AIMessage(`Thought: I know\nFinal Answer: ${answer}`),
};

const xml = {
  callsTools: false,
  act: (name: string, input: string) => new AIMessage(`<tool>${name}</tool><tool_input>${input}`),
  finish: (answer: string) => new AIMessage(`<final_answer>${answer}`),
};

export const agentKinds: Record<string, AgentKind> = {
  createToolCallingAgent: {
    ...toolCalling,
    make: (llm, tools) =>
      createToolCallingAgent({ llm, tools: tools as Any, prompt: messagePrompt }),
  },
  createOpenAIToolsAgent: {
    ...openAITools,
    make: (llm, tools) =>
      createOpenAIToolsAgent({ llm: llm as Any, tools: tools as Any, prompt: messagePrompt }),
  },
  createOpenAIFunctionsAgent: {
    ...openAIFunctions,
    make: (llm, tools) =>
      createOpenAIFunctionsAgent({ llm: llm as Any, tools: tools as Any, prompt: messagePrompt }),
  },
  createStructuredChatAgent: {
    ...chatBlob,
    make: (llm, tools) =>
      createStructuredChatAgent({ llm, tools: tools as Any, prompt: textPrompt }),
  },
  createReactAgent: {
    ...react,
    make: (llm, tools) => createReactAgent({ llm, tools: tools as Any, prompt: textPrompt as Any }),
  },
  createXmlAgent: {
    ...xml,
    make: (llm, tools) => createXmlAgent({ llm, tools: tools as Any, prompt: xmlPrompt as Any }),
  },
  StructuredChatAgent: {
    ...chatBlob,
    make: (llm, tools) => StructuredChatAgent.fromLLMAndTools(llm, tools as Any),
  },
  ChatAgent: {
    ...chatBlob,
    make: (llm, tools) => ChatAgent.fromLLMAndTools(llm, tools as Any),
    finish: react.finish,
  },
  ChatConversationalAgent: {
    ...chatBlob,
    make: (llm, tools) => ChatConversationalAgent.fromLLMAndTools(llm, tools as Any),
  },
  ZeroShotAgent: {
    ...react,
    make: (llm, tools) => ZeroShotAgent.fromLLMAndTools(llm, tools as Any),
  },
  XMLAgent: {
    ...xml,
    make: (llm, tools) => XMLAgent.fromLLMAndTools(llm, tools as Any),
  },
  OpenAIAgent: {
    ...openAIFunctions,
    make: (llm, tools) => OpenAIAgent.fromLLMAndTools(llm as Any, tools as Any),
  },
  LLMSingleActionAgent: {
    ...react,
    make: (llm, tools) =>
      new LLMSingleActionAgent({
        llmChain: new LLMChain({
          llm,
          prompt: PromptTemplate.fromTemplate("{input}") as Any,
        }),
        outputParser: new ReActSingleInputOutputParser({
          toolNames: (tools as { name: string }[]).map(({ name }) => name),
        }) as Any,
      }),
  },
};
