import type { PatchState } from "./patch-state.ts";

/** Something that is wrong, and what to do about it. A note does not fail the command. */
export interface Finding {
  readonly kind: "problem" | "note";
  readonly code: string;
  readonly message: string;
  readonly remedy: string;
}

/** What a project has of LangChain. */
export interface Diagnosis {
  readonly node: string;
  /** The format of the project's own `.js` files. */
  readonly format: "ESM" | "CJS";
  readonly packages: readonly {
    readonly name: string;
    readonly version: string;
    /** From the project. */
    readonly folder: string;
    readonly supported: "yes" | "no" | "by patch only" | "not hooked";
    readonly patch: PatchState | "none";
  }[];
  /** Where `toolmend/register` is activated. */
  readonly register: readonly string[];
  readonly findings: readonly Finding[];
}

/**
 * Makes a finding that fails the command.
 *
 * @param code What kind of thing is wrong.
 * @param message What is wrong.
 * @param remedy What to do about it.
 */
export function problem(code: string, message: string, remedy: string): Finding {
  return { kind: "problem", code, message, remedy };
}
