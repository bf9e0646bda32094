import { printName } from "../../print-name.ts";
import { faultyCount, notRunCount, repairedCount } from "../create-tally.ts";
import { showCompact, showCount, showDay, showShare, showStep } from "../format.ts";
import type { Report, Tally } from "../report.ts";
import { asMarkup, html, type Markup } from "./html.ts";

/** The most changes of a schema that are marked in the chart; the table has all. */
const MARKS = 12;

type Step = Report["overTime"]["steps"][number];

/** One of the chart's two panels. */
interface Panel {
  readonly title: string;
  readonly top: number;
  readonly height: number;
  /** What is stacked, from the bottom. */
  readonly layers: readonly { readonly name: string; heightOf(step: Tally): number }[];
  showTick(value: number): string;
}

/**
 * Draws calls over time, and the share of them that were faulty, with marks where a tool was given
 * another schema; the numbers follow as a table.
 *
 * @param overTime The steps and the marks.
 */
export function drawOverTime({ steps, changes, hours }: Report["overTime"]): Markup {
  const unit = { 1: "hour", 24: "day", 168: "week" }[hours] ?? `${hours / 24} days`;
  const marks = changes.slice(0, MARKS);
  return html`
<section aria-labelledby="over-time">
<h2 id="over-time">Over time</h2>
<p class="note">Each step is one ${unit}, in UTC.${
    marks.length > 0
      ? " A numbered line marks where a tool was first seen with another schema."
      : ""
  }</p>
<ul class="legend">
<li>${legendKey("valid")}valid</li><li>${legendKey("mended")}made right and run</li><li>${legendKey("stopped")}not run</li>
</ul>
<div class="chart">${drawChart({ steps, marks, hours, width: 1040 })}${drawChart({ steps, marks, hours, width: 360 })}</div>
<details><summary>The numbers of the chart</summary>
<div class="scroll" tabindex="0" role="region" aria-label="Calls over time, as a table">
<table><caption>Calls over time</caption>
<thead><tr><th scope="col">${unit}</th><th scope="col" class="n">calls</th><th scope="col" class="n">valid</th><th scope="col" class="n">made right</th><th scope="col" class="n">not run</th><th scope="col" class="n">faulty</th><th scope="col">schema changed</th></tr></thead>
<tbody>${steps.map((step, index) => tableRow(step, hours, changesIn(changes, steps, index)))}</tbody>
</table></div></details>
${changeList(changes)}
</section>`;
}

function legendKey(kind: string): Markup {
  const hatch = kind === "stopped" ? '<path d="M0 14 14 0" class="hatch"/>' : "";
  return asMarkup(
    `<svg width="14" height="14" aria-hidden="true"><rect width="14" height="14" rx="3" class="${kind}"/>${hatch}</svg>`,
  );
}

function tableRow(step: Step, hours: number, changes: Report["overTime"]["changes"]): Markup {
  return html`<tr><th scope="row">${showStep(step.t, hours)}</th><td class="n">${showCount(step.calls)}</td><td class="n">${showCount(step.valid)}</td><td class="n">${showCount(repairedCount(step))}</td><td class="n">${showCount(notRunCount(step))}</td><td class="n">${showShare(faultyCount(step), step.calls)}</td><td>${changes.map(({ tool }) => printName(tool)).join(", ")}</td></tr>`;
}

function changesIn(
  changes: Report["overTime"]["changes"],
  steps: readonly Step[],
  index: number,
): Report["overTime"]["changes"] {
  const start = steps[index]?.t ?? "";
  const end = steps[index + 1]?.t ?? "~";
  return changes.filter(({ t }) => t >= start && t < end);
}

function changeList(changes: Report["overTime"]["changes"]): Markup | undefined {
  if (changes.length === 0) return undefined;
  const shown = changes.slice(0, MARKS);
  return html`<h3>Schemas that changed</h3>
<ol class="small">${shown.map(
    ({ t, tool, schema }) =>
      html`<li><b>${printName(tool)}</b> <span class="soft">to ${printName(schema)}, first seen ${showDay(t)}</span></li>`,
  )}</ol>${
    changes.length > MARKS
      ? html`<p class="note">And ${showCount(changes.length - MARKS)} more, in the table above.</p>`
      : undefined
  }`;
}

interface Chart {
  readonly steps: readonly Step[];
  readonly marks: Report["overTime"]["changes"];
  readonly hours: number;
  readonly width: number;
}

