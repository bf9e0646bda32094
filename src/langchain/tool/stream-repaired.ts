import { IterableReadableStream } from "@langchain/core/utils/stream";
import type { InvocableTool } from "./invocable-tool.ts";
import { type Invocation, resolveInvocation, type ToolConfig } from "./resolve-invocation.ts";

/** How a tool streams that has a way of its own. */
interface StreamWays {
  stream(input: unknown, config?: ToolConfig): Promise<AsyncIterable<unknown>>;
  _streamIterator(input: unknown, config?: ToolConfig): AsyncGenerator<unknown>;
}

/**
 * Makes `stream` and `_streamIterator` of a tool that has them of its own: its chunks, of the repaired
 * input; an answer in its stead is one chunk.
 *
 * @param about The tool, and how its inputs are repaired.
 * @returns They throw as `invoke` does.
 */
export function streamRepaired(about: Pick<Invocation, "tool" | "options">): StreamWays {
  const tool = about.tool as InvocableTool & StreamWays;
  return {
    async stream(input, config) {
      const resolved = await resolveInvocation({ ...about, input, config });
      if (resolved.kind === "answer")
        return IterableReadableStream.fromAsyncGenerator(only(resolved.answer));
      return tool.stream(resolved.use.input, resolved.use.config as ToolConfig);
    },
    async *_streamIterator(input, config) {
      const resolved = await resolveInvocation({ ...about, input, config });
      if (resolved.kind === "answer") yield resolved.answer;
      else yield* tool._streamIterator(resolved.use.input, resolved.use.config as ToolConfig);
    },
  };
}

async function* only<Chunk>(chunk: Chunk): AsyncGenerator<Chunk> {
  yield chunk;
}
