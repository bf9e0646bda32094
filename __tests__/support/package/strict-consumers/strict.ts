// Compiled by scripts/test-package.mjs with every strict flag of TypeScript, including
// `exactOptionalPropertyTypes` and the declarations of libraries: an option may be `undefined`, and the API is
// used as in its docs.
import { fakeModel } from "@langchain/core/testing";
import { tool } from "@langchain/core/tools";
import {
  createFixerRegistry,
  type Fixer,
  type RepairOptions,
  repairToolCall,
  repairToolInput,
  type ToolLike,
  type WrapAgentExecutorOptions,
  type WrapToolOptions,
  wrapTool,
} from "toolmend";
import * as core from "toolmend/core";
import {
  type JsonlSinkOptions,
  jsonlSink,
  type OtelSinkOptions,
  otelSink,
} from "toolmend/evidence";
import type { McpOptions } from "toolmend/mcp";
import {
  type RepairMessageOptions,
  readToolCalls,
  repairToolCalls,
  settleToolCalls,
} from "toolmend/messages";
import { type ToolInputMiddlewareOptions, toolInputMiddleware } from "toolmend/middleware";
import type { RegisterOptions } from "toolmend/register";
import { z } from "zod";

type TakesUndefined<Options> = { [Name in keyof Options]-?: undefined } extends Options
  ? true
  : false;
type Expect<Truth extends true> = Truth;

type Primitive = string | number | boolean | undefined;
type RegistryOptions = NonNullable<Parameters<typeof createFixerRegistry>[1]>;
export type Cases = [
  Expect<TakesUndefined<RepairOptions>>,
  Expect<TakesUndefined<NonNullable<RepairOptions["limits"]>>>,
  Expect<TakesUndefined<core.RepairOptions>>,
  Expect<TakesUndefined<WrapToolOptions>>,
  Expect<TakesUndefined<WrapAgentExecutorOptions>>,
  Expect<TakesUndefined<ToolInputMiddlewareOptions>>,
  Expect<TakesUndefined<RepairMessageOptions>>,
  Expect<TakesUndefined<Exclude<ToolInputMiddlewareOptions["selfCorrect"], Primitive>>>,
  Expect<TakesUndefined<RegisterOptions>>,
  Expect<TakesUndefined<RegistryOptions>>,
  Expect<TakesUndefined<Omit<ReturnType<core.FixerRegistry["forTool"]>, "fixers">>>,
  Expect<TakesUndefined<NonNullable<RepairOptions["edits"]>>>,
  Expect<TakesUndefined<Exclude<WrapToolOptions["trace"], Primitive>>>,
  Expect<TakesUndefined<JsonlSinkOptions>>,
  Expect<TakesUndefined<McpOptions>>,
  Expect<TakesUndefined<NonNullable<McpOptions["origin"]>>>,
  Expect<TakesUndefined<OtelSinkOptions>>,
  Expect<TakesUndefined<Omit<ToolLike, "name" | "schema">>>,
];

const click = tool(async ({ selector }) => `clicked ${selector}`, {
  name: "click",
  description: "Clicks.",
  schema: z.object({ selector: z.string(), count: z.number().optional() }),
});

const fromElement: Fixer = (input) => {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return undefined;
  // biome-ignore lint/complexity/useLiteralKeys: noPropertyAccessFromIndexSignature requires it
  const element = input["element"];
  return typeof element === "string" ? { selector: element } : undefined;
};

/** A setting that an application reads may be absent. */
function settings(): { level?: "eager"; timeoutMs: number | undefined } {
  return { timeoutMs: undefined };
}

async function main(): Promise<void> {
  const { level, timeoutMs } = settings();
  const fixers = createFixerRegistry([click], { level, edits: { "correct-key": undefined } });
  fixers.register("click", { level: undefined, undeclaredKeys: undefined }, fromElement);
  const options = { fixers, level, limits: { timeoutMs }, onToolCall: undefined };
  const result = await repairToolInput({ element: "#buy" }, click, options);
  if (!result.ok) throw result.error;
  const { selector, count }: { selector: string; count?: number | undefined } = result.toolInput;
  if (selector !== "#buy" || count !== undefined) throw new Error(`repaired to ${selector}`);

  const call = await repairToolCall({ name: "click", args: "{}", id: undefined }, [click], options);
  if (call.ok || call.error.issues[0]?.path !== "/selector") throw new Error("it was not refused");

  const wrapped = wrapTool(click, { ...options, onUnfixable: undefined, onToolCall: [otelSink()] });
  const input = { element: "#buy" } as unknown as { selector: string };
  if ((await wrapped.invoke(input)) !== "clicked #buy") throw new Error("it was not run");
  const { limits: _, ...ofAgent } = options;
  toolInputMiddleware({ ...ofAgent, tools: undefined, selfCorrect: undefined, trace: undefined });

  const model = fakeModel().respondWithTools([{ name: "click", args: { element: "#buy" } }]);
  const chain = model.pipe(repairToolCalls([click], { fixers, onUnfixable: undefined }));
  const [made] = (await chain.invoke("Buy.")).tool_calls ?? [];
  // biome-ignore lint/complexity/useLiteralKeys: noPropertyAccessFromIndexSignature requires it
  if (made?.args["selector"] !== "#buy") throw new Error("no chain");
  for (const used of [readToolCalls, settleToolCalls, jsonlSink, core.repairToolInput]) {
    if (typeof used !== "function") throw new Error("an entry lacks a function");
  }
}

void main();
