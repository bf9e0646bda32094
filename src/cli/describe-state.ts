import type { PatchableCopy } from "./find-patches.ts";

/**
 * Says what is wrong with a copy, with which versions, and what to do.
 *
 * @param copy A copy whose patch is not applied.
 */
export function describeState({
  name,
  installed,
  title,
  patchable,
  state,
  sharing,
}: PatchableCopy): string {
  if (state === "not applied" && sharing !== undefined) {
    return `${title}: its patch is not applied, and ${sharing.reason}. To patch it, ${sharing.remedy}.`;
  }
  if (state === "not applied") {
    return `${title}: its patch is not applied. Run \`npx toolmend patch\`, in the \`prepare\` script for instance.`;
  }
  if (state === "partly applied") {
    return `${title}: its patch is applied to some of its files only. Run \`npx toolmend patch\` again, or --reverse.`;
  }
  if (state === "changed") {
    return `${title}: its files are not those that the patch was made for, nor what this toolmend's patch makes of them. Install the package anew, without other patches.`;
  }
  const versions = [patchable.slice(0, -1).join(", "), patchable.at(-1)]
    .filter(Boolean)
    .join(" and ");
  return `${title} is installed, and the patch is for ${versions}. Install ${name}@${nearest(installed, patchable)}, or a toolmend that has a patch for ${installed}; --partial leaves it out.`;
}

/** Of several versions the one that begins most alike. */
function nearest(version: string, versions: readonly string[]): string | undefined {
  const parts = version.split(".");
  const likeness = (other: string) => other.split(".").findIndex((part, i) => part !== parts[i]);
  return versions.toSorted((one, other) => likeness(other) - likeness(one))[0];
}
