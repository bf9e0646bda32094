import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { connect, ROLL, rolling, settle, type Wired } from "../../support/mcp/connection.ts";

const CHANGED = { method: "notifications/tools/list_changed" };

/** What every request of MCP 2026-07-28 says of its client. */
const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "host", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** A call of MCP 2026-07-28. */
function modernCall(args: unknown): Wired {
  const _meta = { ...ENVELOPE, progressToken: 7 };
  return { id: 1, method: "tools/call", params: { name: "roll", arguments: args, _meta } };
}

afterEach(() => void jest.useRealTimers());

describe.each(["server", "client"] as const)("the list of tools, at a %s", (side) => {
  test("is asked for in the protocol version of the call, without its progress token", async () => {
    const { fromClient, listRequests } = connect(side);
    void fromClient(modernCall({ count: "5" }));
    await settle();
    expect(listRequests.map(({ params }) => params)).toEqual([{ _meta: ENVELOPE }]);
  });

  test("a rejection says that it is complete, as MCP 2026-07-28 wants, and only there", async () => {
    const { fromClient, atClient } = connect(side, { rejections: "toolmend" });
    void fromClient(modernCall({ count: "five" }));
    void fromClient(rolling({ count: "five" }, 2));
    await settle();
    const types = atClient.map((answer) => (answer as Wired).result?.resultType);
    expect(types).toEqual(["complete", undefined]);
  });

  test.each([
    ["empty", () => ""],
    ["the same again", () => "again"],
  ])("ends at a cursor that is %s, and repairs", async (_, cursorOf) => {
    const { fromClient, atServer, listRequests } = connect(side, {}, ({ id }, send) =>
      send({ id, result: { tools: [ROLL], nextCursor: cursorOf() } }),
    );
    for (const id of [1, 2]) void fromClient(rolling({ count: "5" }, id));
    await settle();
    expect(atServer).toEqual([1, 2].map((id) => rolling({ count: 5 }, id)));
    expect(listRequests.length).toBeLessThanOrEqual(2);
  });

  test("has 1,000 pages at most, which are used", async () => {
    let pages = 0;
    const { fromClient, atServer } = connect(side, {}, ({ id }, send) => {
      pages += 1;
      send({ id, result: { tools: pages === 1 ? [ROLL] : [], nextCursor: String(pages) } });
    });
    void fromClient(rolling({ count: "5" }));
    while (atServer.length === 0) await settle();
    void fromClient(rolling({ count: "6" }, 2));
    await settle();
    expect(atServer).toEqual([rolling({ count: 5 }), rolling({ count: 6 }, 2)]);
    expect(pages).toBe(1_000);
  });

  test("is used though the server changes it before each answer", async () => {
    const { fromClient, fromServer, atServer, listRequests } = connect(
      side,
      { listTimeoutMs: 60_000 },
      ({ id }, send) => {
        setImmediate(() => {
          void fromServer(CHANGED);
          send({ id, result: { tools: [ROLL] } });
        });
      },
    );
    void fromClient(rolling({ count: "5" }));
    for (let turn = 0; turn < 4; turn++) await settle();
    expect(atServer).toEqual([rolling({ count: 5 })]);
    expect(listRequests).toHaveLength(4);
  });

  test("holds a call once for listTimeoutMs, though it changes meanwhile", async () => {
    const { fromClient, fromServer, atServer } = connect(side, { listTimeoutMs: 60 }, () => {});
    const call = rolling({ count: "5" });
    void fromClient(call);
    const changes = setInterval(() => void fromServer(CHANGED), 20);
    while (atServer.length === 0) await settle();
    clearInterval(changes);
    expect(atServer[0]).toBe(call);
  });

  test.each([
    ["is lost", undefined],
    ["is an error", { error: { code: -32603, message: "not yet" } }],
  ])(
    "is asked for again ten seconds after an answer that %s, and holds no call",
    async (_, answer) => {
      jest.useFakeTimers({ doNotFake: ["setImmediate", "nextTick", "queueMicrotask"] });
      const { fromClient, atServer, listRequests } = connect(
        side,
        { listTimeoutMs: 30 },
        ({ id }, send) => {
          if (listRequests.length > 1) send({ id, result: { tools: [ROLL] } });
          else if (answer !== undefined) send({ id, ...answer });
        },
      );
      void fromClient(rolling({ count: "1" }, 1));
      await settle();
      jest.advanceTimersByTime(31);
      await settle();
      void fromClient(rolling({ count: "2" }, 2));
      await settle();
      expect(listRequests).toHaveLength(1);
      jest.advanceTimersByTime(10_000);
      void fromClient(rolling({ count: "3" }, 3));
      await settle();
      void fromClient(rolling({ count: "4" }, 4));
      await settle();
      expect(listRequests).toHaveLength(2);
      expect(atServer).toEqual([
        rolling({ count: "1" }, 1),
        rolling({ count: "2" }, 2),
        rolling({ count: "3" }, 3),
        rolling({ count: 4 }, 4),
      ]);
    },
  );

  test("with a time to live is read again after it, and after a minute at the earliest", async () => {
    jest.useFakeTimers({ doNotFake: ["setImmediate", "nextTick", "queueMicrotask"] });
    const { fromClient, atServer, listRequests } = connect(side, {}, ({ id }, send) =>
      send({ id, result: { tools: [ROLL], ttlMs: 0 } }),
    );
    for (const id of [1, 2, 3]) {
      void fromClient(rolling({ count: "5" }, id));
      await settle();
      jest.advanceTimersByTime(40_000);
    }
    expect(listRequests).toHaveLength(2);
    expect(atServer).toEqual([1, 2, 3].map((id) => rolling({ count: 5 }, id)));
  });

  test("a second answer to its request ends here, too", async () => {
    const { fromClient, atClient, atServer } = connect(side, {}, ({ id }, send) => {
      send({ id, result: { tools: [ROLL] } });
      send({ id, result: { tools: [] } });
    });
    void fromClient(rolling({ count: "5" }));
    await settle();
    expect(atClient).toEqual([]);
    expect(atServer).toEqual([rolling({ count: 5 })]);
  });
});

