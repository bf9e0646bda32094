import { printName } from "../../print-name.ts";
import { addTally, createTally, faultyCount, notRunCount, repairedCount } from "../create-tally.ts";
import { showCount, showPercent, showRange, showShare, showStep } from "../format.ts";
import type { Report, ReportRow } from "../report.ts";
import { asMarkup, html, type Markup } from "./html.ts";
import { sortableHead } from "./sortable-head.ts";

/** The most rows of a table. */
const MOST = 150;

/** With fewer calls than these a share says little. */
export const FEW = 30;

/**
 * Draws the table of tools or models: rates with their intervals, and how the rate went.
 *
 * @param report The report.
 */
export function drawRows({ rows, by, overTime }: Report): Markup {
  const shown = rows.slice(0, MOST);
  const rest = rows.slice(MOST);
  const scale = Math.max(
    ...shown
      .filter(({ calls, faulty }) => calls >= FEW && faulty < 1)
      .map(({ interval }) => interval.upper),
    0.01,
  );
  const others = createTally();
  for (const row of rest) addTally(others, row);
  const name = by === "tool" ? "Tools" : "Models";
  return html`
<section aria-labelledby="rows">
<h2 id="rows">${name}</h2>
<p class="note">Faulty are the calls whose input was not valid as the model wrote it. The range is the 95% interval (Wilson): where two ranges overlap, the ${by}s need not differ. Those with most faulty calls come first.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Table of ${by}s">
<table>${sortableHead([
    { name: by, kind: "text" },
    { name: "calls" },
    { name: "faulty", wide: true },
    { name: "made right" },
    { name: "not run" },
    { name: "corrected later" },
    { name: "faulty over time", kind: "none" },
  ])}
<tbody>${shown.map((row) => drawRow(row, scale, overTime))}</tbody>
${
  rest.length === 0
    ? undefined
    : html`<tfoot><tr><th scope="row">${showCount(rest.length)} more</th><td class="n">${showCount(others.calls)}</td><td>${showShare(faultyCount(others), others.calls)}</td><td class="n">${showCount(repairedCount(others))}</td><td class="n">${showCount(notRunCount(others))}</td><td class="n">${showCount(others.correctedLater)}</td><td></td></tr></tfoot>`
}
</table></div>
</section>`;
}

function drawRow(row: ReportRow, scale: number, overTime: Report["overTime"]): Markup {
  const { calls, faulty, interval, correctedLater } = row;
  const name = printName(row.name);
  const isFew = calls < FEW;
  const repaired = repairedCount(row);
  const stopped = notRunCount(row);
  return html`<tr data-find="${name}"${asMarkup(isFew ? ' class="few"' : "")}>
<th scope="row" data-v="${name}">${name}${isFew ? html`<span class="tag">few calls</span>` : undefined}</th>
<td class="n" data-v="${calls}">${showCount(calls)}</td>
<td data-v="${faulty}"><div class="share"><b>${showPercent(faulty)}</b>${drawInterval(row, scale)}<span class="soft small">${showRange(interval)}</span></div></td>
<td class="n" data-v="${repaired}">${showCount(repaired)}</td>
<td class="n" data-v="${stopped}">${showCount(stopped)}</td>
<td class="n" data-v="${correctedLater}">${showCount(correctedLater)}</td>
<td>${drawSparkline(row, overTime)}</td></tr>`;
}

/** The share and its interval on a rail. What it shows is written beside it. */
function drawInterval({ faulty, interval }: ReportRow, scale: number): Markup {
  const width = 96;
  const x = (share: number) => Math.round(Math.min(1, share / scale) * (width - 8) + 4);
  return asMarkup(
    `<svg width="${width}" height="12" viewBox="0 0 ${width} 12" aria-hidden="true"><path d="M0 6H${width}" class="rail"/><path d="M${x(interval.lower)} 6H${x(interval.upper)}" class="reach"/><circle cx="${x(faulty)}" cy="6" r="3.5" class="point"/></svg>`,
  );
}

/** How the share of faulty calls went; where there were no calls, the line breaks. */
function drawSparkline({ series, name }: ReportRow, { steps, hours }: Report["overTime"]): Markup {
  const width = 132;
  const height = 24;
  const shares = series.map(([calls, faulty]) => (calls === 0 ? undefined : faulty / calls));
  const known = shares.flatMap((share, index) => (share === undefined ? [] : [{ share, index }]));
  const last = known.at(-1);
  const first = known[0];
  if (last === undefined || first === undefined) return asMarkup("");
  const most = known.reduce((best, one) => (one.share > best.share ? one : best), first);
  const x = (index: number) =>
    Math.round((3 + ((width - 6) * index) / Math.max(1, series.length - 1)) * 10) / 10;
  const y = (share: number) =>
    Math.round((height - 3 - (most.share === 0 ? 0 : ((height - 6) * share) / most.share)) * 10) /
    10;
  const path = shares
    .map((share, index) =>
      share === undefined
        ? ""
        : `${shares[index - 1] === undefined ? "M" : "L"}${x(index)} ${y(share)}h0`,
    )
    .join("");
  const when = (index: number) => showStep(steps[index]?.t ?? "", hours);
  const text = `${printName(name)}: ${showPercent(first.share)} faulty at first, ${showPercent(last.share)} at last, at most ${showPercent(most.share)} (${when(most.index)})`;
  return html`<svg width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${text}"><title>${text}</title><path d="${path}" class="spark"/><circle cx="${x(last.index)}" cy="${y(last.share)}" r="2.5" class="dot"/></svg>`;
}
