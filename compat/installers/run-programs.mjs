// Runs programs one after another in a project and prints, as JSON, the output or error of each: node
// run-programs.mjs FILE… Programs that hook the process come last. A CommonJS program exports its end.

import { pathToFileURL } from "node:url";
import { format } from "node:util";

const { log } = console;
const ran = {};
for (const file of process.argv.slice(2)) {
  const lines = [];
  console.log = (...args) => lines.push(...format(...args).split("\n"));
  try {
    await (await import(pathToFileURL(file).href)).default;
    ran[file] = { lines };
  } catch (error) {
    ran[file] = { lines, error: String(error?.stack ?? error).slice(0, 2_000) };
  }
}
console.log = log;
console.log(JSON.stringify(ran));
process.exit();