/** Drawn for a wide and for a narrow screen: text that is scaled down cannot be read. */
function drawChart({ steps, marks, hours, width }: Chart): Markup {
  const isWide = width > 600;
  const left = 44;
  const right = width - 8;
  const panels: readonly Panel[] = [
    {
      title: "Calls",
      top: 34,
      height: isWide ? 150 : 110,
      layers: [
        { name: "valid", heightOf: ({ valid }) => valid },
        { name: "mended", heightOf: repairedCount },
        { name: "stopped", heightOf: notRunCount },
      ],
      showTick: showCompact,
    },
    {
      title: "Share of calls that were faulty",
      top: isWide ? 234 : 194,
      height: isWide ? 120 : 100,
      layers: [
        {
          name: "mended",
          heightOf: (step) => (step.calls === 0 ? 0 : repairedCount(step) / step.calls),
        },
        {
          name: "stopped",
          heightOf: (step) => (step.calls === 0 ? 0 : notRunCount(step) / step.calls),
        },
      ],
      showTick: (share) => `${Number((share * 100).toFixed(2))}%`,
    },
  ];
  const bottom = (panels[1]?.top ?? 0) + (panels[1]?.height ?? 0);
  const x = (index: number) => round(left + ((right - left) * index) / Math.max(1, steps.length));
  const first = steps[0]?.t ?? "";
  const from = Date.parse(first);
  const to = from + steps.length * hours * 3_600_000;
  const xOfTime = (t: string) =>
    round(left + ((right - left) * (Date.parse(t) - from)) / Math.max(1, to - from));
  const every = Math.max(1, Math.ceil(steps.length / (isWide ? 10 : 4)));
  const hatch = `hatch-${width}`;
  const parts = [
    `<defs><pattern id="${hatch}" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0V5" class="hatch" stroke-width="1.6"/></pattern></defs>`,
    ...panels.map((panel) => drawPanel(panel, { steps, x, left, right, hatch })),
    ...steps.map((step, index) =>
      index % every === 0
        ? `<text x="${x(index)}" y="${bottom + 18}">${hours < 24 && index > 0 && !step.t.includes("T00") ? step.t.slice(11, 16) : showStep(step.t, Math.max(24, hours))}</text>`
        : "",
    ),
    ...marks.map(({ t }, index) => {
      const at = xOfTime(t);
      return `<path d="M${at} 22V${bottom}" class="mark"/><text x="${at}" y="16" text-anchor="middle" class="mark-name">${index + 1}</text>`;
    }),
  ];
  const titles = steps.map((step, index) => {
    const text = `${showStep(step.t, hours)}: ${showCount(step.calls)} calls, ${showCount(repairedCount(step))} made right, ${showCount(notRunCount(step))} not run (${showShare(faultyCount(step), step.calls)} faulty)`;
    return `<rect x="${x(index)}" y="24" width="${round(x(index + 1) - x(index))}" height="${bottom - 24}" class="hover"><title>${text}</title></rect>`;
  });
  const name = `Calls over time, and the share of them that were faulty; the numbers are in the table that follows`;
  return asMarkup(
    `<svg class="${isWide ? "wide" : "narrow"}" viewBox="0 0 ${width} ${bottom + 24}" role="img" aria-label="${name}"><title>${name}</title>${parts.join("")}${titles.join("")}</svg>`,
  );
}

interface Scale {
  readonly steps: readonly Step[];
  x(index: number): number;
  readonly left: number;
  readonly right: number;
  readonly hatch: string;
}

function drawPanel({ title, top, height, layers, showTick }: Panel, scale: Scale): string {
  const { steps, x, left, right, hatch } = scale;
  const sums = steps.map((step) => layers.reduce((sum, { heightOf }) => sum + heightOf(step), 0));
  const ticks = niceTicks(Math.max(...sums, 0));
  const most = ticks.at(-1) ?? 1;
  const y = (value: number) => round(top + height - (height * value) / most);
  const grid = ticks.map(
    (tick, index) =>
      `<path d="M${left} ${y(tick)}H${right}" class="${index === 0 ? "base" : "grid"}"/><text x="${left - 8}" y="${y(tick) + 4}" text-anchor="end">${showTick(tick)}</text>`,
  );
  const below = steps.map(() => 0);
  const areas = layers.map(({ name, heightOf }) => {
    const floor = [...below];
    for (const [index, step] of steps.entries())
      below[index] = (below[index] ?? 0) + heightOf(step);
    const there = below.map(
      (value, index) =>
        `${index === 0 ? "M" : "V"}${index === 0 ? `${x(0)} ` : ""}${y(value)}H${x(index + 1)}`,
    );
    const back = floor.map((_, index) => {
      const last = floor.length - 1 - index;
      return `V${y(floor[last] ?? 0)}H${x(last)}`;
    });
    const d = `${there.join("")}${back.join("")}Z`;
    const hatched = name === "stopped" ? `<path d="${d}" fill="url(#${hatch})"/>` : "";
    return `<path d="${d}" class="${name}"/>${hatched}`;
  });
  return `${grid.join("")}${areas.join("")}<text x="${left}" y="${top - 10}" class="title">${title}</text>`;
}

/** Round numbers from nothing to at least the most, three to five of them. */
function niceTicks(most: number): readonly number[] {
  if (most <= 0) return [0, 1];
  const rough = most / 3;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((one) => one * power >= rough) ?? 10) * power;
  const count = Math.ceil(most / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
