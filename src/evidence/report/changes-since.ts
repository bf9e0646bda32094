import type { OpenTool, Sums } from "./open-report.ts";
import type { Report, ReportNews } from "./report.ts";

/**
 * Finds what a period has and the time before it has not: all that the logs hold from before
 * `since`; without `since`, the first half of the time.
 *
 * @param sums What was counted.
 * @returns What is new, most first; `undefined` where there is no time before.
 */
export function changesSince(sums: Sums): Report["news"] {
  const { since, earliest, from, to } = sums;
  const start = since === undefined ? from + (to - from) / 2 : since;
  const comparedFrom = since === undefined ? from : earliest;
  if (from >= to || comparedFrom === undefined) return undefined;
  const isNew = ({ first, count }: Counted) => first >= start && count > 0;

  const items: ReportNews[] = [...sums.models.values()].filter(isNew).map(toItem("model"));
  for (const tool of sums.tools.values()) {
    // What a new tool brings along is not told besides.
    if (isNew(tool)) items.push(toItem("tool")(tool));
    else items.push(...newKinds(tool, isNew));
  }
  return {
    since: new Date(start).toISOString(),
    comparedFrom: new Date(comparedFrom).toISOString(),
    items: items.sort((one, other) => other.count - one.count),
  };
}

interface Counted {
  readonly first: number;
  readonly count: number;
}

function newKinds(
  { name: tool, faults, fixers }: OpenTool,
  isNew: (one: Counted) => boolean,
): readonly ReportNews[] {
  return [
    ...[...faults.values()]
      .filter(isNew)
      .map(({ path, code, ...rest }) => ({
        ...rest,
        name: `${code} at ${path || "the whole input"}`,
      }))
      .map(toItem("fault")),
    ...[...fixers.values()]
      .filter(isNew)
      .map(({ fixer, ...rest }) => ({ ...rest, name: fixer }))
      .map(toItem("fixer")),
  ].map((item) => ({ ...item, tool }));
}

function toItem(kind: ReportNews["kind"]) {
  return ({ name, count, first }: Counted & { readonly name: string }): ReportNews => ({
    kind,
    name,
    count,
    first: new Date(first).toISOString(),
  });
}
