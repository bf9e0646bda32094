import { printName } from "../../print-name.ts";
import { showCount, showDay } from "../format.ts";
import type { Report, ReportRefusal } from "../report.ts";
import { showPlace } from "./fault-tables.ts";
import { html, type Markup } from "./html.ts";

const MOST = 40;

/** How much of an input is shown, in characters. */
const EXAMPLE = 600;

/**
 * Draws which calls were refused: what was wrong, and, where the log holds it, what a model wrote
 * and what took its place.
 *
 * @param report The report.
 */
export function drawRefusals({ refusals, total }: Report): Markup | undefined {
  if (refusals.length === 0) return undefined;
  const rest = refusals.slice(MOST);
  const hasInputs = refusals.some(({ raw }) => raw !== undefined);
  return html`
<section aria-labelledby="refused">
<h2 id="refused">Refused</h2>
<p class="note">${showCount(total.refused)} calls were not run, because no repair was sure. ${
    hasInputs
      ? "Below each is what a model last wrote, and what took its place where that is known."
      : 'What models wrote is not in these logs: a sink with content: "full" records it.'
  }</p>
<ol class="refusals">${refusals.slice(0, MOST).map(drawRefusal)}</ol>
${
  rest.length === 0
    ? undefined
    : html`<p class="note">${showCount(rest.length)} more kinds, ${showCount(
        rest.reduce((sum, { count }) => sum + count, 0),
      )} calls; --json has all.</p>`
}
</section>`;
}

function drawRefusal({
  tool,
  issues,
  count,
  correctedLater,
  last,
  ...more
}: ReportRefusal): Markup {
  const places = issues.map(({ path, code }) => `${showPlace(path)} ${printName(code)}`);
  return html`<li data-find="${[printName(tool), ...places].join(" ")}">
<p class="what"><b>${printName(tool)}</b> <span class="soft small"><b>${showCount(count)}</b> refused, ${showCount(correctedLater)} corrected later; last on ${showDay(last)}</span></p>
<ul>${issues
    .slice(0, 6)
    .map(
      ({ path, code, expected }) =>
        html`<li><code>${showPlace(path)}</code> ${printName(code)}${
          expected === undefined ? "" : `: wants ${printName(expected, 120)}`
        }</li>`,
    )}${issues.length > 6 ? html`<li>and ${showCount(issues.length - 6)} more</li>` : undefined}</ul>
${drawExample(more)}</li>`;
}

const SOURCES: Readonly<Record<string, string>> = {
  human: "What a person put in its place",
  handler: "What the handler put in its place",
  "self-correct": "What the model wrote when it was asked again",
  "later-call": "What the model called later",
};

function drawExample({ raw, correction }: Pick<ReportRefusal, "raw" | "correction">) {
  if (raw === undefined) return undefined;
  return html`<details><summary>An example</summary>
<div class="two"><div><h3>What the model wrote</h3><pre class="code">${printName(raw, EXAMPLE)}</pre></div>${
    correction?.toolInput === undefined
      ? undefined
      : html`<div><h3>${SOURCES[correction.source] ?? "What took its place"}</h3><pre class="code">${printName(correction.toolInput, EXAMPLE)}</pre></div>`
  }</div></details>`;
}
