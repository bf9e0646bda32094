import { createHash } from "node:crypto";
import { printCount, printName, showCount } from "../print-name.ts";
import {
  evidenceOf,
  type Suggestion,
  withVerdict,
} from "../suggest/suggestion.ts";
import type { Report } from "./collect-report.ts";
import { type SummaryPart, summarizeReport } from "./summarize-report.ts";

/**
 * So many rows stand before a fold, and so many are on the page at all; --json
 * has every one.
 */
const BEFORE_FOLD = 20;
const MOST = 500;

/**
 * Writes a report as one HTML page without script, network or inputs: its
 * policy allows its own style only.
 */
export function writePage(report: Report): string {
  const { period, figures, ignored, parts } = summarizeReport(report);
  const { read, suggestions: { suggestions: suggested = [] } = {} } = report;
  const hash = createHash("sha256").update(STYLE).digest("base64");
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${ownMarkup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>toolmend report: ${period}</title>
<style>${ownMarkup(STYLE)}</style>
</head>
<body>
<header>
<h1>toolmend: tool inputs <span>${period}</span></h1>
<p class="soft">${printCount(report.tools, "tool")}, ${printCount(report.models, "model")}</p>
<dl class="figures">${figures.map(
    ([name, figure, note]) =>
      html`<div><dt>${name}</dt><dd>${figure}<small>${note}</small></dd></div>`,
  )}</dl>
</header>
<main>${parts.map(drawPart)}${suggested.length === 0 ? "" : drawPart(suggestionsPart(suggested))}</main>
<footer><p>Made of ${printCount(read.lines, "line")} of ${printCount(read.files, "file")} by <code>toolmend report</code>.
Days are those of UTC.${ignored.length === 0 ? "" : ` Ignored: ${ignored.join("; ")}.`}</p>
<p>Next: <code>toolmend suggest LOG… --write FILE.mjs</code> finds fixers for what was rejected, and
<code>toolmend replay LOG… --fixers FILE.mjs</code> shows what they would change.</p></footer>
</body>
</html>
`;
  return page.markup;
}

function drawPart({
  title,
  note,
  rows: [head = [], ...rows],
  numbers,
}: SummaryPart): Markup {
  const id = title.toLowerCase();
  const table = (some: readonly (readonly string[])[], label: string) =>
    html`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table>
<thead><tr>${head.map((name, column) => html`<th scope="col"${numbers.includes(column) ? NUMBER : ""}>${name}</th>`)}</tr></thead>
<tbody>${some.map(
      ([name = "", ...cells]) =>
        html`<tr><th scope="row">${name}</th>${cells.map(
          (cell, index) =>
            html`<td${numbers.includes(index + 1) ? NUMBER : ""}>${cell}</td>`,
        )}</tr>
`,
    )}</tbody></table></div>`;
  const folded = rows.slice(BEFORE_FOLD, MOST);
  const more = html`<details><summary>${showCount(folded.length)} more</summary>${table(folded, `The other ${id}`)}</details>`;
  const left = rows.length - MOST;
  return html`
<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${note === undefined ? "" : html`<p class="soft">${note}</p>`}
${table(rows.slice(0, BEFORE_FOLD), `Table of ${id}`)}
${folded.length === 0 ? "" : more}
${left > 0 ? html`<p class="soft">${showCount(left)} more are in --json.</p>` : ""}
</section>`;
}

function suggestionsPart(suggestions: readonly Suggestion[]): SummaryPart {
  const sorted = [
    ...withVerdict(suggestions, "write"),
    ...withVerdict(suggestions, "listed"),
  ];
  return {
    title: "Suggestions",
    note: "From rejected calls and their corrections, which nobody reviewed. toolmend suggest --write writes what is proven.",
    numbers: [],
    rows: [
      ["tool", "fixer", "verdict", "evidence"],
      ...sorted.map((suggestion) => [
        printName(suggestion.tool),
        printName(suggestion.code, 400),
        suggestion.why ?? "proven by structure, and corrections agree",
        evidenceOf(suggestion),
      ]),
    ],
  };
}

/** Markup that is not escaped again. */
interface Markup {
  readonly markup: string;
}

type Part = string | Markup | readonly Part[];

/** Makes markup. Parts that are not markup are escaped. */
function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const toMarkup = (part: Part): string => {
    if (typeof part === "string")
      return part.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
    return "markup" in part ? part.markup : part.map(toMarkup).join("");
  };
  return { markup: String.raw({ raw: texts }, ...parts.map(toMarkup)) };
}

function ownMarkup(markup: string): Markup {
  return { markup };
}

const NUMBER = ownMarkup(' class="n"');

const STYLE = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f6f5f3, #15171a); --card: light-dark(#ffffff, #1d2024); --ink: light-dark(#1b1d21, #eceef1);
  --soft: light-dark(#5a616b, #a3abb6); --line: light-dark(#e3e2de, #33383f);
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 1136px; padding: 24px 16px 48px; background: var(--page); color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif; font-variant-numeric: tabular-nums;
}
h1 { font-size: 26px; line-height: 1.2; margin: 0; }
h1 span { color: var(--soft); font-weight: 450; }
h2 { font-size: 18px; margin: 0; }
p { margin: 4px 0 12px; max-width: 92ch; overflow-wrap: anywhere; }
.soft, small, footer { color: var(--soft); font-size: 13px; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 12px; margin: 16px 0 0; }
.figures div, section { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 14px 18px; }
.figures dt { color: var(--soft); font-size: 13px; }
.figures div { container-type: inline-size; }
.figures dd { margin: 0; font-size: clamp(14px, 15cqi, 28px); line-height: 1.2; font-weight: 620; overflow-wrap: anywhere; }
.figures small { display: block; font-weight: 400; line-height: 1.4; }
section { margin: 16px 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 13.5px; }
th, td { text-align: left; padding: 5px 14px 5px 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; min-width: 5em; }
thead th { color: var(--soft); font-weight: 500; white-space: nowrap; }
tbody th { font-weight: 550; min-width: 9em; }
.n { text-align: right; white-space: nowrap; }
summary { cursor: pointer; padding: 8px 0; font-size: 13px; }
:focus-visible { outline: 2px solid; outline-offset: 2px; }
@media (max-width: 720px) {
  table { min-width: 46em; }
  .scroll::before { content: "Scroll for more columns →"; position: sticky; left: 0; color: var(--soft); font-size: 12px; }
}
@media print {
  :root { color-scheme: light; --page: #fff; }
  section { border: 0; padding: 0; } tr { break-inside: avoid; }
  details::details-content { content-visibility: visible; height: auto; }
}
`;
