// Takes docs/report.png: the page of `toolmend report` on the planted log, as a browser shows it.
//
//   node scripts/run-ts.mjs scripts/report/picture.ts
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { findChromium, launchChromium } from "../../examples/click-agent/browser.ts";
import { createReportCollector } from "../../src/evidence/report/collect-report.ts";
import { writePage } from "../../src/evidence/report/write-page.ts";
import { plantedLog } from "../planted-log/planted-log.ts";

/** The largest picture that a README should have, in bytes. */
const MOST = 150_000;

const chromium = findChromium();
if (chromium === undefined) throw new Error("No Chromium: apt-get install chromium");
const folder = mkdtempSync(join(tmpdir(), "toolmend-picture-"));
const browser = await launchChromium(chromium);
try {
  const collector = createReportCollector();
  const lines = await plantedLog({ runs: 6_000, content: "none" });
  for (const line of lines) collector.add(line);
  const read = { files: 1, lines: lines.length, torn: 0, foreign: 0, newer: 0, cut: [] };
  const page = join(folder, "report.html");
  writeFileSync(page, writePage(collector.finish(read)));
  const tab = await browser.newPage({
    viewport: { width: 1180, height: 860 },
    colorScheme: "light",
  });
  await tab.goto(pathToFileURL(page).href);
  const picture = fileURLToPath(new URL("../../docs/report.png", import.meta.url));
  await tab.screenshot({ path: picture });
  const { size } = statSync(picture);
  if (size > MOST)
    throw new Error(`docs/report.png has ${size} bytes: at most ${MOST} are wanted.`);
  console.log(`docs/report.png: ${Math.ceil(size / 1000)} kB`);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
