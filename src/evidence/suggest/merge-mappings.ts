import type { Candidate } from "./find-candidates.ts";
import type { FixerCall } from "./fixer-call.ts";

type Mapping = Extract<FixerCall, { fixer: "mapValue" }>;

/**
 * Puts the mappings of single values at one place together: `mapValue("/unit", { "C": …, "F": … })`.
 * A value for which there are two is left to them, apart.
 *
 * @param candidates The candidates.
 * @returns The candidates in their order, each mapping where its first part stood.
 */
export function mergeMappings(candidates: readonly Candidate[]): readonly Candidate[] {
  const groups = new Map<string, Mapping[]>();
  for (const { calls } of candidates) {
    const mapping = onlyMapping(calls);
    if (mapping !== undefined) groups.set(mapping.at, [...(groups.get(mapping.at) ?? []), mapping]);
  }
  const merged = new Set<string>();
  return candidates.flatMap((candidate) => {
    const mapping = onlyMapping(candidate.calls);
    if (mapping === undefined) return [candidate];
    const group = (groups.get(mapping.at) ?? []).filter((one) => !isTwice(one, groups));
    if (!group.includes(mapping) || group.length < 2) return [candidate];
    if (merged.has(mapping.at)) return [];
    merged.add(mapping.at);
    const entries = group.flatMap((one) => Object.entries(one.mapping));
    entries.sort(([one], [other]) => (one < other ? -1 : 1));
    const call: Mapping = { ...mapping, mapping: Object.fromEntries(entries) };
    return [{ calls: [call], parts: group.map((one) => [one]) }];
  });
}

function onlyMapping(calls: readonly FixerCall[]): Mapping | undefined {
  const [call, ...others] = calls;
  return call?.fixer === "mapValue" && others.length === 0 ? call : undefined;
}

function isTwice(one: Mapping, groups: ReadonlyMap<string, readonly Mapping[]>): boolean {
  const [value] = Object.keys(one.mapping);
  const same = (groups.get(one.at) ?? []).filter(
    ({ mapping }) => Object.keys(mapping)[0] === value,
  );
  return same.length > 1;
}
