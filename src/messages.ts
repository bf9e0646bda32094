export * from "./langchain/messages.ts";
