import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./prepare.mjs";

const START = "<!-- made by npm run test:matrix: do not edit -->";
const END = "<!-- end -->";
/** The results, and their names. */
const COLUMNS = {
  "bare esm": "bare esm",
  "bare cjs": "bare cjs",
  "wrapped esm": "wrapped esm",
  "wrapped cjs": "wrapped cjs",
  "registered esm": "registered esm",
  "registered cjs": "registered cjs",
  "patched esm": "patched esm",
  "patched cjs": "patched cjs",
  "both esm": "patched and wrapped esm",
  "both cjs": "patched and wrapped cjs",
  "types and reverse": "types and reverse",
};

/** Puts the results of a complete run into compat/matrix/README.md. */
export function writeTable(rows) {
  const file = join(root, "compat", "matrix", "README.md");
  const text = readFileSync(file, "utf8");
  const [head, rest] = text.split(START);
  const tail = rest.slice(rest.indexOf(END));
  writeFileSync(file, `${head}${START}\n\n${toMarkdown(rows)}\n\n${tail}`);
}

function toMarkdown(rows) {
  const lines = rows.map(({ install, results }) => {
    const { dependencies } = JSON.parse(
      readFileSync(
        join(root, "compat", "matrix", "installs", install.name, "package.json"),
        "utf8",
      ),
    );
    return [
      install.title,
      dependencies.zod,
      ...Object.keys(COLUMNS).map((column) => toCell(results.get(column))),
    ];
  });
  const head = ["LangChain", "zod", ...Object.values(COLUMNS)];
  return [head, head.map(() => "---"), ...lines]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

function toCell(results) {
  if (results === undefined) return "—";
  const passed = results.filter(({ ok }) => ok).length;
  return `${passed === results.length ? "✓" : "✗"} ${passed}/${results.length}`;
}
