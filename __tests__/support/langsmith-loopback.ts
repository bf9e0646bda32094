import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { LangChainTracer } from "@langchain/core/tracers/tracer_langchain";
import { Client } from "langsmith";

/** A run as LangSmith receives it. */
export interface SentRun {
  readonly id: string;
  readonly trace_id?: string;
  readonly parent_run_id?: string;
  readonly name: string;
  readonly run_type: string;
  readonly error?: string;
  readonly tags?: readonly string[];
  readonly inputs?: unknown;
  readonly events?: readonly { readonly name: string }[];
  readonly extra: { readonly metadata: Readonly<Record<string, unknown>> };
}

/** A LangSmith server for tests, at 127.0.0.1: LangSmith's client sends it its usual requests. */
export interface LangSmithLoopback {
  readonly tracer: LangChainTracer;
  /** Waits until everything is sent. Returns all requests in order. */
  sent(): Promise<string>;
  /** Returns the runs, each merged from its start and end requests. */
  runs(): Promise<readonly SentRun[]>;
  close(): Promise<void>;
}

/**
 * Starts one.
 *
 * @param options Options of LangSmith's client, such as `hideInputs`.
 */
export async function startLangSmith(options: object = {}): Promise<LangSmithLoopback> {
  const bodies: string[] = [];
  const parts: [path: string, body: unknown][] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const raw = Buffer.concat(chunks);
      const body = (
        request.headers["content-encoding"] === "gzip" ? gunzipSync(raw) : raw
      ).toString();
      bodies.push(body);
      parts.push(...partsOf(body, request.headers["content-type"] ?? ""));
      response.writeHead(200, { "content-type": "application/json" });
      response.end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const client = new Client({
    apiUrl: `http://127.0.0.1:${port}`,
    apiKey: "of-the-test",
    autoBatchTracing: true,
    ...options,
  });
  const tracer = new LangChainTracer({ client, projectName: "of-the-test" });
  const sent = async () => {
    await client.awaitPendingTraceBatches();
    return bodies.join("\n");
  };
  return {
    tracer,
    sent,
    async runs() {
      await sent();
      const runs = new Map<string, Record<string, unknown>>();
      for (const [path, body] of parts) {
        const [, id = "", field] = path.split(".");
        const own = field === undefined ? (body as object) : { [field]: body };
        runs.set(id, { ...runs.get(id), ...own });
      }
      return [...runs.values()] as unknown as SentRun[];
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** The parts of a request by LangSmith's names for them: `post.<id>`, `patch.<id>.outputs`, … */
function partsOf(body: string, type: string): [string, unknown][] {
  const [, boundary] = /boundary=(\S+)/.exec(type) ?? [];
  if (boundary === undefined) return batchedParts(body);
  return body.split(`--${boundary}`).flatMap((part): [string, unknown][] => {
    const [, name] = /name="([^"]+)"/.exec(part) ?? [];
    const at = part.indexOf("\r\n\r\n");
    if (name === undefined || at < 0 || !/^(post|patch)\./.test(name)) return [];
    return [[name, JSON.parse(part.slice(at + 4))]];
  });
}

/**
 * If LangSmith does not answer in time with its accepted formats, its client sends runs as JSON.
 */
function batchedParts(body: string): [string, unknown][] {
  const batch = JSON.parse(body || "{}") as Record<string, readonly { readonly id: string }[]>;
  return ["post", "patch"].flatMap((kind) =>
    (batch[kind] ?? []).map((run): [string, unknown] => [`${kind}.${run.id}`, run]),
  );
}
