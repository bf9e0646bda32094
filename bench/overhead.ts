// What wrapping costs on a valid input: a wrapped tool's invoke against the bare one, paired in
// one run. Prints ratios, which hold on a noisy machine; microseconds are for orientation.
import { tool } from "@langchain/core/tools";
import { Bench } from "tinybench";
import { createFixerRegistry, type InvocableTool, renameKey, wrapTool } from "toolmend";
import { z } from "zod";

const ROUNDS = 7;
const schema = z.object({
  selector: z.string(),
  button: z.enum(["left", "right"]).default("left"),
  count: z.number().int().min(1).default(1),
});
const json = {
  type: "object",
  properties: {
    selector: { type: "string" },
    button: { enum: ["left", "right"] },
    count: { type: "integer", minimum: 1 },
  },
  required: ["selector"],
} as const;

const click = async (): Promise<string> => "clicked";
const bare: Record<string, InvocableTool> = {
  zod: tool(click, { name: "click", description: "Clicks.", schema }),
  "JSON Schema": tool(click, { name: "click", description: "Clicks.", schema: json }),
};
const fixers = createFixerRegistry();
fixers.register("click", renameKey("element", "selector"));
const input = { selector: "#buy", count: 2 };

for (const [kind, tool] of Object.entries(bare)) {
  const wrapped = wrapTool(tool, fixers);
  const ratios: number[] = [];
  const micros: [number, number][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const bench = new Bench({ time: 300, warmupTime: 100 });
    bench.add("bare", () => tool.invoke(input));
    bench.add("wrapped", () => wrapped.invoke(input));
    await bench.run();
    const [first = Number.NaN, second = Number.NaN] = bench.tasks.map(medianMicros);
    micros.push([first, second]);
    ratios.push(second / first);
  }
  const ratio = median(ratios);
  const [bareMicros, wrappedMicros] = [0, 1].map((side) =>
    median(micros.map((pair) => pair[side] ?? 0)),
  );
  console.log(
    `${kind.padEnd(12)} wrapped / bare invoke: ${ratio.toFixed(3)} (${bareMicros?.toFixed(1)} µs → ${wrappedMicros?.toFixed(1)} µs, median of ${ROUNDS} paired runs)`,
  );
}

function medianMicros(task: Bench["tasks"][number]): number {
  const { result } = task;
  return "latency" in result ? result.latency.p50 * 1_000 : Number.NaN;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
