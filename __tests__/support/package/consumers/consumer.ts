// Compiled by scripts/test-package.mjs against the packed tarball, as ESM and as CommonJS.
import { tool } from "@langchain/core/tools";
import {
  createFixerRegistry,
  isToolInputParsingException,
  repairToolInput,
  ToolInputError,
  ToolInputParsingException,
  wrapTool,
} from "toolmend";
import { renameKey } from "toolmend/fixers";
import { z } from "zod";

const click = tool(async ({ selector }) => `clicked ${selector}`, {
  name: "click",
  description: "Clicks an element.",
  schema: z.object({ selector: z.string() }),
});

export async function main(): Promise<void> {
  const fixers = createFixerRegistry([click]);
  fixers.register("click", renameKey("element", "selector"));
  // @ts-expect-error there is no such tool
  const typo = (): unknown => fixers.register("clik", renameKey("element", "selector"));
  let refusal: unknown;
  try {
    typo();
  } catch (error) {
    refusal = error;
  }
  if (!(refusal instanceof TypeError)) throw new Error("an unknown name was registered");

  const result = await repairToolInput({ element: "#buy" }, click, { fixers });
  if (!result.ok) throw result.error;
  const selector: string = result.toolInput.selector;
  if (selector !== "#buy") throw new Error(`repaired to ${selector}`);

  const input = { element: "#buy" } as unknown as { selector: string };
  const output: unknown = await wrapTool(click, { fixers }).invoke(input);
  if (output !== "clicked #buy") throw new Error(`ran as ${String(output)}`);

  const thrown: unknown = await wrapTool(click)
    .invoke({} as { selector: string })
    .catch((error: unknown) => error);
  if (!(thrown instanceof ToolInputError)) throw new Error("no ToolInputError");
  if (!(thrown instanceof ToolInputParsingException)) throw new Error("not LangChain's exception");
  if (!isToolInputParsingException(thrown)) throw new Error("not recognised");
}

void main();
