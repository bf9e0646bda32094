// Measures the cost of each family of faulty inputs as it grows: node scripts/run-ts.mjs bench/growth.ts
// CPU ms per 100 kB at 1 kB, 10 kB, 100 kB and 1 MB, at both levels; the goal is 25 at most.
import { repairToolInput } from "toolmend";
import { FAMILIES, type Family } from "../__tests__/support/growth-families.ts";

const SIZES = [1_000, 10_000, 100_000, 1_000_000];
const GOAL = 25;

async function cpuMs({ schema, make }: Family, length: number, level: "safe" | "eager") {
  const raw = make(length);
  const rounds = Math.max(1, Math.min(20, Math.floor(200_000 / length)));
  const start = process.cpuUsage();
  for (let round = 0; round < rounds; round++) {
    await repairToolInput(raw, { name: "tool_x", schema }, { level });
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000 / rounds / (length / 100_000);
}

for (const level of ["safe", "eager"] as const) {
  console.log(
    `${level}: CPU ms per 100 kB at ${SIZES.map((size) => `${size / 1_000} kB`).join(", ")}`,
  );
  for (const family of FAMILIES) {
    await cpuMs(family, 1_000, level);
    const costs: number[] = [];
    for (const size of SIZES) costs.push(await cpuMs(family, size, level));
    const over = (costs.at(-1) ?? 0) > GOAL ? "  over the goal" : "";
    console.log(`  ${family.name}: ${costs.map((cost) => cost.toFixed(1)).join(", ")}${over}`);
  }
}
