// Measures the size of a thread in the database.
import { AIMessage } from "@langchain/core/messages";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { createAgent, fakeModel, tool } from "langchain";
import type { Client } from "pg";
import { type ToolInputMiddlewareOptions, toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";

const body = "The quick brown fox. ".repeat(5_000);

/** The threads: the model's output in the first of three turns, with and without toolmend. */
const THREADS: readonly (readonly [string, object, ToolInputMiddlewareOptions | undefined])[] = [
  ["valid, without toolmend", { body, count: 5 }, undefined],
  ["valid", { body, count: 5 }, {}],
  ["number as text", { body, count: "5" }, {}],
  ["another key", { Body: body, count: 5 }, {}],
  ["envelope", { input: { Body: body, count: "5" } }, {}],
  ["refused", { body, sum: [1], count: 5 }, {}],
];

/** Runs the threads, and returns the bytes of each in all tables. */
export async function rowsOf(url: string, client: Client): Promise<ReadonlyMap<string, number>> {
  const checkpointer = PostgresSaver.fromConnString(url);
  await checkpointer.setup();
  const bytes = new Map<string, number>();
  for (const [thread, args, options] of THREADS) {
    await runThread(checkpointer, { thread, args, options });
    bytes.set(thread, await bytesOf(thread, client));
  }
  await checkpointer.end();
  return bytes;
}

async function runThread(
  checkpointer: PostgresSaver,
  {
    thread,
    args,
    options,
  }: { thread: string; args: object; options: ToolInputMiddlewareOptions | undefined },
): Promise<void> {
  const save = tool(() => "saved", {
    name: "save",
    description: "Saves a page.",
    schema: z.strictObject({ body: z.string(), count: z.number() }),
  });
  const model = fakeModel()
    .respond(new AIMessage({ content: "", tool_calls: [{ id: "call_a", name: "save", args }] }))
    .respond(new AIMessage("one"))
    .respond(new AIMessage("two"))
    .respond(new AIMessage("three"));
  const middleware = options === undefined ? [] : [toolInputMiddleware(options)];
  const agent = createAgent({ model, tools: [save], checkpointer, middleware });
  for (const content of ["Save it.", "And now?", "And then?"]) {
    const config = { configurable: { thread_id: thread } };
    await agent.invoke({ messages: [{ role: "user", content }] }, config);
  }
}

async function bytesOf(thread: string, client: Client): Promise<number> {
  const { rows } = await client.query(
    `select
      (select coalesce(sum(octet_length(checkpoint::text) + octet_length(metadata::text)), 0) from checkpoints where thread_id = $1) +
      (select coalesce(sum(octet_length(blob)), 0) from checkpoint_blobs where thread_id = $1) +
      (select coalesce(sum(octet_length(blob)), 0) from checkpoint_writes where thread_id = $1) as bytes`,
    [thread],
  );
  return Number(rows[0].bytes);
}
