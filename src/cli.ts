#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { escapeForTerminal } from "./cli/escape-for-terminal.ts";
import { main } from "./cli/main.ts";

main(process.argv.slice(2), {
  project: process.cwd(),
  version: JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version,
  patches: fileURLToPath(new URL("../patches", import.meta.url)),
  env: process.env,
  out: (line) => console.log(escapeForTerminal(line)),
  err: (line) => console.error(escapeForTerminal(line)),
  readInput: () => text(process.stdin),
  openInput: () => process.stdin,
  status: process.stderr.isTTY
    ? (line) => void process.stderr.write(`\r\u001b[2K${line}`)
    : undefined,
}).then((code) => {
  process.exitCode = code;
});
