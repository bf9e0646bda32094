/**
 * The page's style. Blue and orange on grey are told apart with every kind of colour vision; what
 * is not run is hatched besides, and every number is written out.
 */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --page: #f6f7f8; --card: #ffffff; --ink: #1a1f26; --soft: #56606d; --line: #e1e4e8; --rule: #cfd4da;
  --accent: #1d5fb8; --valid: #c5ccd5; --mended: #2f7de0; --stopped: #d4570e; --stopped-ink: #a8420a; --mark: #6b3fa0;
  --h0: #f3f4f6; --h1: #fdeee3; --h2: #fbdcc5; --h3: #f7c19b; --h4: #f0a06b; --h5: #b54f12; --h6: #7a3107;
  --h5-ink: #ffffff; --h6-ink: #ffffff; --heat-ink: #1a1f26; --focus: #1d5fb8;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #101317; --card: #171b20; --ink: #e9ecf0; --soft: #a5afbb; --line: #282e36; --rule: #3a424c;
    --accent: #7db4ff; --valid: #4a5461; --mended: #4f9bff; --stopped: #f08a4b; --stopped-ink: #ffa873; --mark: #c3a1f0;
    --h0: #1e232a; --h1: #2c2623; --h2: #432f23; --h3: #623c23; --h4: #8a4d22; --h5: #d9783a; --h6: #ffa76a;
    --h5-ink: #14100d; --h6-ink: #14100d; --heat-ink: #f3ede8; --focus: #7db4ff;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 4.5rem; }
