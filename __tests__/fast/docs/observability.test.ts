import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { DataPointType, type MetricData } from "@opentelemetry/sdk-metrics";
import { otelSink } from "toolmend/evidence";
import { parse } from "yaml";
import { isLogLine } from "#src/evidence/log-line.ts";
import { ATTRIBUTES, METRICS, REPAIRED_EVENT } from "#src/evidence/otel-sink.ts";
import { repairToolCall } from "#src/repair/repair-tool-call.ts";
import { type StartedMetrics, startMetrics } from "../../support/in-memory-otel.ts";

// The dashboard and the collector's configuration use only names that toolmend exports.

const root = join(__dirname, "..", "..", "..");
const read = (...path: string[]) => readFileSync(join(root, ...path), "utf8");
const page = read("docs", "observe.md");
const collector = read("examples", "observability", "collector.yaml");
const dashboard = JSON.parse(read("examples", "observability", "dashboard.json"));

/** Every quoted string is a value; `$__interval` and the like are Grafana's. */
const WORDS = /"(?:[^"\\]|\\.)*"|\$\w+|\[[^\]]*\]|[A-Za-z_:][\w:]*/g;
const PROMQL = new Set(["sum", "by", "rate", "increase", "topk", "histogram_quantile", "le"]);

/** A metric in Prometheus: its names, and the labels of its series. */
interface Exposed {
  readonly names: readonly string[];
  readonly labels: readonly string[];
}

let exposed: readonly Exposed[] = [];
let metering: StartedMetrics;

beforeAll(async () => {
  metering = startMetrics();
  const schema = {
    type: "object",
    properties: { selector: { type: "string" }, times: { type: "integer" } },
    required: ["selector"],
  };
  // A call through LangChain reports its model, one through core does not.
  const sink = otelSink();
  const onToolCall = [(event: object) => sink({ ...event, model: "m", provider: "p" } as never)];
  for (const args of [{ selector: "#a" }, { selector: "#a", times: "3" }, {}]) {
    await repairToolCall({ name: "click", args }, [{ name: "click", schema }], { onToolCall });
  }
  exposed = (await metering.collect()).map(toPrometheus);
});

afterAll(() => metering.stop());

/** As in OpenTelemetry's specification: units in words, those in braces left out, suffixes by type. */
function toPrometheus({ descriptor, dataPoints, dataPointType }: MetricData): Exposed {
  const unit = { s: "_seconds" }[descriptor.unit] ?? "";
  const name = `${underscored(descriptor.name)}${unit}`;
  const isHistogram = dataPointType === DataPointType.HISTOGRAM;
  const suffixes = isHistogram ? ["_bucket", "_sum", "_count"] : ["_total"];
  const labels = dataPoints.flatMap(({ attributes }) => Object.keys(attributes).map(underscored));
  return { names: suffixes.map((suffix) => `${name}${suffix}`), labels: [...new Set(labels)] };
}

function underscored(name: string): string {
  return name.replace(/\W/g, "_");
}

const panels: { title: string; targets: { expr: string; legendFormat: string }[] }[] =
  dashboard.panels;
const queries: string[] = [
  ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ...dashboard.templating.list.flatMap(({ query }: { query: string | { query: string } }) =>
    typeof query === "string" ? [] : [query.query],
  ),
];

describe("the dashboard", () => {
  test("queries metrics that toolmend exports, by labels that each of them has", () => {
    expect(queries.length).toBeGreaterThan(10);
    const unknown = queries.map((query) => {
      const words = [...query.matchAll(WORDS)].map(([word]) => word);
      const asked = exposed.filter(({ names }) => names.some((name) => words.includes(name)));
      const known = new Set([
        ...PROMQL,
        "label_values",
        ...asked.flatMap(({ names }) => names),
        ...Object.values(ATTRIBUTES)
          .map(underscored)
          .filter((label) => asked.every(({ labels }) => labels.includes(label))),
      ]);
      const isName = (word: string) => /^[A-Za-z_]/.test(word);
      return asked.length === 0 ? query : words.filter((word) => isName(word) && !known.has(word));
    });
    expect(unknown).toEqual(queries.map(() => []));
  });

  test("shows every metric", () => {
    const isShown = ({ names }: Exposed) => names.some((name) => queries.join().includes(name));
    expect(exposed.map(isShown)).toEqual(Object.values(METRICS).map(() => true));
  });

  test("distinguishes only outcomes that exist", () => {
    const queried = [...queries.join("\n").matchAll(/toolmend_outcome!?=~?"([^"]+)"/g)].flatMap(
      ([, values = ""]) => values.split("|"),
    );
    expect(queried.length).toBeGreaterThan(5);
    const line = { v: 1, t: "2026-11-21T20:57:43.452Z", kind: "call", tool: "click" };
    const isOutcome = (outcome: string) => isLogLine({ ...line, outcome, issues: [], repairs: [] });
    expect(queried.filter((outcome) => !isOutcome(outcome))).toEqual([]);
  });

  test("names in its legends only the labels that its query groups by", () => {
    const targets = panels.flatMap((panel) => panel.targets);
    const unknown = targets.filter(({ expr, legendFormat }) =>
      [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].some(
        ([, label = ""]) => !new RegExp(`by \\([^)]*\\b${label}\\b`).test(expr),
      ),
    );
    expect(unknown).toEqual([]);
  });
});

describe("the collector's configuration", () => {
  test("parses, and its pipelines use the components that it defines", () => {
    const { service, ...parts } = parse(collector);
    const pipelines: Record<string, Record<string, string[]>> = service.pipelines;
    expect(Object.keys(pipelines)).toEqual(["metrics", "traces"]);
    for (const pipeline of Object.values(pipelines)) {
      for (const [kind, names] of Object.entries(pipeline)) {
        expect(Object.keys(parts[kind])).toEqual(expect.arrayContaining(names));
      }
    }
    const { endpoint } = parts.exporters.prometheus;
    expect([endpoint, parts.receivers.otlp.protocols.http.endpoint]).toEqual(
      expect.arrayContaining(["127.0.0.1:8889", "127.0.0.1:4318"]),
    );
  });

  test("is the one that docs/observe.md shows", () => {
    const [, shown] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
    expect(shown).toBe(collector);
  });
});

describe("docs/observe.md", () => {
  const [, section = ""] = /\n## OpenTelemetry\n([\s\S]*?)\n## /.exec(page) ?? [];
  const named = [...section.matchAll(/`([a-z_.]+)`/g)].map(([, name = ""]) => name);

  test("names the metrics and attributes that toolmend has", () => {
    const own = named.filter((name) => /^(?:toolmend|gen_ai|error)\./.test(name));
    const all: string[] = [...Object.values(METRICS), ...Object.values(ATTRIBUTES), REPAIRED_EVENT];
    expect(own.length).toBeGreaterThan(10);
    expect(own.filter((name) => !all.includes(name))).toEqual([]);
    expect(Object.values(METRICS).filter((name) => !named.includes(name))).toEqual([]);
  });

  test("gives them the names that Prometheus uses", () => {
    const rows = [...section.matchAll(/^\| `(toolmend\.[\w.]+)` \| `(\w+)`/gm)];
    expect(rows.map(([, , name = ""]) => name)).toEqual(exposed.map(({ names: [name] }) => name));
    const labels = named.filter((name) => /^(?:toolmend|gen_ai)_\w+$/.test(name));
    const known = exposed.flatMap((metric) => [...metric.names, ...metric.labels]);
    expect(labels.filter((label) => !known.includes(label))).toEqual([]);
  });
});
