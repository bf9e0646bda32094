import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:net";

/** Finds a free port of 127.0.0.1. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("There is no free port.");
  return address.port;
}

/**
 * Starts a server, sends a request, and stops it.
 *
 * @param command The program and its arguments.
 * @param url The request, repeated until it is answered, for at most 30 seconds.
 * @returns The answer's JSON.
 */
export async function askServer(command: readonly string[], url: string): Promise<unknown> {
  const [program = "", ...args] = command;
  const server = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [server.stdout, server.stderr]) {
    stream.on("data", (text) => {
      said += text;
    });
  }
  try {
    const answer = await ask(url, server);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${url} answers ${answer.status}: ${text.slice(0, 500)}`);
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`${command.join(" ")} said:\n${said.slice(-2_000)}`, { cause });
  } finally {
    server.kill();
  }
}

async function ask(url: string, server: ChildProcess): Promise<Response> {
  const end = Date.now() + 30_000;
  for (;;) {
    try {
      return await fetch(url, { signal: AbortSignal.timeout(20_000) });
    } catch (error) {
      if (server.exitCode !== null || Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
