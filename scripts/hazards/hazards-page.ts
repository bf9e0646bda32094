// The part of docs/edits.md about rejections, from the table of hazards.
import type {
  Hazard,
  HazardClass,
  HazardGroup,
  Outcome,
} from "../../__tests__/support/hazards/hazard.ts";
import { hazardClasses } from "../../__tests__/support/hazards/table.ts";

/** The table of forbidden repairs, with an example each. */
export function renderHazards(): string {
  const hazards = hazardClasses.flatMap(({ groups }) => hazardsOf(groups));
  const kept = hazards.filter(mustBeRepaired);
  return `## What is rejected, and why

${hazards.length} inputs in ${hazardClasses.length} classes hold this, at \`safe\` and \`eager\`, for JSON Schema, zod 4 and zod 3; ${kept.length} of
them must be repaired.

| rule | written | becomes |
|---|---|---|
${hazardClasses.flatMap(renderClass).join("\n")}
`;
}

/** A class's row. The classes of plain faults, whose rules say what is repaired, have none. */
function renderClass({ rule, groups, isPlain }: HazardClass): readonly string[] {
  if (isPlain) return [];
  const [hazard] = [...shown(groups, mayBeRefused), ...shown(groups, mustBeRepaired)];
  if (hazard === undefined) throw new Error(`No hazard is short enough: ${rule}`);
  return [`| ${cell(rule)} | ${code(hazard.raw)} | ${outcome(hazard.eager)} |`];
}

/** The short hazards that pass a test. */
function shown(groups: readonly HazardGroup[], test: (hazard: Hazard) => boolean): Hazard[] {
  return hazardsOf(groups).filter((each) => test(each) && JSON.stringify(each.raw).length < 90);
}

function hazardsOf(groups: readonly HazardGroup[]): Hazard[] {
  return groups.flatMap(({ hazards }) => hazards);
}

function mayBeRefused({ eager }: Hazard): boolean {
  return eager.mayRefuse;
}

function mustBeRepaired({ eager }: Hazard): boolean {
  return !eager.mayRefuse;
}

function outcome({ right, mayRefuse }: Outcome): string {
  return [...right.map(code), ...(mayRefuse ? ["rejected"] : [])].join(" or ");
}

function code(value: Hazard["raw"]): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return `<code>${cell(text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")).replaceAll("`", "&#96;")}</code>`;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", "⏎");
}
