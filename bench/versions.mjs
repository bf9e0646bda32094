import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus } from "node:os";

/**
 * The head of the report: when, where and with which versions.
 *
 * @param {readonly import("./methods/per-tool.mjs").Method[]} methods
 */
export function describeRun(methods) {
  const names = [...new Set(methods.flatMap(({ uses }) => uses.split(" ")))];
  const versions = names.map((name) => `${name} ${versionOf(name)}`);
  return `# toolmend and its peers

Written by \`npm run bench:peers\` on ${new Date().toISOString().slice(0, 10)}, commit ${commit()}: Node ${process.versions.node}, ${cpus()[0]?.model.trim()}.
${versions.join(", ")}.
How each is called, and what the columns mean: bench/README.md in the repository.`;
}

function versionOf(name) {
  const folder = name === "toolmend" ? "../" : `node_modules/${name}/`;
  return JSON.parse(readFileSync(new URL(`${folder}package.json`, import.meta.url), "utf8"))
    .version;
}

function commit() {
  const git = (...args) => execFileSync("git", args, { encoding: "utf8" }).trim();
  try {
    return git("rev-parse", "--short", "HEAD") + (git("status", "--porcelain", "../src") && "+");
  } catch {
    return "unknown";
  }
}
