import { parseFlags } from "./arguments.ts";
import { diagnose } from "./diagnose.ts";
import type { Diagnosis } from "./find-troubles.ts";
import { type Terminal, toTable } from "./terminal.ts";

/** `toolmend doctor`: what is installed, and what is wrong with it. */
export function doctor(args: readonly string[], terminal: Terminal): number {
  const { values } = parseFlags({ args: [...args], options: { json: { type: "boolean" } } });
  const diagnosis = diagnose(terminal);
  terminal.out(values.json ? JSON.stringify(diagnosis, null, 2) : toReport(diagnosis));
  return diagnosis.findings.some(({ kind }) => kind === "problem") ? 1 : 0;
}

function toReport({ node, format, packages, register, findings }: Diagnosis): string {
  const rows = packages.map((one) => [one.name, one.version, one.supported, one.patch, one.folder]);
  return [
    toTable([["package", "version", "supported", "patch", "folder"], ...rows]),
    "",
    `Node.js ${node}; the project's own files are ${format}.`,
    register.length === 0
      ? "toolmend/register: not seen in NODE_OPTIONS, scripts or source."
      : `toolmend/register: in ${register.join(", ")}.`,
    "",
    ...(findings.length === 0 ? ["Nothing is wrong."] : []),
    ...findings.map(({ kind, message, remedy }) => `${kind}: ${message}.\n  → ${remedy}`),
  ].join("\n");
}
