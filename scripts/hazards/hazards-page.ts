// Writes docs/hazards.md from the table of hazards: node scripts/run-ts.mjs scripts/hazards/hazards-page.ts --write
// A test compares the page with what this makes of the table, so that it cannot go stale.
import { writeFileSync } from "node:fs";
import type {
  Hazard,
  HazardClass,
  HazardGroup,
  Outcome,
} from "../../__tests__/support/hazards/hazard.ts";
import { hazardClasses } from "../../__tests__/support/hazards/table.ts";

const HEAD = `# What toolmend refuses, and why

A repair that is sometimes wrong is worth less than none. These are the ways in which repairs go
wrong, with one example each; what each must come to is in the tests, and holds at \`safe\` and at
\`eager\`, for JSON Schema, zod 4 and zod 3.

This page is made from the table in \`__tests__/support/hazards/\` by \`npm run docs\`.
`;

/** The page as the table has it. */
export function renderHazardsPage(): string {
  const count = hazardClasses.reduce((sum, { groups }) => sum + hazardsOf(groups).length, 0);
  const kept = hazardClasses.reduce(
    (sum, { groups }) => sum + hazardsOf(groups).filter(mustBeRepaired).length,
    0,
  );
  const sections = hazardClasses.map(renderClass);
  const note = `${count} inputs in ${hazardClasses.length} classes, of which ${kept} must be repaired: refusing what is plain is no precision.\n`;
  return [HEAD, note, ...sections].join("\n");
}

function renderClass({ name, rule, groups }: HazardClass): string {
  const rows = [...shown(groups, mayBeRefused), ...shown(groups, mustBeRepaired)];
  const lines = rows.map(
    ([why, hazard]) => `| ${cell(why)} | ${code(hazard.raw)} | ${outcome(hazard.eager)} |`,
  );
  const head = ["| why | written | becomes |", "|---|---|---|"];
  return [`## ${name}\n`, `${rule}\n`, ...head, ...lines, ""].join("\n");
}

/** The first hazard of which something holds, with its reason. */
function shown(
  groups: readonly HazardGroup[],
  test: (hazard: Hazard) => boolean,
): [string, Hazard][] {
  for (const { why, hazards } of groups) {
    const hazard = hazards.find((each) => test(each) && JSON.stringify(each.raw).length < 90);
    if (hazard !== undefined) return [[why, hazard]];
  }
  return [];
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
  return [...right.map(code), ...(mayRefuse ? ["refused"] : [])].join(" or ");
}

function code(value: Hazard["raw"]): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return `<code>${cell(text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")).replaceAll("`", "&#96;")}</code>`;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", "⏎");
}

if (process.argv.includes("--write")) {
  writeFileSync("docs/hazards.md", renderHazardsPage());
}
