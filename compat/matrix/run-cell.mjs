// Runs every behaviour in one cell: node run-cell.mjs '<cell as JSON>'. Prints the results as JSON.
import { executor } from "./behaviours/executor.mjs";
import { asyncHandlers, handlers } from "./behaviours/handlers.mjs";
import { instances } from "./behaviours/instanceof.mjs";
import { patched } from "./behaviours/parse-input.mjs";
import { patchedAndWrapped } from "./behaviours/patched-and-wrapped.mjs";
import { tool } from "./behaviours/tool.mjs";
import { openLab } from "./lab.mjs";

const cell = JSON.parse(process.argv[2]);
const isPatched = cell.mode === "patched" || cell.mode === "both";
const corrected = [
  ...tool.map((behaviour) => ({ area: "tool", ...behaviour })),
  ...executor,
  ...handlers,
  ...asyncHandlers,
  ...(cell.mode === "wrapped" ? [] : instances.map((one) => ({ area: "instanceof", ...one }))),
  ...(isPatched ? patched.map((one) => ({ area: "patch", ...one })) : []),
  ...(cell.mode === "both" ? patchedAndWrapped.map((one) => ({ area: "both", ...one })) : []),
];
const suite = (cell.mode === "bare" ? handlers : corrected).filter(
  ({ needs }) => needs === undefined || cell.has.includes(needs),
);

const results = [];
for (const { area, name, run } of suite) {
  const lab = await openLab(cell);
  try {
    await run(lab);
    results.push({ area, name, ok: true });
  } catch (error) {
    results.push({ area, name, ok: false, error: error?.stack ?? String(error) });
  } finally {
    lab.close();
  }
}
process.stdout.write(JSON.stringify(results));
process.exit(0);
