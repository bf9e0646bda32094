import { describe, expect, jest, test } from "@jest/globals";
import type { InputEvent } from "toolmend/core";
import { renameKey } from "toolmend/fixers";
import { type McpOptions, repairCalls } from "toolmend/mcp";
import { connect, ROLL, rolling, settle, type Wired } from "../../support/mcp/connection.ts";

const SIDES = ["server", "client"] as const;

/** A schema of JSON Schema that refers to another one, which is not there. */
const UNREADABLE = { type: "object", properties: { count: { $ref: "https://example.com/count" } } };

/** Options whose listener keeps what it gets. */
function listening(options: McpOptions = {}) {
  const events: InputEvent[] = [];
  return {
    events,
    options: { ...options, onToolCall: (event: InputEvent) => void events.push(event) },
  };
}

describe.each(SIDES)("at a %s", (side) => {
  test("a valid call passes by reference, and so does what comes with it", async () => {
    const { fromClient, atServer } = connect(side);
    const call = rolling({ count: 5, sides: [6] });
    void fromClient(call);
    await settle();
    expect(atServer).toHaveLength(1);
    expect(atServer[0]).toBe(call);
  });

  test.each([
    ["numbers and lists as text", { count: "5", sides: "[6, 8]" }, { count: 5, sides: [6, 8] }],
    ["a key in another spelling", { Count: 5 }, { count: 5 }],
    ["null for an optional field", { count: 5, sides: null }, { count: 5 }],
    ["all arguments as text", '{"count": 5}', { count: 5 }],
    ["all arguments under a key", { input: { count: 5 } }, { count: 5 }],
  ])("%s are repaired", async (_, args, repaired) => {
    const { fromClient, atServer } = connect(side);
    const call = rolling(args, "a");
    void fromClient(call);
    await settle();
    expect(atServer).toEqual([rolling(repaired, "a")]);
    expect(call).toEqual(rolling(args, "a"));
  });

  test("the other parameters of a repaired call stay", async () => {
    const { fromClient, atServer } = connect(side);
    const _meta = { progressToken: 7 };
    const params = { name: "Roll", arguments: { count: "5" }, _meta };
    void fromClient({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    await settle();
    const repaired = { name: "roll", arguments: { count: 5 }, _meta };
    expect(atServer).toEqual([{ jsonrpc: "2.0", id: 1, method: "tools/call", params: repaired }]);
  });

  test("fixers repair, by the names of tools", async () => {
    const fixers = { roll: [renameKey("dice", "count")] };
    const { fromClient, atServer } = connect(side, { fixers });
    void fromClient(rolling({ dice: 5 }));
    await settle();
    expect(atServer).toEqual([rolling({ count: 5 })]);
  });

  test("the list is asked for once, by pages, and again after it changed", async () => {
    const pages: Wired["params"][] = [];
    const { fromClient, fromServer, atServer, atClient } = connect(
      side,
      {},
      ({ id, params }, send) => {
        pages.push(params);
        const isFirst = params?.cursor === undefined;
        const tools = isFirst ? [{ ...ROLL, name: "first" }] : [ROLL];
        send({ id, result: isFirst ? { tools, nextCursor: "2" } : { tools } });
      },
    );
    for (const id of [1, 2, 3]) void fromClient(rolling({ count: "5" }, id));
    await settle();
    expect(pages).toEqual([{}, { cursor: "2" }]);
    const changed = { method: "notifications/tools/list_changed" };
    void fromServer(changed);
    void fromClient(rolling({ count: "5" }, 4));
    await settle();
    expect(pages).toEqual([{}, { cursor: "2" }, {}, { cursor: "2" }]);
    expect(atServer).toEqual([1, 2, 3, 4].map((id) => rolling({ count: 5 }, id)));
    expect(atClient).toEqual([changed]);
  });

  test("a call that waits while the list changes is repaired by the new one", async () => {
    const answers: (() => void)[] = [];
    const lists = [{ ...ROLL, inputSchema: { type: "object" } }, ROLL];
    const { fromClient, fromServer, atServer } = connect(side, {}, ({ id }, send) => {
      const tools = [lists[answers.length]];
      answers.push(() => send({ id, result: { tools } }));
    });
    void fromClient(rolling({ count: "5" }));
    await settle();
    void fromServer({ method: "notifications/tools/list_changed" });
    answers[0]?.();
    await settle();
    expect(atServer).toEqual([]);
    answers[1]?.();
    await settle();
    expect(atServer).toEqual([rolling({ count: 5 })]);
  });

  test("a list that does not come holds calls for a time, is reported, and is used when it comes", async () => {
    const { events, options } = listening({ listTimeoutMs: 30 });
    let answerLate = () => {};
    const { fromClient, atServer } = connect(side, options, ({ id }, send) => {
      answerLate = () => send({ id, result: { tools: [ROLL] } });
    });
    const faulty = rolling({ count: "5" });
    const started = performance.now();
    await fromClient(faulty);
    while (atServer.length === 0) await settle();
    expect(performance.now() - started).toBeGreaterThanOrEqual(25);
    expect(atServer[0]).toBe(faulty);
    const message = expect.stringContaining("did not list its tools within 30 ms");
    expect(events).toMatchObject([{ outcome: "passed", seam: "mcp", issues: [{ message }] }]);
    // No other call waits for it.
    void fromClient(rolling({ count: "6" }, 2));
    await settle();
    expect(atServer).toHaveLength(2);
    answerLate();
    await settle();
    void fromClient(rolling({ count: "7" }, 3));
    await settle();
    expect(atServer[2]).toEqual(rolling({ count: 7 }, 3));
    expect(events.map(({ outcome }) => outcome)).toEqual(["passed", "passed", "repaired"]);
  });

  test.each([
    ["an error", { error: { code: -32601, message: "Method not found" } }],
    ["a result of another kind", { result: null }],
  ])("a server that answers with %s gets its calls unchanged", async (_, answer) => {
    const { events, options } = listening();
    const { fromClient, atServer } = connect(side, options, ({ id }, send) =>
      send({ id, ...answer }),
    );
    const call = rolling({ count: "5" });
    await fromClient(call);
    while (atServer.length === 0) await settle();
    expect(atServer[0]).toBe(call);
    expect(events).toMatchObject([{ outcome: "passed", rawToolInput: { count: "5" } }]);
  });

  test.each([
    ["entries that are no tools", [null, 5, { name: 5 }, { name: "x" }, { inputSchema: {} }, ROLL]],
    [
      "10,000 tools",
      [...Array.from({ length: 10_000 }, (_, n) => ({ ...ROLL, name: `t${n}` })), ROLL],
    ],
    ["the same name twice", [ROLL, { ...ROLL, inputSchema: { type: "object" } }]],
  ])("a list with %s is read", async (_, tools) => {
    const { fromClient, atServer } = connect(side, {}, ({ id }, send) =>
      send({ id, result: { tools } }),
    );
    void fromClient(rolling({ count: "5" }));
    await settle();
    expect(atServer).toEqual([rolling({ count: 5 })]);
  });

  test.each<[name: string, tools: readonly object[], why: string]>([
    [
      "whose schema is none",
      [{ name: "roll", inputSchema: { count: { type: "integer" } } }],
      "has no keyword of JSON Schema",
    ],
    [
      "that is listed without a schema",
      [{ name: "roll" }, { ...ROLL, name: "Roll" }],
      "the server lists no schema for it",
    ],
  ])("a tool %s is called unchanged, and reported as not checked", async (_, tools, why) => {
    const { events, options } = listening();
    const { fromClient, atServer } = connect(side, options, ({ id }, send) =>
      send({ id, result: { tools } }),
    );
    const call = rolling({ count: "5" });
    void fromClient(call);
    await settle();
    expect(atServer[0]).toBe(call);
    const message = expect.stringContaining(why);
    expect(events).toMatchObject([
      { outcome: "passed", isOffered: true, issues: [{ code: "not_checked", message }] },
    ]);
  });

  test("a client that answers the list itself changes nothing", async () => {
    const { fromClient, atServer, listRequests } = connect(side, { listTimeoutMs: 200 }, () => {});
    void fromClient(rolling({ count: "5" }));
    await settle();
    const ids = ["toolmend-1", 1, listRequests[0]?.id ?? ""];
    const forged = ids.map((id) => ({
      id,
      result: { tools: [{ name: "roll", inputSchema: {} }] },
    }));
    for (const answer of forged) void fromClient(answer);
    await settle();
    expect(atServer).toEqual(forged);
    expect(new Set(listRequests.map(({ id }) => id)).size).toBe(1);
    expect(String(listRequests[0]?.id)).toMatch(/^toolmend-[0-9a-f-]{36}-1$/);
  });

  test("a cancelled call that the server has not seen ends here; another one is cancelled there", async () => {
    const { events, options } = listening();
    let answerList = () => {};
    const { fromClient, atServer } = connect(side, options, ({ id }, send) => {
      answerList = () => send({ id, result: { tools: [ROLL] } });
    });
    const cancel = (requestId: number) => ({
      method: "notifications/cancelled",
      params: { requestId },
    });
    void fromClient(rolling({ count: "5" }, 1));
    void fromClient(rolling({ count: "6" }, 2));
    await settle();
    void fromClient(cancel(1));
    answerList();
    await settle();
    void fromClient(cancel(2));
    await settle();
    expect(atServer).toEqual([rolling({ count: 6 }, 2), cancel(2)]);
    expect(events).toMatchObject([{ callId: "2" }]);
  });

  test("two calls with one id both go on", async () => {
    const { fromClient, atServer } = connect(side);
    void fromClient(rolling({ count: "5" }));
    void fromClient(rolling({ count: "6" }));
    await settle();
    expect(atServer).toEqual([rolling({ count: 5 }), rolling({ count: 6 })]);
  });

  test('the ids 1 and "1" are two calls', async () => {
    const { fromClient, fromServer, atClient } = connect(side, { rejections: "server" });
    void fromClient(rolling({ count: "five" }, 1));
    void fromClient(rolling({ count: 5 }, "1"));
    await settle();
    const failed = { content: [], isError: true };
    void fromServer({ id: "1", result: failed });
    void fromServer({ id: 1, result: failed });
    await settle();
    expect(atClient[0]).toEqual({ id: "1", result: failed });
    expect(atClient[1]).toMatchObject({ id: 1, result: { content: [{ type: "text" }] } });
  });

  test("other messages pass at once, while a call waits for the list", async () => {
    const { fromClient, fromServer, atServer, atClient } = connect(
      side,
      { listTimeoutMs: 200 },
      () => {},
    );
    void fromClient(rolling({ count: "5" }));
    const others = [
      { id: 8, method: "tools/list", params: {} },
      { method: "notifications/initialized" },
      { id: 9, method: "sampling/createMessage", params: {} },
      { id: 10, method: "tools/call" },
      { id: 11, method: "tools/call", params: { name: 5 } },
      { method: "tools/call", params: { name: "roll", arguments: { count: "5" } } },
      { id: 12, result: {} },
      { id: null, error: { code: -32700, message: "Parse error" } },
      [rolling({ count: "5" }), { method: "notifications/initialized" }],
      {},
    ];
    for (const message of others) {
      void fromClient(message);
      void fromServer(message);
    }
    await settle();
    expect(atServer).toEqual(others);
    expect(atClient).toEqual(others);
    for (const [at, message] of others.entries()) {
      expect(atServer[at]).toBe(message);
      expect(atClient[at]).toBe(message);
    }
  });

  test("names of an object's own properties are names like others", async () => {
    const names = ["__proto__", "constructor", "toString"];
    const tools = names.map((name) => ({ ...ROLL, name }));
    const { fromClient, atServer } = connect(side, {}, ({ id }, send) =>
      send({ id, result: { tools } }),
    );
    for (const name of names) {
      void fromClient({
        id: name,
        method: "tools/call",
        params: { name, arguments: { count: "5" } },
      });
    }
    await settle();
    const called = atServer.map((message) => (message as Wired).params);
    expect(called).toEqual(names.map((name) => ({ name, arguments: { count: 5 } })));
  });

  test("a key __proto__ in the arguments reaches no prototype", async () => {
    const { fromClient, atServer } = connect(side, { rejections: "server" });
    const call = rolling(JSON.parse('{"count": "5", "__proto__": {"polluted": true}}'));
    void fromClient(call);
    await settle();
    expect(atServer[0]).toBe(call);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test("answers in another order than the calls are those of their calls", async () => {
    const { fromClient, fromServer, atClient } = connect(side, { rejections: "server" });
    for (const id of [1, 2, 3]) void fromClient(rolling({ count: `no ${id}` }, id));
    await settle();
    for (const id of [3, 1, 2])
      void fromServer({ id, error: { code: -32602, message: "Invalid" } });
    await settle();
    const texts = atClient.map((message) => (message as Wired).error?.message);
    expect(texts).toEqual([
      expect.stringMatching(/^Invalid\n[\s\S]*"no 3"/),
      expect.stringMatching(/^Invalid\n[\s\S]*"no 1"/),
      expect.stringMatching(/^Invalid\n[\s\S]*"no 2"/),
    ]);
  });

  test.each([
    ["text", '{"count": 5, "__proto__": {"polluted": true}}'],
    ["an object", JSON.parse('{"count": "5", "__proto__": {"polluted": true}}')],
  ])("%s with a key __proto__ is not repaired", async (_, args) => {
    const { fromClient, atServer } = connect(side, { rejections: "server" });
    const call = rolling(args);
    void fromClient(call);
    await settle();
    expect(atServer[0]).toBe(call);
  });

  test("each call is reported once, as what became of it", async () => {
    const { events, options } = listening({ origin: { model: "m" } });
    const { fromClient } = connect(side, options);
    const inputs = [{ count: 5 }, { count: "5" }, { count: "five" }];
    for (const [id, args] of inputs.entries()) void fromClient(rolling(args, id));
    void fromClient({ id: 9, method: "tools/call", params: { name: "fly", arguments: {} } });
    await settle();
    const rejected = side === "server" ? "refused" : "passed";
    expect(events).toMatchObject([
      { callId: "0", outcome: "valid", seam: "mcp", model: "m" },
      { callId: "1", outcome: "repaired" },
      { callId: "2", outcome: rejected },
      { callId: "9", outcome: "passed", isOffered: false },
    ]);
  });

  test("a call that corrects a rejected one of its connection is reported as its correction", async () => {
    const { events, options } = listening();
    const { fromClient, close } = connect(side, options);
    const say = async (args: object, id: number) => {
      void fromClient(rolling(args, id));
      await settle();
    };
    await say({ times: 5 }, 1);
    await say({ count: 7 }, 2);
    await say({ count: 5 }, 3);
    await say({ count: 5 }, 4);
    const corrections = events.filter((event) => event.kind === "correction");
    expect(corrections).toMatchObject([
      { source: "later-call", seam: "mcp", of: "1", by: "3", rawToolInput: { times: 5 } },
    ]);
    expect(new Set(events.map(({ threadId }) => threadId)).size).toBe(1);

    await say({ times: 6 }, 5);
    await close();
    await say({ count: 6 }, 6);
    expect(events.filter(({ kind }) => kind === "correction")).toHaveLength(1);
    expect(new Set(events.map(({ threadId }) => threadId)).size).toBe(2);
  });

  test("a call that comes beside a rejected one corrects nothing", async () => {
    const { events, options } = listening();
    const { fromClient } = connect(side, options);
    void fromClient(rolling({ times: 5 }, 1));
    void fromClient(rolling({ count: 5 }, 2));
    await settle();
    expect(events.map(({ kind }) => kind)).toEqual(["call", "call"]);
  });

  test("an input that is too long to be kept is not compared", async () => {
    const { events, options } = listening();
    const { fromClient } = connect(side, options);
    for (const [id, args] of [{ text: "5 ".repeat(11_000) }, { count: 5 }].entries()) {
      void fromClient(rolling(args, id));
      await settle();
    }
    expect(events.map(({ kind }) => kind)).toEqual(["call", "call"]);
  });

  test('undeclaredKeys: "refuse" rejects a key that the server would ignore, whoever else rejects', async () => {
    const { events, options } = listening({ rejections: "server", undeclaredKeys: "refuse" });
    const { fromClient, atServer, atClient } = connect(side, options);
    void fromClient(rolling({ count: 5, dry_run: true }));
    await settle();
    expect(atServer).toEqual([]);
    expect(JSON.stringify(atClient)).toContain("dry_run: is not a field of this tool");
    expect(events).toMatchObject([{ outcome: "refused" }]);
  });

  test("calls that come from the other side are warned of, once", async () => {
    const warn = jest.spyOn(process, "emitWarning").mockImplementation(() => {});
    try {
      const { fromServer, atClient } = connect(side);
      for (const id of [1, 2]) await fromServer(rolling({ count: "5" }, id));
      expect(atClient).toEqual([1, 2].map((id) => rolling({ count: "5" }, id)));
      expect(warn.mock.calls).toEqual([
        [expect.stringContaining("repairs no calls here"), { code: "TOOLMEND_MCP_SIDE" }],
      ]);
    } finally {
      warn.mockRestore();
    }
  });

  test("fixers for a tool that is misspelt are warned of, by the list", async () => {
    const warn = jest.spyOn(process, "emitWarning").mockImplementation(() => {});
    try {
      const { fromClient } = connect(side, { fixers: { rol: [renameKey("dice", "count")] } });
      void fromClient(rolling({ count: 5 }));
      await settle();
      expect(warn.mock.calls).toEqual([
        [expect.stringContaining('Did you mean "roll"?'), { code: "TOOLMEND_UNKNOWN_TOOL" }],
      ]);
    } finally {
      warn.mockRestore();
    }
  });

  test('level: "auto" goes by the annotations of the list', async () => {
    const typo = { cuont: 5 };
    const tools = [
      { ...ROLL, annotations: { readOnlyHint: true } },
      { ...ROLL, name: "pay", annotations: { readOnlyHint: false } },
    ];
    const { events, options } = listening({ level: "auto" });
    const { fromClient } = connect(side, options, ({ id }, send) =>
      send({ id, result: { tools } }),
    );
    void fromClient(rolling(typo));
    void fromClient({ id: 2, method: "tools/call", params: { name: "pay", arguments: typo } });
    await settle();
    expect(events).toMatchObject([
      { toolName: "roll", level: "eager", outcome: "repaired" },
      { toolName: "pay", level: "safe" },
    ]);
  });

  test("an answer in place of the server is an error of the tool, which the model reads", async () => {
    const { fromClient, atServer, atClient } = connect(side, { rejections: "toolmend" });
    void fromClient(rolling({ count: "five" }, "a"));
    await settle();
    expect(atServer).toEqual([]);
    const text = expect.stringMatching(
      /^The input of tool "roll" was not accepted.*\n- count: expected integer/,
    );
    const result = { content: [{ type: "text", text }], isError: true };
    expect(atClient).toEqual([{ jsonrpc: "2.0", id: "a", result }]);
  });

  test("calls of unlisted tools, and of tasks, are the server's to answer", async () => {
    const { fromClient, atServer, atClient } = connect(side, { rejections: "toolmend" });
    const unknown = { id: 1, method: "tools/call", params: { name: "fly", arguments: {} } };
    const params = { name: "roll", arguments: { count: "five" }, task: { ttl: 1 } };
    const task = { id: 2, method: "tools/call", params };
    void fromClient(unknown);
    void fromClient(task);
    await settle();
    expect(atServer).toEqual([unknown, task]);
    expect(atClient).toEqual([]);
  });

  test("the reason says nothing of whether the server ran the tool", async () => {
    const { fromClient, fromServer, atClient } = connect(side, { rejections: "server" });
    void fromClient(rolling({ count: "five" }));
    await settle();
    void fromServer({ id: 1, result: { content: [], isError: true } });
    await settle();
    const heading = "The input does not fit the schema that the server lists for the tool:";
    const text = `${heading}\n- count: expected integer, received "five"`;
    const result = { content: [{ type: "text", text }], isError: true };
    expect(atClient).toEqual([{ id: 1, result }]);
  });

  test("an error without a message gets the reason as its message", async () => {
    const { fromClient, fromServer, atClient } = connect(side, { rejections: "server" });
    void fromClient(rolling({ count: "five" }));
    await settle();
    void fromServer({ id: 1, error: { code: 1 } });
    await settle();
    const message = expect.stringMatching(/^The input does not fit/);
    expect(atClient).toEqual([{ id: 1, error: { code: 1, message } }]);
  });

  test.each([
    ["is not listed", [], "fly"],
    ["is listed without a schema", [{ name: "fly" }], "fly"],
    ["has a schema that cannot be read", [{ name: "fly", inputSchema: UNREADABLE }], "fly"],
  ])("no reason is added for a tool that %s", async (_, tools, name) => {
    const { fromClient, fromServer, atClient } = connect(
      side,
      { rejections: "server" },
      ({ id }, send) => send({ id, result: { tools } }),
    );
    const params = { name, arguments: { count: "five" } };
    void fromClient({ id: 1, method: "tools/call", params });
    await settle();
    const failed = { id: 1, result: { content: [], isError: true } };
    void fromServer(failed);
    await settle();
    expect(atClient[0]).toBe(failed);
  });

  test("a call whose schema cannot be read passes, and is reported as passed", async () => {
    const { events, options } = listening({ rejections: "toolmend" });
    const tools = [{ name: "roll", inputSchema: UNREADABLE }];
    const { fromClient, atServer, atClient } = connect(side, options, ({ id }, send) =>
      send({ id, result: { tools } }),
    );
    const call = rolling({ count: 5 });
    void fromClient(call);
    await settle();
    expect([atServer, atClient]).toEqual([[call], []]);
    expect(events).toMatchObject([{ outcome: "passed", issues: [{ code: "schema_threw" }] }]);
  });

  test("the reason of a call does not reach another call", async () => {
    const { fromClient, fromServer, atClient } = connect(side, { rejections: "server" });
    const failed = { id: 1, result: { content: [], isError: true } };
    void fromClient(rolling({ count: "five" }));
    await settle();
    // Its id is used again.
    void fromClient(rolling({ count: 5 }));
    await settle();
    void fromServer(failed);
    void fromClient(rolling({ count: "five" }));
    await settle();
    void fromClient({ method: "notifications/cancelled", params: { requestId: 1 } });
    void fromServer(failed);
    await settle();
    expect(atClient).toEqual([failed, failed]);
  });

  test("calls that are never answered do not keep others from their reason", async () => {
    const { fromClient, fromServer, atServer, atClient } = connect(side, { rejections: "server" });
    for (let id = 0; id < 1_000; id++) void fromClient(rolling({ count: "five" }, id));
    while (atServer.length < 1_000) await settle();
    void fromClient(rolling({ count: "five" }, 1_000));
    await settle();
    void fromServer({ id: 1_000, result: { content: [], isError: true } });
    await settle();
    expect(atClient).toMatchObject([{ id: 1_000, result: { content: [{ type: "text" }] } }]);
  });

  test("the reason is added to the server's own error, and to nothing else", async () => {
    const { fromClient, fromServer, atServer, atClient } = connect(side, { rejections: "server" });
    const calls = [1, 2].map((id) => rolling({ count: "five" }, id));
    for (const call of calls) void fromClient(call);
    await settle();
    expect(atServer).toEqual(calls);
    const own = { type: "text", text: "Invalid count" };
    const accepted = { id: 1, result: { content: [own] } };
    void fromServer(accepted);
    void fromServer({ id: 2, result: { content: [own], isError: true } });
    void fromServer({ id: 2, result: { content: [own], isError: true } });
    await settle();
    expect(atClient[0]).toBe(accepted);
    const reason = { type: "text", text: expect.stringContaining("expected integer") };
    expect(atClient[1]).toEqual({ id: 2, result: { content: [own, reason], isError: true } });
    expect(atClient[2]).toEqual({ id: 2, result: { content: [own], isError: true } });
  });
});

test("who answers what cannot be repaired is by default the wrapped server, or the server behind a client", async () => {
  const [atOwn, before] = [connect("server"), connect("client")];
  for (const { fromClient } of [atOwn, before]) void fromClient(rolling({ count: "five" }));
  await settle();
  expect([atOwn.atServer.length, atOwn.atClient.length]).toEqual([0, 1]);
  expect([before.atServer.length, before.atClient.length]).toEqual([1, 0]);
});

test("at a server, the list is asked for with what came with the call", async () => {
  const heard: unknown[] = [];
  const plain: {
    onmessage?: (message: unknown, extra?: unknown) => void;
    send: () => Promise<void>;
  } = {
    send: async () => {},
  };
  const repairing = repairCalls(plain, "server");
  repairing.onmessage = (_, extra) => void heard.push(extra);
  const extra = { authInfo: { token: "t" } };
  plain.onmessage?.(rolling({ count: 5 }), extra);
  await settle();
  expect(heard).toEqual([extra]);
});

test("at a client, a request for the list does not resume another request", async () => {
  const sent: unknown[] = [];
  const plain = { send: async (_: unknown, options?: unknown) => void sent.push(options) };
  void repairCalls(plain, "client").send(rolling({ count: 5 }), { resumptionToken: "7" });
  await settle();
  expect(sent).toEqual([undefined]);
});

describe("a transport", () => {
  test("keeps its other members, its private fields and its class", async () => {
    class Pipe {
      onmessage?: (message: unknown) => void;
      onclose?: () => void;
      readonly #name = "pipe";
      sessionId = "s";
      async send() {}
      async close() {
        this.onclose?.();
      }
      get name() {
        return this.#name;
      }
      describe() {
        return `${this.#name} of ${this.sessionId}`;
      }
    }
    const plain = new Pipe();
    const repairing = repairCalls(plain, "server");
    let closed = 0;
    const onclose = () => {
      closed += 1;
    };
    repairing.onclose = onclose;
    repairing.sessionId = "t";
    expect(repairing).toBeInstanceOf(Pipe);
    expect(repairing.describe()).toBe("pipe of t");
    expect(repairing.name).toBe("pipe");
    expect(repairing.onclose).toBe(onclose);
    const listener = () => {};
    repairing.onmessage = listener;
    expect(repairing.onmessage).toBe(listener);
    await repairing.close();
    expect(closed).toBe(1);
  });

  test("whose close an SDK replaces for a time closes once", async () => {
    let closed = 0;
    const plain = {
      send: async () => {},
      close: async () => {
        closed += 1;
      },
    };
    const repairing = repairCalls(plain, "client");
    const { close } = repairing;
    repairing.close = async () => close();
    await repairing.close();
    expect(closed).toBe(1);
  });

  test("that cannot send makes a call fail at a client, and reports it at a server", async () => {
    const broken = async (_message: unknown) => {
      throw new Error("closed");
    };
    const client = repairCalls({ send: broken }, "client");
    await expect(client.send({})).rejects.toThrow("closed");
    await expect(client.send(rolling({ count: 5 }))).rejects.toThrow("closed");
    const errors: Error[] = [];
    const plain = {
      send: broken,
      onerror: (error: Error) => void errors.push(error),
      onmessage: undefined as ((message: unknown) => void) | undefined,
    };
    const server = repairCalls(plain, "server");
    server.onmessage = (message) => {
      const { id, method } = message as Wired;
      if (method === "tools/list") void server.send({ id, result: { tools: [ROLL] } });
    };
    plain.onmessage?.(rolling({ count: "five" }));
    await settle();
    expect(errors.map(({ message }) => message)).toEqual(["closed"]);
  });
});

describe("wrong use", () => {
  const transport = { send: async () => {} };
  const wrong = repairCalls as (...given: unknown[]) => unknown;
  test.each([
    [["stdio", "server"], /The transport of repairCalls.* must be a transport, with a method send/],
    [[repairCalls(transport, "server"), "server"], /one that repairCalls returned: wrap it once/],
    [[transport, "sever"], /must be "server" or "client", not "sever". Did you mean "server"/],
    [[transport, "server", { rejection: "server" }], /no option "rejection" of repairCalls/],
    [
      [transport, "server", { listTimeoutMs: -1 }],
      /"listTimeoutMs" of repairCalls must be a number/,
    ],
    [[transport, "server", { onUnfixable: () => ({}) }], /no option "onUnfixable" of repairCalls/],
  ])("%j is a TypeError", (given, message) => {
    expect(() => wrong(...given)).toThrow(message);
    expect(() => wrong(...given)).toThrow(TypeError);
  });
});
