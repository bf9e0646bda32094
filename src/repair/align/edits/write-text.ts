import type { Edit } from "./edit.ts";

/** A number or boolean where text is wanted. Not an integer that was rounded when it was read. */
export const writeScalar: Edit = {
  name: "write-scalar",
  level: "safe",
  cost: 1,
  propose(value, want) {
    if (want.of("string").length === 0) return [];
    if (typeof value === "boolean") return [String(value)];
    const isExact = typeof value === "number" && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
    return isExact ? [String(value)] : [];
  },
};

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
