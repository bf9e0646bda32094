import type { Edit, Want } from "./edit.ts";

/** A number or boolean where text is wanted, as it was written: `3.10`, not `3.1`. */
export const writeScalar: Edit = {
  name: "write-scalar",
  level: "safe",
  cost: 1,
  propose(value, want) {
    if (want.of("string").length === 0) return [];
    if (typeof value === "boolean") return [String(value)];
    const written = typeof value === "number" ? spellingOf(value, want) : undefined;
    return written === undefined ? [] : [written];
  },
};

/** How a number was written; `undefined` where that is not known. */
function spellingOf(value: number, { run }: Want): string | undefined {
  const spellings = run.spellings();
  if (spellings.has(value)) return spellings.get(value);
  const text = String(value);
  const isExact = !Number.isInteger(value) || Number.isSafeInteger(value);
  return isExact && !text.includes("e") ? text : undefined;
}

/**
 * An object or array where text is wanted, as JSON text. Only where the tool asks for it: whether
 * JSON was meant, or code, or that the wrong field was filled, the schema does not tell.
 */
export const writeJson: Edit = {
  name: "write-json",
  level: "safe",
  cost: 1,
  propose(value, { run: { objectAsText }, place, of }) {
    if (value === null || typeof value !== "object" || of("string").length === 0) return [];
    const isAsked = Array.isArray(objectAsText) ? objectAsText.includes(place.path) : objectAsText;
    return isAsked ? [JSON.stringify(value)] : [];
  },
};
