import { createHash } from "node:crypto";
import { printName } from "../../print-name.ts";
import { wilsonInterval } from "../../wilson-interval.ts";
import { faultyCount, notRunCount, repairedCount } from "../create-tally.ts";
import { showCount, showDay, showPeriod, showRange, showShare } from "../format.ts";
import type { Report } from "../report.ts";
import { drawFaults, drawNews } from "./fault-tables.ts";
import { drawHeatMap } from "./heat-map.ts";
import { asMarkup, html, type Markup } from "./html.ts";
import { drawOverTime } from "./over-time.ts";
import { PAGE_SCRIPT } from "./page-script.ts";
import { PAGE_STYLE } from "./page-style.ts";
import { drawRefusals } from "./refusals.ts";
import { drawRows } from "./rows-table.ts";
import { drawSuggestions } from "./suggestions.ts";

/**
 * Writes a report as one HTML page, which holds all that it needs and asks nothing of the network:
 * its Content-Security-Policy allows its own style and script by their hashes, and nothing else.
 *
 * @param report The report.
 * @returns The page.
 */
export function writePage(report: Report): string {
  const period = periodOf(report);
  const policy = `default-src 'none'; style-src '${hashOf(PAGE_STYLE)}'; script-src '${hashOf(PAGE_SCRIPT)}'; base-uri 'none'; form-action 'none'`;
  const isEmpty = report.total.calls === 0;
  const sections = isEmpty
    ? []
    : [
        drawOverTime(report.overTime),
        drawRows(report),
        drawHeatMap(report.heat),
        ...(report.faults.length === 0 ? [] : [drawFaults(report)]),
        drawNews(report.news),
        drawRefusals(report),
        ...(report.suggestions === undefined ? [] : [drawSuggestions(report.suggestions)]),
      ];
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${asMarkup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>toolmend report: ${period}</title>
<style>${asMarkup(PAGE_STYLE)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the report</a>
<header class="wrap">
<h1>Tool inputs <span>${period}</span></h1>
<p class="lead">${lead(report)}</p>
${isEmpty ? undefined : drawFigures(report)}
</header>
${isEmpty ? undefined : drawBar(report)}
<main id="main" class="wrap">${sections}</main>
<footer class="wrap">${drawSources(report)}</footer>
<script>${asMarkup(PAGE_SCRIPT)}</script>
</body>
</html>
`;
  return page.markup;
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

function periodOf({ from, to }: Report): string {
  return from === undefined || to === undefined ? "no calls" : showPeriod(from, to);
}

function lead({ total, since, heat }: Report): string {
  if (total.calls === 0) {
    return since === undefined
      ? "The logs hold no calls."
      : `There are no calls since ${showDay(since)}.`;
  }
  const count = (n: number, what: string) => `${showCount(n)} ${what}${n === 1 ? "" : "s"}`;
  return `What became of the calls of ${count(heat.tools.length, "tool")} by ${count(heat.models.length, "model")}.`;
}

function drawFigures({ total }: Report): Markup {
  const faulty = faultyCount(total);
  const repaired = repairedCount(total);
  return html`<dl class="figures">
<div><dt>Calls</dt><dd>${showCount(total.calls)}<small>${showCount(total.valid)} valid as they were</small></dd></div>
<div><dt>Faulty</dt><dd>${showShare(faulty, total.calls)}<small>${showCount(faulty)} calls; 95% interval ${showRange(wilsonInterval(faulty, total.calls))}</small></dd></div>
<div><dt>Made right</dt><dd>${showShare(repaired, faulty)}<small>of the faulty: ${showCount(repaired)} calls ran</small></dd></div>
<div><dt>Not run</dt><dd>${showCount(notRunCount(total))}<small>${showCount(total.refused)} refused, ${
    total.answered > 0 ? `${showCount(total.answered)} answered, ` : ""
  }${showCount(total.correctedLater)} corrected later</small></dd></div>
</dl>`;
}

function drawBar({ by, faults, news, refusals, suggestions }: Report): Markup {
  const links = [
    ["over-time", "Over time"],
    ["rows", by === "tool" ? "Tools" : "Models"],
    ["heat", "Tools and models"],
    ...(faults.length === 0 ? [] : [["faults", "Fault kinds"]]),
    ...(news === undefined ? [] : [["news", "Newly appeared"]]),
    ...(refusals.length === 0 ? [] : [["refused", "Refused"]]),
    ...(suggestions === undefined ? [] : [["suggestions", "Suggestions"]]),
  ];
  return html`<div class="bar"><div class="wrap"><nav aria-label="Sections"><ul>${links.map(
    ([id, name]) => html`<li><a href="#${id}">${name}</a></li>`,
  )}</ul></nav><div class="find" role="search" hidden><label for="find">Find</label><input id="find" type="search" placeholder="tool, model or fault" autocomplete="off"><output for="find" aria-live="polite"></output></div></div></div>`;
}

function drawSources({ read, since }: Report): Markup {
  const passed = [
    ...(read.torn > 0 ? [`${showCount(read.torn)} torn`] : []),
    ...(read.foreign > 0 ? [`${showCount(read.foreign)} of another kind`] : []),
    ...(read.newer > 0 ? [`${showCount(read.newer)} of a later version of toolmend`] : []),
  ];
  return html`<p>Made of ${showCount(read.lines)} lines of ${showCount(read.files)} ${
    read.files === 1 ? "file" : "files"
  }${since === undefined ? "" : `; ${showCount(read.before)} of them are from before ${showDay(since)} and only compared with`}.${
    passed.length > 0 ? ` Passed over: ${passed.join(", ")}.` : ""
  }${read.cut.length > 0 ? ` Ended too early: ${read.cut.map((name) => printName(name)).join(", ")}.` : ""}</p>
<p>Days are those of UTC. Made by <code>toolmend report</code>; this page asks nothing of the network.</p>`;
}
