import { printName } from "../../print-name.ts";
import { showCount, showDay, showShare } from "../format.ts";
import type { Report, ReportFault, ReportNews } from "../report.ts";
import { html, type Markup } from "./html.ts";
import { sortableHead } from "./sortable-head.ts";

const MOST_FAULTS = 80;
const MOST_FIXERS = 40;
const MOST_NEWS = 40;

/**
 * Draws which faults there were, and which fixers and edits mended them.
 *
 * @param report The report.
 */
export function drawFaults({ faults, fixers }: Report): Markup {
  return html`
<section aria-labelledby="faults">
<h2 id="faults">Fault kinds</h2>
<p class="note">What the schema had against which place of an input; <code>*</code> stands for each item of a list. A call with two faults is in two rows.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Table of faults">
<table>${sortableHead([
    { name: "tool", kind: "text" },
    { name: "place", kind: "text" },
    { name: "fault", kind: "text" },
    { name: "times", sorted: "descending" },
    { name: "ran all the same" },
    { name: "models", kind: "none" },
  ])}
<tbody>${faults.slice(0, MOST_FAULTS).map(drawFault)}</tbody>
${more(faults, MOST_FAULTS, 6)}
</table></div>
<h3>What mended them</h3>
${
  fixers.length === 0
    ? html`<p class="note">Nothing was changed.</p>`
    : html`<div class="scroll" tabindex="0" role="region" aria-label="Fixers and edits">
<table>${sortableHead([
        { name: "fixer or edit", kind: "text" },
        { name: "level", kind: "text" },
        { name: "times", sorted: "descending" },
        { name: "tools", kind: "none" },
      ])}
<tbody>${fixers.slice(0, MOST_FIXERS).map(({ fixer, level, count, tools }) => {
        const name = printName(fixer);
        const names = tools.map((tool) => printName(tool));
        return html`<tr data-find="${[name, ...names].join(" ")}"><th scope="row" data-v="${name}"><code>${name}</code></th><td data-v="${level}">${printName(level)}</td><td class="n" data-v="${count}">${showCount(count)}</td><td class="small soft">${showFirst(names)}</td></tr>`;
      })}</tbody>
${more(fixers, MOST_FIXERS, 4)}
</table></div>`
}
</section>`;
}

function drawFault({ tool, path, code, expected, count, ran, models }: ReportFault): Markup {
  const names = models.map(({ name, count: times }) => `${printName(name)} ${showCount(times)}`);
  const place = showPlace(path);
  const wanted = expected === undefined ? "" : `wants ${printName(expected, 60)}`;
  return html`<tr data-find="${[printName(tool), place, printName(code), ...names].join(" ")}"><th scope="row" data-v="${printName(tool)}">${printName(tool)}</th><td data-v="${place}"><code>${place}</code></td><td data-v="${printName(code)}"><code>${printName(code)}</code> <span class="small soft">${wanted}</span></td><td class="n" data-v="${count}">${showCount(count)}</td><td class="n" data-v="${ran / count}">${showShare(ran, count)}</td><td class="small soft">${showFirst(names)}</td></tr>`;
}

/** A place as people are shown it. */
export function showPlace(path: string): string {
  return path === "" ? "the whole input" : printName(path);
}

/** The first of many names. */
function showFirst(names: readonly string[]): string {
  const shown = names.slice(0, 4).join(", ");
  return names.length > 4 ? `${shown} and ${showCount(names.length - 4)} more` : shown;
}

function more(
  all: readonly { readonly count: number }[],
  most: number,
  columns: number,
): Markup | undefined {
  const rest = all.slice(most);
  if (rest.length === 0) return undefined;
  const count = rest.reduce((sum, one) => sum + one.count, 0);
  return html`<tfoot><tr><td colspan="${columns}">${showCount(rest.length)} more, ${showCount(count)} times; --json has all.</td></tr></tfoot>`;
}

/**
 * Draws what the period has and the time before has not.
 *
 * @param news What is new.
 */
export function drawNews(news: Report["news"]): Markup | undefined {
  if (news === undefined) return undefined;
  const { since, comparedFrom, items } = news;
  return html`
<section aria-labelledby="news">
<h2 id="news">Newly appeared</h2>
<p class="note">Seen since ${showDay(since)}, and not from ${showDay(comparedFrom)} until then.</p>
${
  items.length === 0
    ? html`<p class="note">Nothing.</p>`
    : html`<div class="scroll" tabindex="0" role="region" aria-label="Table of what is new">
<table>${sortableHead([
        { name: "what", kind: "text" },
        { name: "new is", kind: "text" },
        { name: "of tool", kind: "text" },
        { name: "times", sorted: "descending" },
        { name: "first", kind: "text" },
      ])}
<tbody>${items.slice(0, MOST_NEWS).map(drawItem)}</tbody>
${more(items, MOST_NEWS, 5)}
</table></div>`
}
</section>`;
}

function drawItem({ kind, name, tool, count, first }: ReportNews): Markup {
  const shown = printName(name);
  const of = tool === undefined ? "" : printName(tool);
  return html`<tr data-find="${shown} ${of}"><th scope="row" data-v="${shown}"><code>${shown}</code></th><td data-v="${kind}">a ${kind}</td><td data-v="${of}">${of}</td><td class="n" data-v="${count}">${showCount(count)}</td><td data-v="${first}">${showDay(first)}</td></tr>`;
}
