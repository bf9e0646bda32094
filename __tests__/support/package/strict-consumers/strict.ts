// Compiled by scripts/test-package.mjs with every strict flag of TypeScript, `exactOptionalPropertyTypes` and
// the declarations of libraries included: an option may be `undefined`, and the API is written as in its docs.
import { fakeModel } from "@langchain/core/testing";
import { tool } from "@langchain/core/tools";
import {
  type AgentSelfCorrectOptions,
  createFixerRegistry,
  type EditSwitches,
  type Fixer,
  type RepairOptions,
  repairToolCall,
  repairToolInput,
  type SelfCorrectOptions,
  type ToolLike,
  type ToolRepairPolicy,
  type TraceDetail,
  type WrapAgentExecutorOptions,
  type WrapToolOptions,
  wrapTool,
} from "toolmend";
import * as core from "toolmend/core";
import { type JsonlSinkOptions, jsonlSink } from "toolmend/evidence";
import {
  normalizeToolCalls,
  type RepairMessageOptions,
  repairAIMessage,
  type SettleOptions,
} from "toolmend/messages";
import { type ToolInputMiddlewareOptions, toolInputMiddleware } from "toolmend/middleware";
import { type OtelSinkOptions, otelSink } from "toolmend/otel";
import type { RegisterOptions } from "toolmend/register/api";
import { type ToolChainOptions, type ToolErrorsOptions, toolChain } from "toolmend/runnables";
import { z } from "zod";

type TakesUndefined<Options> = { [Name in keyof Options]-?: undefined } extends Options
  ? true
  : false;
type Expect<Truth extends true> = Truth;

type RegistryOptions = NonNullable<Parameters<typeof createFixerRegistry>[1]>;
export type Cases = [
  Expect<TakesUndefined<RepairOptions>>,
  Expect<TakesUndefined<NonNullable<RepairOptions["limits"]>>>,
  Expect<TakesUndefined<core.RepairOptions>>,
  Expect<TakesUndefined<WrapToolOptions>>,
  Expect<TakesUndefined<WrapAgentExecutorOptions>>,
  Expect<TakesUndefined<ToolInputMiddlewareOptions>>,
  Expect<TakesUndefined<RepairMessageOptions>>,
  Expect<TakesUndefined<SettleOptions>>,
  Expect<TakesUndefined<ToolChainOptions>>,
  Expect<TakesUndefined<ToolErrorsOptions>>,
  Expect<TakesUndefined<SelfCorrectOptions>>,
  Expect<TakesUndefined<AgentSelfCorrectOptions>>,
  Expect<TakesUndefined<RegisterOptions>>,
  Expect<TakesUndefined<RegistryOptions>>,
  Expect<TakesUndefined<ToolRepairPolicy>>,
  Expect<TakesUndefined<EditSwitches>>,
  Expect<TakesUndefined<TraceDetail>>,
  Expect<TakesUndefined<JsonlSinkOptions>>,
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
  // biome-ignore lint/complexity/useLiteralKeys: noPropertyAccessFromIndexSignature wants it
  const element = input["element"];
  return typeof element === "string" ? { selector: element } : undefined;
};

/** What an application reads from its settings may be there or not. */
function settings(): { level?: "eager"; timeoutMs: number | undefined } {
  return { timeoutMs: undefined };
}

async function main(): Promise<void> {
  const { level, timeoutMs } = settings();
  const fixers = createFixerRegistry([click], { level, edits: { "correct-key": undefined } });
  fixers.register("click", { level: undefined, undeclaredKeys: undefined }, fromElement);
  const options = { fixers, level, limits: { timeoutMs }, onRepair: undefined };
  const result = await repairToolInput({ element: "#buy" }, click, options);
  if (!result.ok) throw result.error;
  const { selector, count }: { selector: string; count?: number | undefined } = result.toolInput;
  if (selector !== "#buy" || count !== undefined) throw new Error(`repaired to ${selector}`);

  const call = await repairToolCall({ name: "click", args: "{}", id: undefined }, [click], options);
  if (call.ok || call.error.issues[0]?.path !== "/selector") throw new Error("it was not refused");

  const mended = wrapTool(click, { ...options, onUnfixable: undefined, evidence: [otelSink()] });
  const input = { element: "#buy" } as unknown as { selector: string };
  if ((await mended.invoke(input)) !== "clicked #buy") throw new Error("it was not run");
  toolInputMiddleware({ ...options, tools: undefined, selfCorrect: undefined, trace: undefined });

  const model = fakeModel().respondWithTools([{ name: "click", args: { element: "#buy" } }]);
  const [made] = await toolChain(model, [click], { fixers, selfCorrect: undefined }).invoke("Buy.");
  if (made?.ok !== true || made.toolInput.selector !== "#buy") throw new Error("no chain");
  for (const used of [normalizeToolCalls, repairAIMessage, jsonlSink, core.repairToolInput]) {
    if (typeof used !== "function") throw new Error("an entry lacks a function");
  }
}

void main();
