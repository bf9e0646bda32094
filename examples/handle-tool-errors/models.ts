import { type FakeBuiltModel, fakeModel } from "@langchain/core/testing";

// Scripted models replace real ones, so that this runs without a key. Use `ChatOpenAI` or any other
// chat model instead.

const forgotten = { name: "complex_tool", args: { int_arg: 5, float_arg: 2.1 } };
const complete = { name: "complex_tool", args: { int_arg: 5, float_arg: 2.1, dict_arg: {} } };

/** Forgets `dict_arg`. */
export function forgetfulModel(): FakeBuiltModel {
  return fakeModel().respondWithTools([forgotten]);
}

/** Forgets `dict_arg`, and adds it after the error. */
export function teachableModel(): FakeBuiltModel {
  return fakeModel().respondWithTools([forgotten]).respondWithTools([complete]);
}

/** Forgets nothing. */
export function betterModel(): FakeBuiltModel {
  return fakeModel().respondWithTools([complete]);
}
