#!/usr/bin/env node
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { main } from "./cli/main.ts";

main(process.argv.slice(2), {
  project: process.cwd(),
  patches: fileURLToPath(new URL("../patches", import.meta.url)),
  env: process.env,
  out: (line) => console.log(line),
  err: (line) => console.error(line),
  readInput: () => text(process.stdin),
  openInput: () => process.stdin,
  status: process.stderr.isTTY
    ? (line) => void process.stderr.write(`\r\u001b[2K${line}`)
    : undefined,
}).then((code) => {
  process.exitCode = code;
});
