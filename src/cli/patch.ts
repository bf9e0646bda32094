import { askIfMeant } from "../repair/closest-name.ts";
import { findPatches, type PatchableCopy } from "./find-patches.ts";
import { KNOWN_PATCHES } from "./known-patches.ts";
import { parseFlags } from "./parse-flags.ts";
import { runPatchPackage } from "./run-patch-package.ts";
import { type Terminal, toTable } from "./terminal.ts";

/** `toolmend patch`: applies the source patches that fit the installed versions. */
export function patch(args: readonly string[], terminal: Terminal): number {
  const { values, positionals } = parseFlags({
    args: [...args],
    allowPositionals: true,
    options: {
      json: { type: "boolean" },
      check: { type: "boolean" },
      reverse: { type: "boolean" },
      list: { type: "boolean" },
    },
  });
  const { check: isCheck, reverse, list: isList, json } = values;
  if ([isCheck, reverse, isList].filter(Boolean).length > 1) {
    throw new TypeError("--check, --reverse and --list exclude each other: give one.");
  }
  if (json && !isCheck && !isList) throw new TypeError("--json goes with --check or --list.");
  for (const name of positionals) assertPatchable(name);
  const copies = findPatches(terminal.project, terminal.patches).filter(
    ({ name }) => positionals.length === 0 || positionals.includes(name),
  );
  if (copies.length === 0) {
    terminal.err(`No package that toolmend has a patch for is installed in ${terminal.project}.`);
    return isList ? 0 : 1;
  }
  if (json) return showAsJson(copies, isCheck === true, terminal);
  if (isList) return list(copies, terminal);
  if (isCheck) return check(copies, terminal);
  return apply(copies, reverse ?? false, terminal);
}

/** A misspelt name must not be a check that finds nothing. */
function assertPatchable(name: string): void {
  const names = [...new Set(KNOWN_PATCHES.map((patch) => patch.name))];
  if (names.includes(name)) return;
  const hint = askIfMeant(name, names);
  throw new TypeError(
    `There is no patch for "${name}".${hint} There are patches for ${names.join(", ")}.`,
  );
}

function showAsJson(copies: readonly PatchableCopy[], isCheck: boolean, { out }: Terminal): number {
  const packages = copies.map(({ name, installed, patchable, state }) => {
    return { name, installed, patchable, state };
  });
  const ok = copies.every(({ state }) => state === "applied");
  out(JSON.stringify(isCheck ? { ok, packages } : { packages }, null, 2));
  return isCheck && !ok ? 1 : 0;
}

function list(copies: readonly PatchableCopy[], { out }: Terminal): number {
  const rows = copies.map(({ name, installed, patchable, state }) => [
    name,
    installed,
    patchable.join(", "),
    state,
  ]);
  out(toTable([["package", "installed", "patches for", "state"], ...rows]));
  return 0;
}

function check(copies: readonly PatchableCopy[], { out, err }: Terminal): number {
  const wrong = copies.filter(({ state }) => state !== "applied");
  for (const { name, installed } of copies.filter((copy) => !wrong.includes(copy))) {
    out(`${name} ${installed}: applied`);
  }
  for (const copy of wrong) err(describeState(copy));
  return wrong.length === 0 ? 0 : 1;
}

function apply(copies: readonly PatchableCopy[], reverse: boolean, terminal: Terminal): number {
  const { out, err, project, patches } = terminal;
  const wanted = reverse ? "not applied" : "applied";
  const done = reverse ? "taken back" : "applied";
  let failed = false;
  for (const copy of copies) {
    const { name, installed, state, patch } = copy;
    if (patch === undefined) {
      err(describeState(copy));
    } else if (state === wanted) {
      out(`${name} ${installed}: already ${reverse ? "as it was" : "applied"}`);
    } else if (state === "changed") {
      err(describeState(copy));
      failed = true;
    } else {
      const failure = runPatchPackage(patch, { project, patches, reverse });
      const now = findPatches(project, patches).find((one) => one.name === name)?.state;
      if (failure === undefined && now === wanted) {
        out(`${name} ${installed}: ${done}`);
      } else {
        err(`${name} ${installed}: not ${done}. ${failure ?? `It is ${now}.`}`);
        failed = true;
      }
    }
  }
  return failed ? 1 : 0;
}

/** What is wrong, with which versions, and what to do. */
function describeState({ name, installed, patchable, state }: PatchableCopy): string {
  if (state === "not applied") {
    return `${name} ${installed}: its patch is not applied. Run \`npx toolmend patch\`, in the \`prepare\` script for instance.`;
  }
  if (state === "changed") {
    return `${name} ${installed}: its files are not those that the patch was made for. Install the package anew, without other patches.`;
  }
  const versions = patchable.join(" and ");
  return `${name} ${installed} is installed, and the patch is for ${versions}. Install ${name}@${patchable[0]}, or a toolmend that has a patch for ${installed}.`;
}
