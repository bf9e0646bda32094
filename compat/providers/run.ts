import { tool } from "@langchain/core/tools";
import { createAgent } from "langchain";
import { toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";
import {
  type Loopback,
  startLoopback,
} from "../../__tests__/support/langchain/middleware/loopback.ts";
import type { Answer, Api, Body, OutputVersion } from "./api.ts";

/** How the agent is asked: by invoke, by a token stream, or by LangChain's newer events. */
export type Way = "whole" | "streamed" | "events";

export interface Run {
  readonly api: Api;
  readonly way: Way;
  readonly outputVersion: OutputVersion;
  readonly answers: readonly Answer[];
  /** Whether the agent has toolmend. Default: `true`. */
  readonly hasToolmend?: boolean;
}

export interface Ran {
  /** The inputs that the tools ran with. */
  readonly ran: readonly string[];
  /** The bodies of the requests, with random ids replaced by their order. */
  readonly requests: readonly Body[];
  readonly error: string | undefined;
}

/** Runs an agent on a provider at 127.0.0.1. */
export async function runAgent({
  api,
  way,
  outputVersion,
  answers,
  hasToolmend = true,
}: Run): Promise<Ran> {
  const provider: Loopback = await startLoopback();
  provider.answer(...answers);
  const ran: string[] = [];
  const run = (name: string) =>
    tool(
      ({ path, count }) => {
        ran.push(`${name} ${path} ${count}`);
        return `${name} of ${path} done`;
      },
      {
        name,
        description: `${name}s files.`,
        schema: z.object({ path: z.string(), count: z.number().optional() }),
      },
    );
  const agent = createAgent({
    model: api.model(provider.url, outputVersion),
    tools: [run("move"), run("look")],
    middleware: hasToolmend ? [toolInputMiddleware()] : [],
  });
  const ask = { messages: [{ role: "user" as const, content: "Go." }] };
  let error: string | undefined;
  try {
    if (way === "whole") await agent.invoke(ask);
    else if (way === "events") await (await agent.streamEvents(ask, { version: "v3" })).output;
    else for await (const _ of await agent.stream(ask, { streamMode: ["messages"] }));
  } catch (caught) {
    error = `${caught}`;
  } finally {
    await provider.close();
  }
  return { ran, requests: withoutRandomIds(provider.requests), error };
}

/** LangChain gives calls without an id a random one, and some wires include it. */
function withoutRandomIds(requests: readonly Body[]): readonly Body[] {
  const ids: string[] = [];
  const text = JSON.stringify(requests).replace(UUID, (id) => {
    if (!ids.includes(id)) ids.push(id);
    return `id ${ids.indexOf(id)}`;
  });
  return JSON.parse(text);
}

const UUID = /[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}/g;
