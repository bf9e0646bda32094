// Writes a log with planted mistakes, to try `toolmend report`, `suggest` and `replay` with:
//
//   node scripts/run-ts.mjs __tests__/support/evidence/planted-log/main.ts [--seed 1] [--runs 1500] [--days 30]
//     [--until 2026-11-21T00:00:00Z] [--labelled 40] [--content full] [--valid each] > planted.jsonl
import { parseArgs } from "node:util";
import type { ContentLevel } from "#src/repair/events/plain-event.ts";
import { plantedLog } from "./planted-log.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    runs: { type: "string", default: "1500" },
    days: { type: "string", default: "30" },
    until: { type: "string", default: "2026-11-21T00:00:00Z" },
    labelled: { type: "string", default: "40" },
    content: { type: "string", default: "full" },
    valid: { type: "string" },
  },
});
const lines = await plantedLog({
  seed: Number(values.seed),
  runs: Number(values.runs),
  days: Number(values.days),
  until: values.until,
  labelled: Number(values.labelled),
  content: values.content as ContentLevel,
  ...(values.valid === undefined ? {} : { valid: values.valid as "count" | "each" }),
});
process.stdout.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
