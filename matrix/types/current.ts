// Compiled against the patched packages: what issues #2710 and #2711 ask of the types.

import type { AgentExecutorInput } from "LANGCHAIN_AGENTS";
import type { AgentAction, AgentStep } from "@langchain/core/agents";
import { OutputParserException } from "@langchain/core/output_parsers";
import { DynamicStructuredTool, ToolInputParsingException } from "@langchain/core/tools";

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

const json: Json = {} as AgentAction["toolInput"];
const typed: { selector: string } = {} as AgentAction<{ selector: string }>["toolInput"];
const step: { selector: string } = {} as AgentStep<{ selector: string }>["action"]["toolInput"];
// @ts-expect-error no such key
({}) as AgentAction<{ selector: string }> satisfies { toolInput: { selektor: string } };

export const handler: AgentExecutorInput["handleParsingErrors"] = async (
  error,
  causingData,
  action,
) => {
  if (error instanceof ToolInputParsingException && action?.tool === error.toolName) {
    const input: unknown = error.toolInput ?? error.cause;
    return { selector: String(input) };
  }
  return error instanceof OutputParserException ? `not read: ${causingData}` : causingData;
};
export const asBefore: AgentExecutorInput["handleParsingErrors"] = (error) => error.message;
// @ts-expect-error a function is no JSON
export const wrong: AgentExecutorInput["handleParsingErrors"] = () => () => "";
export const runtime: AgentExecutorInput["handleToolRuntimeErrors"] = async (error) =>
  error.message;

export class Corrected extends DynamicStructuredTool {
  protected override async parseInput(input: unknown, context?: { toolInput?: unknown }) {
    return super.parseInput(input, context);
  }
}
export const error = new ToolInputParsingException("x", "{}", { toolName: "t", cause: 1 });
export default [json, typed, step];
