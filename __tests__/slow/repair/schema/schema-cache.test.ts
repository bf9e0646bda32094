import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "@jest/globals";
import { repairToolInput } from "toolmend";
import { z } from "zod";
import { compileSchema } from "#src/repair/schema/compile-schema.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

const MAKERS: readonly [string, () => object][] = [
  [
    "JSON Schema",
    () => ({
      type: "object",
      properties: {
        count: { type: "integer" },
        tags: { type: "array", items: { type: "string" } },
      },
      required: ["count"],
    }),
  ],
  ["zod 4", () => z.object({ count: z.number().int(), tags: z.array(z.string()).optional() })],
];

const FRESH = 200;

/** Repairs with a new schema for each input, as a server does that lists its tools again. */
async function repairFresh(make: () => object): Promise<WeakRef<object>[]> {
  const refs: WeakRef<object>[] = [];
  for (let time = 0; time < FRESH; time++) {
    const schema = make();
    const raw = { count: "5", tag: "a", extra: time };
    await repairToolInput(raw, { name: "count", schema }, { level: "eager" });
    await repairToolInput("{'count': 'some'", { name: "count", schema }, { level: "eager" });
    refs.push(new WeakRef(schema));
  }
  return refs;
}

async function liveAfterCollecting(refs: readonly WeakRef<object>[]): Promise<number> {
  for (let time = 0; time < 3; time++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    collect();
  }
  return refs.filter((ref) => ref.deref() !== undefined).length;
}

describe.each(MAKERS)("the compiled form of a %s", (_, make) => {
  test("is made once for each schema object", () => {
    const schema = make();
    expect(compileSchema(schema)).toBe(compileSchema(schema));
    expect(compileSchema(make())).not.toBe(compileSchema(schema));
  });

  test("is garbage-collected with the schema: one made for each call is not kept", async () => {
    const live = await liveAfterCollecting(await repairFresh(make));
    expect(live).toBeLessThan(FRESH / 20);
  });
});
