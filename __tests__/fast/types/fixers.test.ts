import { expect, test } from "@jest/globals";
import { createFixerRegistry, type Fixer, type JsonValue, repairToolInput } from "toolmend";
import { renameKey } from "toolmend/fixers";
import { z } from "zod";
import type { FixerInput } from "#src/repair/types.ts";

// The guards of a naturally written fixer narrow its input, without a cast; `npm run check` compiles
// them.

const notAnObject: Fixer = (input) => {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return undefined;
  const { element } = input;
  return element === undefined ? undefined : { selector: element };
};

const rest: Fixer = (input) => {
  if (input === null || typeof input !== "object" || Array.isArray(input)) return undefined;
  const { element, ...others } = input;
  return element === undefined ? undefined : { ...others, selector: element };
};

const hasKey: Fixer = (input) =>
  typeof input === "object" && input !== null && "element" in input
    ? { selector: input.element }
    : undefined;

const nested: Fixer = (input) => {
  if (typeof input !== "object" || input === null || !("target" in input)) return undefined;
  const { target } = input;
  if (typeof target === "string") return { selector: target };
  return Array.isArray(target) && typeof target[0] === "string"
    ? { selector: target[0] }
    : undefined;
};

const bareText: Fixer = (input) => (typeof input === "string" ? { selector: input } : undefined);

const list: Fixer = (input) => {
  if (!Array.isArray(input)) return undefined;
  const texts: string[] = input.filter((one) => typeof one === "string");
  return texts.length === 1 ? { selector: texts.join() } : undefined;
};

const inPlace: Fixer = (input) => {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return undefined;
  if (input.element === undefined) return undefined;
  input.selector = input.element;
  delete input.element;
  return input;
};

const later: Fixer = async (input) =>
  typeof input === "number" ? { selector: `#${input}` } : undefined;

const readOnly: Fixer = (input) => {
  const wanted: readonly JsonValue[] = ["#buy"];
  return Array.isArray(input) ? { selector: wanted.join() } : undefined;
};

const wide: Fixer = (input: JsonValue) => input;
const unknowing: Fixer = (input: unknown) => (input === "x" ? { selector: "x" } : undefined);

const click = { name: "click", schema: z.object({ selector: z.string() }) };

test.each<readonly [string, Fixer, JsonValue]>([
  ["an object, by what it is not", notAnObject, { element: "#buy" }],
  ["an object, and the rest of it", rest, { element: "#buy" }],
  ["a key", hasKey, { element: "#buy" }],
  ["a field, a text or a list", nested, { target: ["#buy"] }],
  ["a text", bareText, "#buy"],
  ["a list", list, ["#buy"]],
  ["an object that is changed in place", inPlace, { element: "#buy" }],
  ["a list, for what is read-only", readOnly, ["a", "b"]],
])("a fixer that narrows to %s needs no cast", async (_, fixer, input) => {
  const fixers = createFixerRegistry([click]);
  fixers.register("click", fixer);
  const result = await repairToolInput(input, click, { fixers, level: "strict", parsed: true });
  expect(result).toMatchObject({ ok: true, toolInput: { selector: "#buy" } });
});

test("a fixer may be asynchronous, and take JSON or anything", async () => {
  const fixers = createFixerRegistry([click]);
  fixers.register("click", later, wide, unknowing, renameKey("a", "b"));
  const input: FixerInput = 5;
  expect(await repairToolInput(input, click, { fixers, level: "strict" })).toMatchObject({
    toolInput: { selector: "#5" },
  });
});

test("fixers that differ only in their path have two names", () => {
  expect(renameKey("a", "b").name).toBe("renameKey(a → b)");
  expect(renameKey("a", "b", "/items/*").name).toBe("renameKey(a → b, /items/*)");
});
