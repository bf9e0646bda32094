import { runLimited, TimedOut } from "../repair/drive.ts";
import { isJsonObject } from "../repair/json.ts";
import type { ToolLike } from "../repair/types.ts";
import {
  type AnswerMessage,
  type CallMessage,
  listRequest,
  type Message,
  type MessageId,
} from "./messages.ts";

/** A server's tools, as it lists them itself. */
interface ListedTools {
  readonly tools: readonly ToolLike[];
  /** The names of tools that are listed without a schema. */
  readonly withoutSchema: ReadonlySet<string>;
  /** Until when the list holds, by `performance.now()`. */
  readonly expiresAt: number;
}

/** A call that needs the list, and what came with it. */
interface AskingCall<Context> {
  readonly call: CallMessage;
  readonly context: Context;
}

/** How far a reading of the list is. */
type Progress =
  /** It was asked for: calls wait. */
  | { readonly kind: "waiting" }
  /**
   * It failed, or a call has waited too long: calls pass unchecked. It may
   * still come.
   */
  | {
      readonly kind: "missing";
      readonly why: string;
      readonly askAgainAt: number;
    }
  | {
      readonly kind: "read";
      readonly listed: ListedTools;
      readonly askAgainAt: number;
    };

/** One reading of the list, since it last changed. */
interface ListReading {
  readonly pages: Promise<ListedTools>;
  progress: Progress;
}

/** A request for a page, which the server has not answered. */
interface PageRequest {
  /** The call that it was made for. */
  readonly callId: MessageId;
  readonly resolve: (answer: Message) => void;
  readonly reject: (error: Error) => void;
}

/** A server may not make toolmend read for ever. */
const MAX_PAGES = 1_000;

/** So often a call waits for a list that changes while it is read. */
const MAX_READINGS_OF_A_CALL = 4;

/**
 * How long after a list was asked for in vain a call asks again, in
 * milliseconds.
 */
const RETRY_AFTER_MS = 10_000;

/**
 * How long a list holds at least, where the server limits that (`ttlMs`), in
 * milliseconds.
 */
const MIN_TTL_MS = 60_000;

/**
 * Reads a server's list of tools when a call needs it, once, and again after it
 * changed.
 */
export class ToolList<Context> {
  readonly #ask: (request: Message, context: Context) => unknown;
  readonly #timeoutMs: number;
  /** Random: a client must not be able to use the same ids. */
  readonly #prefix = `toolmend-${crypto.randomUUID()}-`;
  readonly #requests = new Map<MessageId, PageRequest>();
  #requestCount = 0;
  /**
   * The newest reading; `undefined` if the list was not asked for since it last
   * changed.
   */
  #reading: ListReading | undefined;

  /**
   * @param ask Sends a request to the server. The context is that of the call
   *   which needs the list.
   * @param timeoutMs How long a call waits for the list; 0: no limit.
   */
  constructor(
    ask: (request: Message, context: Context) => unknown,
    timeoutMs: number,
  ) {
    this.#ask = ask;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Returns the tools; a promise only if they are not known yet. Fails if they
   * cannot be had.
   */
  read(
    asking: AskingCall<Context>,
    signal: AbortSignal,
  ): ListedTools | Promise<ListedTools> {
    const { progress } = this.#readingOrBegin(asking);
    if (progress.kind === "read") return progress.listed;
    if (progress.kind === "missing") throw new Error(progress.why);
    return this.#wait(asking, signal);
  }

  /**
   * Takes the answer to a request of the list's own, which ends here; `false`
   * for any other.
   */
  take({ id, ...answer }: AnswerMessage): boolean {
    this.#requests.get(id)?.resolve(answer);
    // A second answer ends here, too.
    return String(id).startsWith(this.#prefix);
  }

  /**
   * Returns the id of the call that an open request of the list's own was made
   * for.
   */
  callIdOf(requestId: MessageId): MessageId | undefined {
    return this.#requests.get(requestId)?.callId;
  }

  /** Forgets the tools: the next call asks again. */
  forget(): void {
    this.#reading = undefined;
  }

  /** Forgets the tools, and ends what is being read. */
  close(): void {
    this.forget();
    this.#abandonRequests();
  }

  #abandonRequests(): void {
    for (const { reject } of this.#requests.values()) {
      reject(new Error("the server has not listed its tools"));
    }
    this.#requests.clear();
  }

  /**
   * The newest reading. After one that is missing or has expired another
   * begins, but no call waits for it.
   */
  #readingOrBegin(asking: AskingCall<Context>): ListReading {
    const reading = this.#reading ?? this.#begin(asking, { kind: "waiting" });
    this.#reading = reading;
    const { progress } = reading;
    if (!isDue(progress)) return reading;
    this.#abandonRequests();
    // Until the new reading is there, calls get what the old one came to.
    const askAgainAt = performance.now() + RETRY_AFTER_MS;
    this.#reading = this.#begin(asking, { ...progress, askAgainAt });
    return this.#reading;
  }

