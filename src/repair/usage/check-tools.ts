import { wrongUse } from "../errors/usage-error.ts";
import type { ToolLike } from "../types.ts";
import { nameThing } from "./name-thing.ts";

/**
 * Checks that something is a tool, or has what is needed of one.
 *
 * @param tool What was given.
 * @param of The function that it was given to, as it is called.
 * @throws TypeError when it has no name or no schema; it says what it is instead.
 */
export function checkTool(tool: unknown, of: string): asserts tool is ToolLike {
  const given = tool as Partial<ToolLike> | null | undefined;
  const isRecord = given !== null && typeof given === "object";
  if (isRecord && typeof given.name === "string" && isObjectLike(given.schema)) return;
  throw wrongUse(`${of} needs a tool, with a name and a schema; this is ${whatInstead(tool)}.`);
}

/**
 * Checks that something is a list of tools. What a list holds besides tools is left alone: a
 * provider's own tools are plain data.
 *
 * @param tools What was given.
 * @param of The function that it was given to, as it is called.
 * @throws TypeError when it is not an array, or holds what is not even data; it says what to write.
 */
export function checkToolList(tools: unknown, of: string): asserts tools is readonly unknown[] {
  if (Array.isArray(tools)) {
    const at = tools.findIndex((tool) => !isObjectLike(tool));
    if (at < 0) return;
    throw wrongUse(
      `${of} needs an array of tools; element ${at} of it is ${nameThing(tools[at])}.`,
    );
  }
  const kind = nameThing(tools);
  const hint = kind.startsWith("the tool ") ? " Put it in brackets: [tool]." : "";
  throw wrongUse(`${of} needs an array of tools; this is ${kind}.${hint}`);
}

function isObjectLike(thing: unknown): boolean {
  return thing !== null && (typeof thing === "object" || typeof thing === "function");
}

function whatInstead(thing: unknown): string {
  const kind = nameThing(thing);
  if (kind === "an array") return "an array: wrapTools takes several tools";
  if (kind !== "an object" && !kind.startsWith("the tool ")) return kind;
  const { name, schema } = thing as { name?: unknown; schema?: unknown };
  const lacks = [
    ...(typeof name === "string" ? [] : [`its name is ${nameThing(name)}`]),
    ...(isObjectLike(schema) ? [] : [`its schema is ${nameThing(schema)}`]),
  ];
  return `an object of which ${lacks.join(" and ")}`;
}
