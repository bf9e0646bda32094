#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { main } from "./cli/main.ts";
import { escapeUnshown } from "./evidence/print-name.ts";

/** Layout is ours: what strangers named is in one line already. */
const LAYOUT = "\n\t";

main(process.argv.slice(2), {
  project: process.cwd(),
  version: JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version,
  patches: fileURLToPath(new URL("../patches", import.meta.url)),
  env: process.env,
  out: (line) => console.log(escapeUnshown(line, LAYOUT)),
  err: (line) => console.error(escapeUnshown(line, LAYOUT)),
  readInput: () => text(process.stdin),
  openInput: () => process.stdin,
}).then((code) => {
  process.exitCode = code;
});
