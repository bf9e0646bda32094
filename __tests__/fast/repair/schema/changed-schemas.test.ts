import { describe, expect, jest, test } from "@jest/globals";
import { tool } from "@langchain/core/tools";
import { createFixerRegistry, repairToolInput, wrapTool } from "toolmend";

/** A tool whose choices are filled in later, as in an application that loads them. */
function makeTool() {
  const schema = {
    type: "object" as const,
    properties: { room: { type: "string", enum: ["red"] }, hours: { type: "integer" } },
    required: ["room"],
  };
  const run = jest.fn(() => "booked");
  return { schema, run, book: tool(run, { name: "book", schema }) };
}

describe("a schema that is changed in place", () => {
  test("applies at once: a value that it no longer accepts does not run", async () => {
    const { schema, run, book } = makeTool();
    const wrapped = wrapTool(book);
    expect(await wrapped.invoke({ room: "red" })).toBe("booked");
    schema.properties.room.enum[0] = "blue";
    await expect(wrapped.invoke({ room: "red" })).rejects.toMatchObject({ name: "ToolInputError" });
    expect(await wrapped.invoke({ room: "blue" })).toBe("booked");
    expect(run).toHaveBeenCalledTimes(2);
  });

  test.each<[string, (schema: ReturnType<typeof makeTool>["schema"]) => void]>([
    ["a choice more", ({ properties }) => properties.room.enum.push("blue")],
    ["another list", ({ properties }) => Object.assign(properties.room, { enum: ["blue"] })],
    ["a keyword less", ({ properties }) => Reflect.deleteProperty(properties.room, "enum")],
    ["a keyword for another", ({ properties }) => Object.assign(properties, { room: {} })],
  ])("is used for the next repair: %s", async (_, change) => {
    const { schema, book } = makeTool();
    expect(await repairToolInput({ room: "blue", hours: "2" }, book)).toMatchObject({ ok: false });
    change(schema);
    expect(await repairToolInput({ room: "blue", hours: "2" }, book)).toMatchObject({
      ok: true,
      toolInput: { room: "blue", hours: 2 },
    });
  });

  test("with an added field no longer reports the field as unknown", async () => {
    const { schema, book } = makeTool();
    expect(await repairToolInput({ room: "red", seats: 2 }, book)).toMatchObject({
      undeclared: ["/seats"],
    });
    Object.assign(schema.properties, { seats: { type: "integer" } });
    expect(await repairToolInput({ room: "red", seats: 2 }, book)).toMatchObject({
      undeclared: [],
      repairs: [],
    });
  });
});

describe("a schema that cannot be cloned", () => {
  const content = {
    type: "object",
    properties: { room: { type: "string", default: () => "red" }, hours: { type: "integer" } },
    required: ["hours"],
    additionalProperties: false,
  };
  const deep = (value: object): object =>
    new Proxy(value, {
      get: (target, key) => {
        const found: unknown = Reflect.get(target, key);
        const isRead = typeof found === "object" && found !== null;
        return isRead && Object.isExtensible(found) ? deep(found) : found;
      },
    });

  test.each<[string, object]>([
    ["a function in it", content],
    [
      "a store's proxy",
      deep(structuredClone({ ...content, properties: { hours: { type: "integer" } } })),
    ],
  ])("for %s validates and repairs", async (_, schema) => {
    const book = { name: "book", schema };
    const fixers = createFixerRegistry();
    const seen: unknown[] = [];
    fixers.register("book", (value, { jsonSchema }) => {
      seen.push(jsonSchema);
      return { hours: (value as { time: number }).time };
    });
    expect(await repairToolInput({ hours: 2 }, book)).toMatchObject({ ok: true, repairs: [] });
    expect(await repairToolInput({ hours: "2" }, book)).toMatchObject({ toolInput: { hours: 2 } });
    expect(await repairToolInput({ time: 2 }, book, { fixers })).toMatchObject({
      toolInput: { hours: 2 },
    });
    expect(seen).toMatchObject([{ type: "object" }]);
    expect(await repairToolInput({ hours: "long" }, book)).toMatchObject({ ok: false });
  });

  test("because it is circular rejects each call", async () => {
    const schema: Record<string, unknown> = { type: "object", properties: {} };
    Object.assign(schema.properties as object, { child: schema });
    for (let time = 0; time < 2; time++) {
      const result = await repairToolInput({ child: {} }, { name: "tree", schema });
      expect(result).toMatchObject({ ok: false, error: { reason: "schema_threw" } });
    }
  });
});
