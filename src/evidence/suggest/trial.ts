import type { EditSwitches, SwitchableEdit } from "../../repair/edit-switches.ts";
import { createFixerRegistry, type FixerRegistry } from "../../repair/fixers/registry.ts";
import { jsonEquals } from "../../repair/json/json-value.ts";
import { repairInput } from "../../repair/pipeline.ts";
import type { CompiledSchema } from "../../repair/schema/compile-schema.ts";
import { compileSchema } from "../../repair/schema/compile-schema.ts";
import type { InputIssue, JsonValue, ToolLike } from "../../repair/types.ts";
import { asValue } from "./as-value.ts";
import { type FixerCall, fixerOf, runFixerCall } from "./fixer-call.ts";
import { declaredInput, labelOf } from "./label-of.ts";
import type { LoggedInput } from "./logged-input.ts";

/** An input that was logged, as today's schema of its tool takes it without any fixer. */
export interface Case {
  readonly input: LoggedInput;
  /** What was written, parsed where it is JSON. */
  readonly value: JsonValue;
  /** What comes out without any fixer; `undefined` where it is refused. */
  readonly without: JsonValue | undefined;
  /** What the schema has against it. */
  readonly issues: readonly InputIssue[];
  /** Whether it has keys that the schema does not declare. */
  readonly hasUndeclared: boolean;
  /** Whether nothing had to be changed. */
  readonly isValid: boolean;
  /** What the tool would have heard of the call that took its place. */
  readonly label: JsonValue | undefined;
}

/** Tries fixers on the inputs of one tool. */
export interface Trial {
  readonly schema: CompiledSchema;
  readonly prepare: (input: LoggedInput) => Promise<Case>;
  /** What comes out of an input with fixers, and with single edits; `undefined` where it is refused. */
  readonly run: (
    one: Case,
    calls: readonly FixerCall[],
    edits?: EditSwitches,
  ) => Promise<JsonValue | undefined>;
  /** The edits of the level `eager`, each once, that an input takes at that level; none where it is refused. */
  readonly eagerEdits: (
    one: Case,
    calls: readonly FixerCall[],
  ) => Promise<readonly SwitchableEdit[]>;
  /** Whether what came out is what the tool would have heard of the call that took its place. */
  readonly agrees: (result: JsonValue, label: JsonValue) => boolean | Promise<boolean>;
}

/**
 * Creates what tries fixers on a tool's inputs, through the very pipeline that they would run in.
 *
 * @param tool The tool, with its JSON Schema.
 * @throws TypeError when the schema is of no known kind.
 */
export function createTrial(tool: ToolLike): Trial {
  const schema = compileSchema(tool.schema);
  return {
    schema,
    async prepare(input) {
      const result = await repairInput(input.raw, tool, { level: input.level });
      const without = result.ok ? result.toolInput : undefined;
      const issues = result.ok ? [] : result.error.issues;
      const hasUndeclared = result.ok && result.undeclared.length > 0;
      const isValid = result.ok && result.repairs.length === 0;
      // What a model did with another tool instead says nothing of this input.
      const isCorrected = without === undefined && input.correction?.tool === tool.name;
      const label = isCorrected ? await labelOf(input, schema) : undefined;
      return { input, value: asValue(input.raw), without, issues, hasUndeclared, isValid, label };
    },
    async run(one, calls, edits) {
      if (edits === undefined && !changesAny(one, calls)) return one.without;
      const { raw, level } = one.input;
      const options = { level, edits, fixers: registryFor(tool, calls) };
      const result = await repairInput(raw, tool, options);
      return result.ok ? result.toolInput : undefined;
    },
    async eagerEdits({ input }, calls) {
      const options = { level: "eager", fixers: registryFor(tool, calls) } as const;
      const result = await repairInput(input.raw, tool, options);
      if (!result.ok) return [];
      const eager = result.repairs.filter(({ level }) => level === "eager");
      return [...new Set(eager.map(({ fixer }) => fixer as SwitchableEdit))];
    },
    async agrees(result, label) {
      const part = await declaredInput(result, schema);
      return part !== undefined && jsonEquals(part, label);
    },
  };
}

function registryFor({ name }: ToolLike, calls: readonly FixerCall[]): FixerRegistry {
  const fixers = createFixerRegistry();
  fixers.register(name, ...calls.map(fixerOf));
  return fixers;
}

/** Whether any of the fixers has something to do: else nothing comes out that did not before. */
function changesAny({ input, value, issues }: Case, calls: readonly FixerCall[]) {
  // Text that is no JSON: only the pipeline knows what is read from it.
  if (typeof input.raw === "string" && value === input.raw) return calls.length > 0;
  return calls.some((call) => runFixerCall(call, value, { issues }) !== undefined);
}
