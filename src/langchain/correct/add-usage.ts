import type { UsageMetadata } from "@langchain/core/messages";

/**
 * Adds up what two attempts used.
 *
 * @param one What one used; `undefined` where nobody said.
 * @param other What the other used.
 * @returns The sums, details included; `undefined` where nothing is known of either.
 */
export function addUsage(
  one: UsageMetadata | undefined,
  other: UsageMetadata | undefined,
): UsageMetadata | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return addNumbers(one, other) as unknown as UsageMetadata;
}

/** Details are objects of numbers, and which there are differs by provider. */
function addNumbers(one: object, other: object): Record<string, unknown> {
  const sum: Record<string, unknown> = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const mine = sum[key];
    if (typeof value === "number" && typeof mine === "number") sum[key] = mine + value;
    else if (isObject(value) && isObject(mine)) sum[key] = addNumbers(mine, value);
    else sum[key] = value ?? mine;
  }
  return sum;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
