import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";

export { deepStrictEqual as equal, match, ok, strictEqual as same };

/** What a promise is rejected with; fails where it is not. */
export async function thrownBy(promise) {
  const outcome = await promise.then(
    (value) => ({ value }),
    (error) => ({ error }),
  );
  ok("error" in outcome, `was not rejected, but gave ${JSON.stringify(outcome.value)}`);
  return outcome.error;
}
