// Published MCP servers, started over stdio.
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { StructuredToolInterface } from "@langchain/core/tools";
import { loadMcpTools } from "@langchain/mcp-adapters";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

export interface PublishedServer {
  readonly package: string;
  /** Its program, from its package. */
  readonly program: string;
  readonly args?: readonly string[];
  /** A token that is valid nowhere, where the server wants one before it lists its tools. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface RunningServer {
  readonly tools: readonly StructuredToolInterface[];
  readonly pid: number;
  stop(): Promise<void>;
}

export const FILESYSTEM: PublishedServer = {
  package: "@modelcontextprotocol/server-filesystem",
  program: "dist/index.js",
  args: [tmpdir()],
};

export const EVERYTHING: PublishedServer = {
  package: "@modelcontextprotocol/server-everything",
  program: "dist/index.js",
};

export const PLAYWRIGHT: PublishedServer = { package: "@playwright/mcp", program: "cli.js" };

export const GITLAB: PublishedServer = {
  package: "@zereight/mcp-gitlab",
  program: "build/index.js",
  env: { GITLAB_PERSONAL_ACCESS_TOKEN: "none", GITLAB_API_URL: "http://127.0.0.1:9/api/v4" },
};

/** Starts a server, and loads its tools as LangChain's adapters do. */
export async function startServer(server: PublishedServer): Promise<RunningServer> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(folderOf(server.package), server.program), ...(server.args ?? [])],
    env: { PATH: process.env.PATH ?? "", ...server.env },
    stderr: "ignore",
  });
  const client = new Client({ name: "toolmend", version: "1.0.0" });
  await client.connect(transport);
  const tools = await loadMcpTools(server.package, client);
  return { tools, pid: transport.pid ?? Number.NaN, stop: () => client.close() };
}

/** The folder of an installed package: its exports need not name its program. */
export function folderOf(name: string): string {
  const require = createRequire(import.meta.url);
  const modules = require.resolve.paths(name)?.[0] ?? "";
  return join(dirname(modules), "node_modules", name);
}
