import { loadOnce } from "../drive.ts";

/** The validator, and what finds words for what a schema has against a value. */
export type ValidatorParts = typeof import("./validator-parts.ts");

let loaded: ValidatorParts | undefined;

/**
 * Loads the validator: the checks that are compiled do without it, but for rare keywords, formats, and
 * to say what is wrong.
 */
export const loadValidator: () => Promise<ValidatorParts> = loadOnce(async () =>
  keepValidator(await import("./validator-parts.ts")),
);

/** Hands the validator over where it came with other code. */
export function keepValidator(parts: ValidatorParts): ValidatorParts {
  loaded = parts;
  return parts;
}

/** The validator, if it is there already. */
export function knownValidator(): ValidatorParts | undefined {
  return loaded;
}

/**
 * The validator, where whoever asks has loaded it.
 *
 * @throws Error where nobody has.
 */
export function validator(): ValidatorParts {
  if (loaded === undefined) throw new Error("The validator is asked for before it is loaded.");
  return loaded;
}
