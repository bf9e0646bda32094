import { runLimited, TimedOut } from "../repair/drive.ts";
import { isJsonObject } from "../repair/json.ts";
import type { ToolLike } from "../repair/types.ts";
import type { AnswerMessage, Message, MessageId } from "./messages.ts";

/** A server's tools, as it lists them itself. */
export interface ToolList<Context> {
  /** The tools; a promise only if they are not known yet. Rejects if they cannot be had. */
  read(context: Context, signal: AbortSignal): readonly ToolLike[] | Promise<readonly ToolLike[]>;
  /** Whether a message is the answer to a request of the list's own: then it ends here. */
  take(answer: AnswerMessage): boolean;
  /** Forgets the tools: the next call asks again. */
  forget(): void;
}

/** One reading of the list. */
interface Reading {
  readonly pages: Promise<readonly ToolLike[]>;
  /** The tools, once all pages are there. */
  tools?: readonly ToolLike[];
  /** Whether a call has waited too long for it: others do not wait any more. */
  isLate: boolean;
}

/** A server may not make toolmend read for ever. */
const MAX_PAGES = 1_000;

/**
 * Reads a server's list of tools when it is needed, once, and again after it changed.
 *
 * @param ask Sends a request to the server. The context is that of the call which needs the list.
 */
export function createToolList<Context>(
  ask: (request: Message, context: Context) => unknown,
  timeoutMs: number,
): ToolList<Context> {
  // Random: a client must not be able to use the same ids.
  const prefix = `toolmend-${crypto.randomUUID()}-`;
  const waiting = new Map<MessageId, (answer: Message) => void>();
  let requests = 0;
  let current: Reading | undefined;

  async function readPage(cursor: unknown, context: Context): Promise<Message> {
    const id = `${prefix}${++requests}`;
    const params = cursor === undefined ? {} : { cursor };
    const answered = new Promise<Message>((resolve) => waiting.set(id, resolve));
    await ask({ jsonrpc: "2.0", id, method: "tools/list", params }, context);
    const { result } = await answered;
    if (isJsonObject(result)) return result;
    throw new Error("the server does not list its tools");
  }

  async function readPages(context: Context): Promise<readonly ToolLike[]> {
    const tools: ToolLike[] = [];
    let cursor: unknown;
    for (let page = 0; page < MAX_PAGES; page++) {
      const { tools: listed, nextCursor } = await readPage(cursor, context);
      for (const entry of Array.isArray(listed) ? listed : []) {
        if (isTool(entry)) tools.push({ ...entry, schema: entry.inputSchema });
      }
      if (typeof nextCursor !== "string") return tools;
      cursor = nextCursor;
    }
    throw new Error(`the server's list of tools has more than ${MAX_PAGES} pages`);
  }

  function begin(context: Context): Reading {
    const reading: Reading = { pages: readPages(context), isLate: false };
    // After a failure the next call asks again.
    const drop = () => {
      if (current === reading) current = undefined;
    };
    reading.pages.then((tools) => Object.assign(reading, { tools }), drop);
    return reading;
  }

  async function wait(context: Context, signal: AbortSignal): Promise<readonly ToolLike[]> {
    current ??= begin(context);
    const reading = current;
    try {
      if (reading.isLate) throw new TimedOut("");
      const tools = await runLimited(() => reading.pages, timeoutMs, signal);
      // If the list has changed meanwhile, the call is for the new one.
      return current === reading ? tools : await wait(context, signal);
    } catch (error) {
      if (!(error instanceof TimedOut)) throw error;
      reading.isLate = true;
      throw new Error(`the server did not list its tools within ${timeoutMs} ms (listTimeoutMs)`);
    }
  }

  return {
    read: (context, signal) => current?.tools ?? wait(context, signal),
    take({ id, ...answer }) {
      const resolve = waiting.get(id);
      waiting.delete(id);
      resolve?.(answer);
      return resolve !== undefined;
    },
    forget() {
      current = undefined;
    },
  };
}

/** Whether calls of a listed tool can be checked. */
function isTool(entry: unknown): entry is Omit<ToolLike, "schema"> & { inputSchema: object } {
  if (!isJsonObject(entry)) return false;
  return typeof entry.name === "string" && isJsonObject(entry.inputSchema);
}
