// Repairs random inputs for random schemas and checks the properties of every repair:
// npm run fuzz -- --runs 1000000 --seed 1
// Prints counts, and the first inputs that broke a property; then it exits with 1.
import { parseArgs } from "node:util";
import { fuzz } from "./fuzz.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "100000" },
    seed: { type: "string", default: "1" },
  },
});
const { runs, outcomes, broken } = await fuzz({
  runs: Number(values.runs),
  seed: Number(values.seed),
});
console.log(`${runs} inputs, each at safe and at eager (outcomes at safe):`);
for (const [outcome, count] of Object.entries(outcomes).sort())
  console.log(`  ${outcome}: ${count}`);
if (broken.size === 0) console.log("Every property held.");
for (const [property, { count, samples }] of broken) {
  console.log(`\nBROKEN: ${property}: ${count}`);
  for (const sample of samples) console.log(`- ${sample}`);
}
process.exitCode = broken.size === 0 ? 0 : 1;
