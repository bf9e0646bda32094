import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";

export { deepStrictEqual as equal, match, ok, strictEqual as same };

/** The error of a rejected promise; fails if it resolves. */
export async function thrownBy(promise) {
  const outcome = await promise.then(
    (value) => ({ value }),
    (error) => ({ error }),
  );
  ok("error" in outcome, `was not rejected, but gave ${JSON.stringify(outcome.value)}`);
  return outcome.error;
}
