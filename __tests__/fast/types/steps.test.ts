import { expect, test } from "@jest/globals";
import type { AgentExecutor } from "@langchain/classic/agents";
import { DynamicTool, StructuredTool, Tool, tool } from "@langchain/core/tools";
import { z } from "zod";
import { wrapAgentExecutor } from "#src/langchain/executor/wrap-agent-executor.ts";
import { createFixerRegistry } from "#src/repair/fixers/registry.ts";
import { normalizeIntermediateSteps, type TypedAgentAction } from "#src/repair/steps.ts";
import type { JsonValue, ToolLike } from "#src/repair/types.ts";

type Equal<Left, Right> =
  (<T>() => T extends Left ? 1 : 2) extends <T>() => T extends Right ? 1 : 2 ? true : false;
type Expect<Verdict extends true> = Verdict;

const click = tool(async () => "", {
  name: "click",
  description: "",
  schema: z.object({ selector: z.string() }),
});
const wait = tool(async () => "", {
  name: "wait",
  description: "",
  schema: z.object({ ms: z.coerce.number().default(5) }),
});

const typeSchema = z.object({ selector: z.string(), text: z.string().optional() });
class TypeTool extends StructuredTool<typeof typeSchema> {
  readonly name = "type";
  description = "";
  schema = typeSchema;
  protected async _call() {
    return "";
  }
}

class SearchTool extends Tool {
  readonly name = "search";
  description = "";
  protected async _call() {
    return "";
  }
}

class WideTool extends Tool {
  name = "wide";
  description = "";
  protected async _call() {
    return "";
  }
}

/** A tool as core 0.3 types it. */
type Nameless<Tool extends ToolLike> = Omit<Tool, "name"> & { readonly name: string };

const tools = [click, wait, new TypeTool(), new SearchTool()] as const;
const mixed = [click, new WideTool()] as const;
const fixers = createFixerRegistry(tools);

function readAction(action: TypedAgentAction<typeof tools>): void {
  // Without narrowing, the type is any tool's: JSON.
  const any: JsonValue | undefined = action.rawToolInput;
  const valid: boolean = action.valid;
  void [any, valid];
  // @ts-expect-error the input is unknown before the tool is known
  action.toolInput.selector;
  // @ts-expect-error no tool has this name
  void (action.tool === "klick");

  if (action.tool === "click") {
    type Input = Expect<Equal<typeof action.toolInput, { selector: string }>>;
    type Valid = Expect<Equal<typeof action.valid, boolean>>;
    const selector: string = action.toolInput.selector;
    void (selector satisfies string as Input | Valid | string);
    // @ts-expect-error the schema has no such field
    action.toolInput.selektor;
    // @ts-expect-error steps are read only
    action.valid = true;
  }
  if (action.tool === "wait") {
    const ms: unknown = action.toolInput.ms;
    void ms;
    // @ts-expect-error the field of another tool
    action.toolInput.selector;
  }
  if (action.tool === "type") {
    const text: string | undefined = action.toolInput.text;
    void text;
  }
  if (action.tool === "search") {
    type Input = Expect<Equal<typeof action.toolInput, string | { input: string }>>;
    void (0 as unknown as Input);
  }
  if (action.tool === "_Exception") {
    const text: string = action.toolInput;
    const no: false = action.valid;
    void [text, no];
  }
  if (!action.valid) {
    // @ts-expect-error an input that could not be repaired may be anything
    action.toolInput.selector;
  }
}

function readMixed(action: TypedAgentAction<typeof mixed>): void {
  if (action.tool === "click") {
    const selector: string = action.toolInput.selector;
    void selector;
  } else {
    const json: JsonValue = action.toolInput;
    void json;
  }
}

function readWide(action: TypedAgentAction<readonly ToolLike[]>): void {
  if (action.tool === "click") {
    const json: JsonValue = action.toolInput;
    void json;
    // @ts-expect-error the input of an unknown tool is only known to be JSON
    action.toolInput.selector;
  }
}

async function readResults(executor: AgentExecutor): Promise<void> {
  const wrapped = wrapAgentExecutor(executor, { fixers });
  const result = await wrapped.invoke({ input: "" });
  for (const { action, observation } of result.intermediateSteps) {
    const text: string = observation;
    if (action.tool === "click") action.toolInput.selector satisfies string;
    // @ts-expect-error the schema has no such field
    if (action.tool === "click") action.toolInput.selektor;
    void text;
  }
  const [first] = await wrapped.batch([{ input: "" }]);
  const [step] = first?.intermediateSteps ?? [];
  if (step?.action.tool === "type") step.action.toolInput.text satisfies string | undefined;
  for await (const chunk of await wrapped.stream({ input: "" })) {
    for (const { action } of chunk.intermediateSteps ?? []) {
      if (action.tool === "click") action.toolInput.selector satisfies string;
    }
  }
  // The wrapper still has the type of what it wraps.
  const same: AgentExecutor = wrapped;
  void [same, wrapped.maxIterations, wrapped.pipe];

  const byTools = wrapAgentExecutor(executor, { tools });
  const [one] = (await byTools.invoke({ input: "" })).intermediateSteps;
  if (one?.action.tool === "click") one.action.toolInput.selector satisfies string;

  const untyped = await wrapAgentExecutor(executor).invoke({ input: "" });
  untyped.intermediateSteps[0]?.action.toolInput satisfies JsonValue | undefined;

  wrapAgentExecutor(executor, {
    onUnfixable: (error, causingData, action) => {
      void [error.message, action?.tool];
      return typeof causingData === "string" ? undefined : causingData;
    },
    compat: true,
  });
  // @ts-expect-error it is a switch
  wrapAgentExecutor(executor, { compat: ["inputErrors"] });

  // The names come from the record if the tools' types have none, as in core 0.3.
  const nameless = { click: click as Nameless<typeof click>, type: new TypeTool() };
  const named = wrapAgentExecutor(executor, { tools: nameless, fixers });
  for (const { action } of (await named.invoke({ input: "" })).intermediateSteps) {
    if (action.tool === "click" && action.valid) action.toolInput.selector satisfies string;
    // @ts-expect-error the schema has no such field
    if (action.tool === "click" && action.valid) action.toolInput.selektor;
    if (action.tool === "type") action.toolInput.text satisfies string | undefined;
    // @ts-expect-error no tool has this name
    void (action.tool === "klick");
  }
}

async function readNormalized(): Promise<void> {
  const steps = await normalizeIntermediateSteps([], tools);
  readAction((steps[0] as (typeof steps)[number]).action);
  const wide = await normalizeIntermediateSteps(
    [],
    [new DynamicTool({ name: "x", description: "", func: async () => "" })],
  );
  if (wide[0]?.action.tool === "x") wide[0].action.toolInput satisfies JsonValue;
}

test("the types are checked by `npm run check`", () => {
  expect([readAction, readMixed, readWide, readResults, readNormalized]).toHaveLength(5);
});
