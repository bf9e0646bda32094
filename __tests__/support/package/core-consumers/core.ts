// Compiled by scripts/test-package.mjs where LangChain is not installed, as ESM and as CommonJS.
import {
  createFixerRegistry,
  isToolInputParsingException,
  readTextCalls,
  repairToolCall,
  repairToolInput,
  ToolInputError,
} from "toolmend/core";
import { renameKey } from "toolmend/fixers";
import { z } from "zod";

const click = { name: "click" as const, schema: z.object({ selector: z.string() }) };
const weigh = {
  name: "weigh",
  schema: { type: "object", properties: { grams: { type: "integer" } }, required: ["grams"] },
};

async function main(): Promise<void> {
  const fixers = createFixerRegistry([click]);
  fixers.register("click", renameKey("element", "selector"));
  // @ts-expect-error there is no such tool
  const typo = (): unknown => fixers.register("clik", renameKey("element", "selector"));
  if (typeof typo !== "function") throw new Error("never");

  const raw = { element: "#buy" };
  const clicked = await repairToolInput(raw, click, { fixers });
  if (!clicked.ok) throw clicked.error;
  const selector: string = clicked.toolInput.selector;
  if (selector !== "#buy") throw new Error("not repaired");

  const weighed = await repairToolCall({ name: "Weigh", args: "{'grams': '5',}" }, [weigh]);
  if (!weighed.ok) throw weighed.error;
  if (JSON.stringify(weighed.toolInput) !== '{"grams":5}') throw new Error("not repaired");

  const text = '<tool_call>{"name": "weigh", "arguments": {"grams": 5}}</tool_call>';
  if (readTextCalls(text, [weigh])?.calls[0]?.name !== "weigh") throw new Error("not read");

  const refused = await repairToolInput({ grams: "some" }, weigh);
  if (refused.ok) throw new Error("was not refused");
  const { error } = refused;
  if (!(error instanceof ToolInputError)) throw new Error("no ToolInputError");
  if (!isToolInputParsingException(error)) throw new Error("not recognised");
  if (!error.toModelMessage().includes("grams")) throw new Error("says nothing");
}

main().then(
  () => console.log("core: repairs without LangChain"),
  (error: unknown) => {
    console.error(error);
    throw error;
  },
);
