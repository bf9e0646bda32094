import { expect } from "@jest/globals";

/** The misuse, and the error's message. */
export type WrongUse = readonly [title: string, use: () => unknown, says: RegExp];

/** Expects a TypeError that says what is wrong; never an internal error, and never silence. */
export async function expectWrongUse(
  _title: string,
  use: () => unknown,
  says: RegExp,
): Promise<void> {
  const thrown: unknown = await new Promise((resolve) => {
    Promise.resolve()
      .then(use)
      .then(() => resolve(undefined), resolve);
  });
  expect(thrown).toBeInstanceOf(TypeError);
  const { message: said } = thrown as Error;
  expect(said).toMatch(says);
  expect(said).not.toMatch(
    /is not a function$|Cannot (read|destructure)|Receiver must be|reading '/,
  );
}
