async function model(lab, first) {
  const { AIMessage } = await lab.load("@langchain/core/messages");
  const { RunnableLambda } = await lab.load("@langchain/core/runnables");
  let turn = 0;
  const replies = [new AIMessage({ content: "", ...first }), new AIMessage("done")];
  const llm = RunnableLambda.from(async () => replies[turn++]);
  return Object.assign(llm, { bindTools: () => llm });
}

/** A tool-calling agent whose model first makes calls that LangChain could not parse. */
export async function toolCallingAgent(lab, invalid_tool_calls) {
  const { createToolCallingAgent } = await lab.load(lab.names.agents);
  const { ChatPromptTemplate } = await lab.load("@langchain/core/prompts");
  const prompt = ChatPromptTemplate.fromMessages([
    ["human", "{input}"],
    ["placeholder", "{agent_scratchpad}"],
  ]);
  const llm = await model(lab, { invalid_tool_calls });
  return createToolCallingAgent({ llm, prompt, tools: [], streamRunnable: false });
}

/** Runs an agent of `createAgent` whose model first makes these calls. */
export async function runAgent(lab, first) {
  const { createAgent } = await lab.load("langchain");
  const { FakeListChatModel } = await lab.load("@langchain/core/utils/testing");
  const llm = await model(lab, first);
  const chat = new FakeListChatModel({ responses: [""] });
  chat.bindTools = () => llm;
  const agent = createAgent({ model: chat, tools: [await lab.clickTool({ corrects: false })] });
  return agent.invoke({ messages: [{ role: "user", content: "go" }] });
}