  #begin(asking: AskingCall<Context>, progress: Progress): ListReading {
    // Before the server is asked, the reading is known: the server may say at
    // once that the list changed.
    const pages = Promise.resolve().then(() => this.#readPages(asking));
    const reading: ListReading = { pages, progress };
    reading.pages.then(
      (listed) => {
        reading.progress = {
          kind: "read",
          listed,
          askAgainAt: listed.expiresAt,
        };
      },
      (error: Error) => {
        if (reading.progress.kind === "waiting")
          reading.progress = missing(error.message);
      },
    );
    return reading;
  }

  async #wait(
    asking: AskingCall<Context>,
    signal: AbortSignal,
  ): Promise<ListedTools> {
    const timeoutMs = this.#timeoutMs;
    try {
      return await runLimited(
        (stop) => this.#readUnchanged(asking, stop),
        timeoutMs,
        signal,
      );
    } catch (error) {
      if (!(error instanceof TimedOut)) throw error;
      const why = `the server did not list its tools within ${timeoutMs} ms (listTimeoutMs)`;
      if (this.#reading?.progress.kind === "waiting")
        this.#reading.progress = missing(why);
      throw new Error(why);
    }
  }

  /**
   * Reads the list, and again if it changed meanwhile: the call is for the new
   * one.
   */
  async #readUnchanged(
    asking: AskingCall<Context>,
    signal: AbortSignal,
  ): Promise<ListedTools> {
    let reading = this.#readingOrBegin(asking);
    let listed = await reading.pages;
    for (let readings = 1; readings < MAX_READINGS_OF_A_CALL; readings++) {
      const isUnchanged = this.#reading === reading;
      if (isUnchanged || signal.aborted) break;
      reading = this.#readingOrBegin(asking);
      listed = await reading.pages;
    }
    return listed;
  }

  /** Reads all pages. A cursor that does not lead on ends the list. */
  async #readPages(asking: AskingCall<Context>): Promise<ListedTools> {
    const pages: unknown[][] = [];
    const cursors = new Set<string>([""]);
    let cursor: string | undefined;
    let expiresAt = Number.POSITIVE_INFINITY;
    for (let page = 0; page < MAX_PAGES; page++) {
      const { tools, nextCursor, ttlMs } = await this.#readPage(cursor, asking);
      if (Array.isArray(tools)) pages.push(tools);
      if (typeof ttlMs === "number")
        expiresAt = performance.now() + Math.max(ttlMs, MIN_TTL_MS);
      if (typeof nextCursor !== "string" || cursors.has(nextCursor)) break;
      cursors.add(nextCursor);
      cursor = nextCursor;
    }
    return { ...readEntries(pages.flat()), expiresAt };
  }

  async #readPage(
    cursor: string | undefined,
    asking: AskingCall<Context>,
  ): Promise<Message> {
    const { call, context } = asking;
    this.#requestCount += 1;
    const id = `${this.#prefix}${this.#requestCount}`;
    const answered = new Promise<Message>((resolve, reject) => {
      this.#requests.set(id, { callId: call.id, resolve, reject });
    });
    // If it cannot be sent, no reading waits for the answer.
    answered.catch(() => {});
    try {
      await this.#ask(listRequest(id, cursor, call), context);
      const { result } = await answered;
      if (isJsonObject(result)) return result;
      throw new Error("the server does not list its tools");
    } finally {
      this.#requests.delete(id);
    }
  }
}

function readEntries(
  entries: readonly unknown[],
): Omit<ListedTools, "expiresAt"> {
  const tools: ToolLike[] = [];
  const withoutSchema = new Set<string>();
  for (const entry of entries) {
    if (!isNamed(entry)) continue;
    const { name, inputSchema: schema } = entry;
    if (isJsonObject(schema)) tools.push({ ...entry, schema });
    else withoutSchema.add(name);
  }
  return { tools, withoutSchema };
}

function isDue(
  progress: Progress,
): progress is Exclude<Progress, { readonly kind: "waiting" }> {
  return (
    progress.kind !== "waiting" && performance.now() >= progress.askAgainAt
  );
}

function missing(why: string): Progress {
  return {
    kind: "missing",
    why,
    askAgainAt: performance.now() + RETRY_AFTER_MS,
  };
}

function isNamed(
  entry: unknown,
): entry is { readonly name: string; readonly inputSchema?: unknown } {
  return isJsonObject(entry) && typeof entry.name === "string";
}