body {
  margin: 0; background: var(--page); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  font-variant-numeric: tabular-nums;
}
.wrap { max-width: 1136px; margin: 0 auto; padding: 0 24px; }
.skip { position: absolute; left: -999px; top: 0; background: var(--card); color: var(--accent); padding: 8px 16px; z-index: 3; }
.skip:focus { left: 8px; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 3px; }
header.wrap { padding-top: 40px; padding-bottom: 20px; }
h1 { font-size: 26px; line-height: 1.2; letter-spacing: -0.015em; margin: 0 0 4px; font-weight: 650; }
h1 span { color: var(--soft); font-weight: 450; }
.lead { color: var(--soft); margin: 0; max-width: 68ch; }
h2 { font-size: 18px; line-height: 1.3; letter-spacing: -0.01em; margin: 0 0 2px; font-weight: 650; }
h3 { font-size: 14px; margin: 24px 0 8px; font-weight: 650; }
.note { color: var(--soft); font-size: 13px; margin: 0 0 16px; max-width: 92ch; }
.figures { display: grid; grid-template-columns: repeat(4, 1fr); gap: 16px; margin: 24px 0 0; padding: 0; }
.figures div { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 14px 18px 16px; }
.figures dt { color: var(--soft); font-size: 13px; }
.figures dd { margin: 0; font-size: 30px; line-height: 1.15; font-weight: 620; letter-spacing: -0.02em; }
.figures small { display: block; font-size: 13px; line-height: 1.4; font-weight: 400; letter-spacing: 0; color: var(--soft); margin-top: 4px; }
.bar { position: sticky; top: 0; z-index: 2; background: var(--page); border-bottom: 1px solid var(--line); }
.bar .wrap { display: flex; gap: 8px 20px; align-items: center; flex-wrap: wrap; padding-top: 8px; padding-bottom: 8px; }
.bar nav { flex: 1; min-width: 0; }
.bar ul { display: flex; gap: 4px 18px; flex-wrap: wrap; list-style: none; margin: 0; padding: 0; font-size: 13px; }
a { color: var(--accent); text-underline-offset: 2px; }
.bar a { color: var(--soft); text-decoration: none; }
.bar a:hover { color: var(--ink); text-decoration: underline; }
.find { display: flex; gap: 8px; align-items: center; font-size: 13px; }
.find input {
  font: inherit; color: inherit; background: var(--card); border: 1px solid var(--rule); border-radius: 7px;
  padding: 5px 10px; width: 220px; min-width: 0;
}
.find output { color: var(--soft); white-space: nowrap; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 22px 24px 24px; margin: 20px 0; }
.scroll { overflow-x: auto; margin: 0 -24px; padding: 0 24px; }
table { border-collapse: collapse; width: 100%; font-size: 13.5px; }
caption { text-align: left; color: var(--soft); font-size: 13px; padding: 0 0 8px; }
th, td { text-align: left; vertical-align: middle; padding: 7px 14px 7px 0; border-bottom: 1px solid var(--line); }
th:last-child, td:last-child { padding-right: 0; }
tbody tr:last-child > * { border-bottom: 0; }
thead th { font-weight: 550; color: var(--soft); font-size: 12.5px; white-space: nowrap; border-bottom-color: var(--rule); vertical-align: bottom; }
tbody th { font-weight: 550; overflow-wrap: break-word; }
.n { text-align: right; white-space: nowrap; }
tfoot th, tfoot td { border-top: 1px solid var(--rule); border-bottom: 0; color: var(--soft); font-weight: 550; }
tbody tr:hover > * { background: color-mix(in srgb, var(--line) 40%, transparent); }
th button { font: inherit; color: inherit; background: none; border: 0; padding: 0; cursor: pointer; }
th button:hover { color: var(--ink); }
th button i { font-style: normal; display: inline-block; width: 1em; text-align: center; opacity: 0.45; }
th[aria-sort] button { color: var(--ink); }
th[aria-sort] button i { opacity: 1; }
code, .code { font: 12.5px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; overflow-wrap: break-word; }
.soft { color: var(--soft); }
.small { font-size: 12.5px; }
.tag { display: inline-block; border: 1px dashed var(--rule); border-radius: 4px; color: var(--soft); font-size: 11px; line-height: 1.4; padding: 0 5px; margin-left: 6px; font-weight: 450; white-space: nowrap; }
.few td { color: var(--soft); }
svg { display: block; overflow: visible; }
svg text { fill: var(--soft); font: 12px system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif; font-variant-numeric: tabular-nums; }
.chart svg { width: 100%; height: auto; }
.chart .narrow { display: none; }
.title { font-weight: 600; }
svg text.title { fill: var(--ink); font-weight: 600; }
.grid { stroke: var(--line); } .base { stroke: var(--rule); }
.valid { fill: var(--valid); } .mended { fill: var(--mended); } .stopped { fill: var(--stopped); } .hatch { stroke: var(--card); stroke-opacity: 0.55; }
.mark { stroke: var(--mark); stroke-dasharray: 3 3; } svg text.mark-name { fill: var(--mark); font-weight: 650; stroke: none; }
.hover { fill: transparent; } .hover:hover { fill: color-mix(in srgb, var(--ink) 8%, transparent); }
.spark { fill: none; stroke: var(--stopped); stroke-width: 1.5; stroke-linejoin: round; stroke-linecap: round; } .dot { fill: var(--stopped); }
.share { display: flex; align-items: center; gap: 10px; white-space: nowrap; } .share b { min-width: 3.4em; text-align: right; font-weight: 600; }
.reach { stroke: var(--soft); stroke-width: 1.5; } .point { fill: var(--ink); } .rail { stroke: var(--line); }
.legend { display: flex; flex-wrap: wrap; gap: 4px 20px; list-style: none; margin: 0 0 12px; padding: 0; font-size: 13px; }
.legend li { display: flex; align-items: center; gap: 7px; }
.legend svg { flex: none; }
.heat { width: auto; }
.heat td { text-align: center; padding: 3px; border: 0; min-width: 96px; width: 136px; }
.heat th { border: 0; } .heat tbody th { min-width: 11em; padding-right: 20px; }
.heat thead th { text-align: center; padding: 3px 6px; white-space: normal; overflow-wrap: anywhere; }
.heat thead th:first-child { text-align: left; padding-left: 0; }
.heat td div { border-radius: 5px; padding: 5px 4px; color: var(--heat-ink); line-height: 1.25; border: 1px solid transparent; }
.heat td small { display: block; font-size: 11px; }
.heat tbody tr:hover > * { background: none; }
.h0 { background: var(--h0); } .h1 { background: var(--h1); } .h2 { background: var(--h2); } .h3 { background: var(--h3); } .h4 { background: var(--h4); }
.heat td .h5 { background: var(--h5); color: var(--h5-ink); } .heat td .h6 { background: var(--h6); color: var(--h6-ink); }
.heat td .none { color: var(--soft); } .heat td .rare { border: 1px dashed var(--soft); }
.key { display: inline-block; width: 18px; height: 14px; border-radius: 3px; border: 1px solid var(--line); } .key.h5 { background: var(--h5); } .key.h6 { background: var(--h6); }
.key.rare { border: 1px dashed var(--soft); }
details > summary { cursor: pointer; color: var(--accent); font-size: 13px; width: fit-content; }
details[open] > summary { margin-bottom: 10px; }
.chart + details { margin-top: 14px; }
.two { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; margin: 8px 0 4px; }
.two h3 { margin: 0 0 4px; font-size: 12.5px; font-weight: 550; color: var(--soft); }
pre { margin: 0; padding: 10px 12px; background: var(--page); border: 1px solid var(--line); border-radius: 7px; white-space: pre-wrap; overflow-wrap: anywhere; }
pre.code { font-size: 12px; }
.short tbody tr:nth-child(n+13), .short > li:nth-child(n+9) { display: none; }
button.all { font: inherit; font-size: 13px; color: var(--accent); background: none; border: 0; padding: 10px 0 0; cursor: pointer; } button.all:hover { text-decoration: underline; }
.refusals { list-style: none; margin: 0; padding: 0; }
.refusals > li { border-top: 1px solid var(--line); padding: 12px 0; }
.refusals > li:first-child { border-top: 0; padding-top: 0; }
.refusals > li:last-child { padding-bottom: 0; }
.refusals p { margin: 0; } .refusals .what { display: flex; gap: 2px 16px; flex-wrap: wrap; justify-content: space-between; }
.refusals ul { margin: 2px 0 4px; padding: 0 0 0 18px; font-size: 13.5px; }
p.facts { margin-top: 8px; color: var(--soft); } .refusals pre { margin-top: 6px; }
button.copy { float: right; margin-left: 16px; font: inherit; font-size: 13px; color: var(--accent); background: var(--card); border: 1px solid var(--rule); border-radius: 7px; padding: 3px 12px; cursor: pointer; }
footer { color: var(--soft); font-size: 13px; padding: 4px 0 48px; }
footer p { margin: 0 0 6px; max-width: 88ch; }
[hidden] { display: none !important; }
@media (max-width: 720px) {
  .wrap { padding: 0 16px; }
  header.wrap { padding-top: 24px; padding-bottom: 12px; }
  h1 { font-size: 22px; }
  .figures { grid-template-columns: 1fr 1fr; gap: 10px; margin-top: 16px; }
  .figures div { padding: 10px 14px 12px; }
  .figures dd { font-size: 24px; }
  section { padding: 18px 16px; margin: 14px 0; }
  .scroll { margin: 0 -16px; padding: 0 16px; }
  .bar { position: static; }
  .find { width: 100%; } .find label { display: none; } .find input { flex: 1; }
  .chart .wide { display: none; } .chart .narrow { display: block; }
  .two { grid-template-columns: 1fr; }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
@media (forced-colors: active) { .valid, .mended, .stopped { stroke: CanvasText; } }
@media print {
  :root {
    color-scheme: light;
    --page: #ffffff; --card: #ffffff; --ink: #000000; --soft: #444444; --line: #dddddd; --rule: #999999;
    --accent: #000000; --valid: #c5ccd5; --mended: #2f7de0; --stopped: #d4570e; --mark: #6b3fa0;
    --h0: #f3f4f6; --h1: #fdeee3; --h2: #fbdcc5; --h3: #f7c19b; --h4: #f0a06b; --h5: #e58445; --h6: #d4570e;
    --h5-ink: #000000; --h6-ink: #000000; --heat-ink: #000000;
  }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  body { font-size: 10.5pt; }
  .bar, .skip, button.copy, button.all { display: none; }
  .short tbody tr:nth-child(n+13) { display: table-row; } .short > li:nth-child(n+9) { display: list-item; }
  header.wrap { padding-top: 0; }
  section { border: 0; padding: 0; margin: 18pt 0; break-inside: auto; }
  h2, h3, .note { break-after: avoid; } tr, .chart, .refusals > li, .figures { break-inside: avoid; }
  thead { display: table-header-group; } .scroll { overflow: visible; margin: 0; padding: 0; }
}
`;
