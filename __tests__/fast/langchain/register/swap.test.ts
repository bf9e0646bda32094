import { expect, test } from "@jest/globals";
import { swap } from "#src/langchain/register/hooks.ts";

const shout = (original: () => string) => () => `${original()}!`;

test("a swapped method keeps its descriptor, name and length, and is swapped once", () => {
  const target = Object.defineProperty({}, "say", {
    value: function say(_what: string) {
      return "hi";
    },
    enumerable: true,
    configurable: true,
    writable: false,
  }) as { say(): string };
  const before = Object.getOwnPropertyDescriptor(target, "say");
  const undo = swap(target, "say", shout);
  const after = Object.getOwnPropertyDescriptor(target, "say");
  expect(target.say()).toBe("hi!");
  expect(after).toEqual({ ...before, value: expect.any(Function) });
  expect([after?.value.name, after?.value.length]).toEqual(["say", 1]);
  expect(swap(target, "say", shout)).toBeUndefined();
  expect(undo?.()).toBe(true);
  expect(Object.getOwnPropertyDescriptor(target, "say")).toEqual(before);
  expect(Object.getOwnPropertyDescriptor(target, "say")?.value).toBe(before?.value);
});

test("an inherited method is swapped on the object itself, and is inherited again after the undo", () => {
  const parent = { say: () => "hi" };
  const child = Object.create(parent);
  const undo = swap(child, "say", shout);
  expect([child.say(), parent.say()]).toEqual(["hi!", "hi"]);
  expect(undo?.()).toBe(true);
  expect(Object.hasOwn(child, "say")).toBe(false);
});

test("a method that another library swapped since stays; a property that is not a method is not swapped", () => {
  const target = { say: () => "hi", name: "x" };
  const undo = swap(target, "say", shout);
  const theirs = () => "theirs";
  target.say = theirs;
  expect(undo?.()).toBe(false);
  expect(target.say).toBe(theirs);
  expect(swap(target, "name", shout)).toBeUndefined();
});
