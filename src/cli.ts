#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { main } from "./cli/main.ts";
import { escapeUnshown } from "./evidence/print-name.ts";

/**
 * Names from models and logs are on one line already; line breaks and tabs are
 * the layout.
 */
const print = (write: (line: string) => void) => (line: string) =>
  write(escapeUnshown(line, "\n\t"));
const err = print(console.error);

// One line, not a stack with minified code. A pipe that was closed, as by
// `| head`, is no error.
process.on("uncaughtException", ({ message, code }: NodeJS.ErrnoException) => {
  if (code !== "EPIPE") err(`toolmend: ${message}`);
  process.exit(code === "EPIPE" ? 0 : 1);
});

process.exitCode = await main(process.argv.slice(2), {
  folder: process.cwd(),
  version: JSON.parse(
    readFileSync(new URL("../package.json", import.meta.url), "utf8"),
  ).version,
  patches: fileURLToPath(new URL("../patches", import.meta.url)),
  env: process.env,
  out: print(console.log),
  err,
  get stdin() {
    return process.stdin;
  },
});
