import { expect, test } from "@jest/globals";
import { restore, swap } from "#src/langchain/register/swap.ts";

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
  const swapped = swap(target, "say", shout);
  const after = Object.getOwnPropertyDescriptor(target, "say");
  expect(target.say()).toBe("hi!");
  expect(after).toEqual({ ...before, value: expect.any(Function) });
  expect([after?.value.name, after?.value.length]).toEqual(["say", 1]);
  expect(swap(target, "say", shout)).toBeUndefined();
  expect(swapped && restore(swapped)).toBe(true);
  expect(Object.getOwnPropertyDescriptor(target, "say")).toEqual(before);
  expect(Object.getOwnPropertyDescriptor(target, "say")?.value).toBe(before?.value);
});

test("an inherited method is swapped where it is asked for, and is inherited again", () => {
  const parent = { say: () => "hi" };
  const child = Object.create(parent);
  const swapped = swap(child, "say", shout);
  expect([child.say(), parent.say()]).toEqual(["hi!", "hi"]);
  expect(swapped && restore(swapped)).toBe(true);
  expect(Object.hasOwn(child, "say")).toBe(false);
});

test("what another has put there since stays; what is no method is not swapped", () => {
  const target = { say: () => "hi", name: "x" };
  const swapped = swap(target, "say", shout);
  const theirs = () => "theirs";
  target.say = theirs;
  expect(swapped && restore(swapped)).toBe(false);
  expect(target.say).toBe(theirs);
  expect(swap(target, "name", shout)).toBeUndefined();
});
