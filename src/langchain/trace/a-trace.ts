import { aFunction, type Check, either, oneOf, optionsOf } from "../../repair/usage.ts";

const MODE = oneOf("full", "quiet");

const DETAIL = optionsOf({
  mode: MODE,
  content: oneOf("none", "keys", "full"),
  redact: aFunction,
});

/** What the option `trace` must be. */
export const aTrace: Check = {
  ...either(MODE, { ...DETAIL, isMet: (value) => value === false || DETAIL.isMet(value) }),
  ...(DETAIL.parts && { parts: DETAIL.parts }),
  must: `${MODE.must}, false, or ${DETAIL.must}`,
};
