// toolmend/core in any runtime: one call repaired by a fixer, one by syntax, one rejected.
import { createFixerRegistry, repairToolInput } from "toolmend/core";
import { renameKey } from "toolmend/fixers";
import { z } from "zod";

export async function core() {
  const byZod = { name: "click", schema: z.object({ selector: z.string() }) };
  const byJsonSchema = {
    name: "search",
    schema: {
      type: "object",
      properties: { query: { type: "string" }, limit: { type: "integer" } },
      required: ["query"],
    },
  };
  const fixers = createFixerRegistry([byZod]);
  fixers.register("click", renameKey("element", "selector"));
  const results = [
    await repairToolInput('{"element": "#buy"}', byZod, { fixers }),
    await repairToolInput("{'query': 'shoes', 'limit': '5',}", byJsonSchema),
    await repairToolInput('{"query": "sho', byJsonSchema),
  ];
  return results.map(({ ok, toolInput, error }) => (ok ? toolInput : error.reason));
}
