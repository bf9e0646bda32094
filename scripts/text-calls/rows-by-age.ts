// Lists the formats by the day of their last comparison with an engine's own test, the oldest first:
// node scripts/run-ts.mjs scripts/text-calls/rows-by-age.ts --print
import { formatEntries } from "../../src/repair/text-calls/format-catalogue.ts";

/** A line for each format that an engine tests; formats that were never compared come first. */
export function rowsByAge(): readonly string[] {
  return formatEntries
    .filter(({ upstream }) => upstream.includes("/"))
    .map(({ format, upstream, checked = "never" }) => ({ format, upstream, checked }))
    .sort((one, other) => ageOf(other.checked) - ageOf(one.checked))
    .map(({ format, upstream, checked }) => `${checked.padEnd(12)}${format.padEnd(18)}${upstream}`);
}

function ageOf(checked: string): number {
  return checked === "never" ? Number.POSITIVE_INFINITY : -Date.parse(checked);
}

if (process.argv.includes("--print")) console.log(rowsByAge().join("\n"));