describe.each(["server", "client"] as const)("the end of the connection, at a %s", (side) => {
  test.each(["close", "drop"] as const)(
    "%s: a call that is held reaches no server",
    async (end) => {
      let answerList = () => {};
      const connection = connect(side, { listTimeoutMs: 30 }, ({ id }, send) => {
        answerList = () => send({ id, result: { tools: [ROLL] } });
      });
      const { fromClient, atServer, errors } = connection;
      let isPending = true;
      // Two of one id, too.
      const calls = [1, 2, 2].map((id) => fromClient(rolling({ count: "5" }, id)));
      void Promise.all(calls).then(() => {
        isPending = false;
      });
      await settle();
      await connection[end]();
      answerList();
      await new Promise((resolve) => setTimeout(resolve, 60));
      expect([atServer, errors, isPending]).toEqual([[], [], false]);
    },
  );

  test("leaves no timer behind that keeps the process", async () => {
    const timers = () =>
      process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const before = timers();
    const { fromClient, close } = connect(side, {}, () => {});
    void fromClient(rolling({ count: "5" }));
    await settle();
    expect(timers()).toBe(before + 1);
    await close();
    await settle();
    expect(timers()).toBe(before);
  });

  test("forgets the list: the next connection may have another", async () => {
    const { fromClient, atServer, close, listRequests } = connect(side, {}, ({ id }, send) => {
      const tools = listRequests.length === 1 ? [ROLL] : [];
      send({ id, result: { tools } });
    });
    void fromClient(rolling({ count: "5" }, 1));
    await settle();
    await close();
    void fromClient(rolling({ count: "5" }, 2));
    await settle();
    expect(atServer).toEqual([rolling({ count: 5 }, 1), rolling({ count: "5" }, 2)]);
  });
});
