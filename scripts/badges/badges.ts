// The badges of the README, from measured values: `npm run badges` writes docs/badges/*.svg, and a test
// compares them.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A badge: the file, and its two words. */
export interface Badge {
  readonly file: string;
  readonly label: string;
  readonly value: string;
}

/**
 * Makes the badges: the size limit of the main entry's first load, and the share of recorded
 * outputs that the default level repairs rightly, and that ran with an unintended value, from
 * bench/RESULTS.md.
 *
 * @param root The folder of the repository.
 */
export function makeBadges(root: string): readonly Badge[] {
  const read = (...path: string[]) => readFileSync(join(root, ...path), "utf8");
  const ceilings = read("__tests__", "slow", "package", "bundle-size.test.ts");
  const [, most = ""] = /what: "the main entry".*most: ([\d_]+)/.exec(ceilings) ?? [];
  const kilobytes = Math.ceil(Number(most.replaceAll("_", "")) / 1_000);
  const results = read("bench", "RESULTS.md");
  const recorded = results.slice(results.indexOf("## Recorded model outputs"));
  const row = recorded.split("\n").find((line) => line.startsWith("| toolmend, safe ")) ?? "";
  const [, , right, , , , notMeant = ""] = row.split("|").map((cell) => cell.trim());
  const [wrong = 0, hopeless = 0] = notMeant.split("+").map(Number);
  const percent = ((100 * (wrong + hopeless)) / RECORDED).toFixed(1);
  return [
    { file: "size.svg", label: "bundled", value: `≤ ${kilobytes} kB gzip` },
    {
      file: "benchmark.svg",
      label: "recorded outputs, safe",
      value: `${right} % right, ${percent} % not as meant`,
    },
  ];
}

/** The malformed calls of the recorded outputs whose meaning is known. */
const RECORDED = 667;

/** The width of a character of 11 px, in pixels, and the space around a text. */
const CHARACTER = 6.4;
const SPACE = 12;

/** Draws a badge as SVG without external resources. */
export function drawBadge({ label, value }: Badge): string {
  const [left, right] = [label, value].map((text) => Math.ceil(text.length * CHARACTER + SPACE));
  const width = Number(left) + Number(right);
  const text = (x: number, words: string) => `<text x="${x}" y="14">${words}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${label}: ${value}">`,
    `<rect width="${width}" height="20" rx="3" fill="#444"/>`,
    `<path d="M${left} 0h${Number(right) - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3H${left}z" fill="#1a6e3c"/>`,
    '<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">',
    text(SPACE / 2, label),
    text(Number(left) + SPACE / 2, value),
    "</g></svg>\n",
  ].join("");
}

if (process.argv.includes("--write")) {
  const root = process.cwd();
  mkdirSync(join(root, "docs", "badges"), { recursive: true });
  for (const badge of makeBadges(root)) {
    writeFileSync(join(root, "docs", "badges", badge.file), drawBadge(badge));
  }
}
