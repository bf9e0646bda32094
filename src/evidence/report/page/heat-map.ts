import { printName } from "../../print-name.ts";
import { showCompact, showCount, showPercent } from "../format.ts";
import type { Report } from "../report.ts";
import { html, type Markup } from "./html.ts";
import { FEW } from "./rows-table.ts";

const MOST_TOOLS = 80;
const MOST_MODELS = 12;

/** From which share on a cell is how dark. */
const SHADES = [0.02, 0.05, 0.1, 0.2, 0.4] as const;

/**
 * Draws the faulty share of each tool with each model: a table whose cells are shaded, so that the
 * chart is its own table.
 *
 * @param heat The cells.
 */
export function drawHeatMap({ tools, models, cells }: Report["heat"]): Markup {
  const columns = models.slice(0, MOST_MODELS);
  const shown = tools.slice(0, MOST_TOOLS);
  const omitted = [
    ...(tools.length > shown.length ? [`${showCount(tools.length - shown.length)} tools`] : []),
    ...(models.length > columns.length
      ? [`${showCount(models.length - columns.length)} models`]
      : []),
  ];
  return html`
<section aria-labelledby="heat">
<h2 id="heat">Tools and models</h2>
<p class="note">Which model is at odds with which tool: the share of its calls that were faulty, and the number of calls.${
    omitted.length > 0
      ? ` Not shown: ${omitted.join(" and ")} with fewer faults; --json has all.`
      : ""
  }</p>
<ul class="legend">
<li><span class="key h0"></span>none</li>${SHADES.map(
    (least, index) =>
      html`<li><span class="key h${index + 1}"></span>${index === 0 ? "below" : "from"} ${showBound(index === 0 ? least : (SHADES[index - 1] ?? 0))}</li>`,
  )}<li><span class="key h6"></span>from ${showBound(0.4)}</li><li><span class="key rare"></span>fewer than ${FEW} calls</li>
</ul>
<div class="scroll" tabindex="0" role="region" aria-label="Table of tools and models">
<table class="heat"><thead><tr><th scope="col">tool</th>${columns.map(
    (model) => html`<th scope="col">${printName(model)}</th>`,
  )}</tr></thead>
<tbody>${shown.map(
    (tool, row) =>
      html`<tr data-find="${printName(tool)}"><th scope="row">${printName(tool)}</th>${columns.map(
        (_, column) => drawCell(cells[row]?.[column] ?? [0, 0]),
      )}</tr>`,
  )}</tbody></table></div>
</section>`;
}

function drawCell([calls, faulty]: readonly [number, number]): Markup {
  if (calls === 0) return html`<td><div class="none">–<small>no calls</small></div></td>`;
  const share = faulty / calls;
  const rare = calls < FEW ? " rare" : "";
  return html`<td><div class="h${shadeOf(share)}${rare}">${showPercent(share)}<small>of ${showCompact(calls)}</small></div></td>`;
}

function shadeOf(share: number): number {
  if (share === 0) return 0;
  const above = SHADES.filter((least) => share >= least).length;
  return above + 1;
}

function showBound(share: number): string {
  return `${share * 100}%`;
}
