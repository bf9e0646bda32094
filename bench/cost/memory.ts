// One measurement of memory, in its own process: node scripts/run-ts.mjs bench/cost/memory.ts
// bare | faulty | fresh [repairs]. Prints a number of MB.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type Schema, Validator } from "@cfworker/json-schema";
import { repairToolInput } from "toolmend";
import { inputOf, LARGE, SMALL, withQuotes } from "./inputs.ts";

const MB = 1024 * 1024;

async function peak(kind: "bare" | "faulty"): Promise<number> {
  const { text } = inputOf("1 MB");
  // In both cases the repair code is loaded, and the schema known.
  await repairToolInput(withQuotes(inputOf("1 kB").text), LARGE);
  const validator = new Validator(LARGE.schema as Schema, "2019-09");
  validator.validate(JSON.parse(text));
  if (kind === "faulty") await repairToolInput(withQuotes(text), LARGE);
  else validator.validate(JSON.parse(text));
  return process.resourceUsage().maxRSS / 1024;
}

/** The growth of the heap while inputs are repaired, with new schemas for each. */
async function growth(repairs: number): Promise<number> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const heap = () => {
    collect();
    return process.memoryUsage().heapUsed / MB;
  };
  const some = async (count: number) => {
    for (let time = 0; time < count; time++) {
      await repairToolInput({ selector: "#buy", count: "2" }, structuredClone(SMALL));
    }
  };
  await some(repairs / 4);
  const before = heap();
  await some(repairs);
  return heap() - before;
}

const [kind, repairs = "200000"] = process.argv.slice(2);
console.log(kind === "fresh" ? await growth(Number(repairs)) : await peak(kind as "bare"));
