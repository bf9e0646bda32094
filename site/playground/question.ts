import { LEVELS } from "../../src/repair/edit-switches.ts";
import type { RepairLevel } from "../../src/repair/types.ts";

/** The policies for undeclared keys. */
export const UNDECLARED_POLICIES = ["repair", "refuse", "leave"] as const;

/** A question to the playground: everything that its link holds. */
export interface Question {
  /** The model's text. */
  readonly input: string;
  /** The tool's schema, as JSON text. */
  readonly schema: string;
  /** Fixers, one on each line. */
  readonly fixers: string;
  readonly name: string;
  readonly level: RepairLevel;
  readonly undeclared: (typeof UNDECLARED_POLICIES)[number];
}

/** The longest link that is read, in characters. */
const MAX_LINK = 200_000;

/** Returns the part of a link after `#` that holds a question. */
export function toLink(question: Question): string {
  const { input, schema, fixers, name, level, undeclared } = question;
  return new URLSearchParams({ name, level, undeclared, fixers, input, schema }).toString();
}

/**
 * Reads a question from a link, which may come from anyone.
 *
 * @param link The part after `#`.
 * @returns The question, with defaults for missing and unknown parts; `undefined` if it has none.
 */
export function fromLink(link: string): Question | undefined {
  if (link.length > MAX_LINK) return undefined;
  const given = new URLSearchParams(link);
  const [input, schema] = [given.get("input"), given.get("schema")];
  if (input === null || schema === null) return undefined;
  return {
    input,
    schema,
    fixers: given.get("fixers") ?? "",
    name: given.get("name") || "tool",
    level: LEVELS.find((level) => level === given.get("level")) ?? "safe",
    undeclared: UNDECLARED_POLICIES.find((one) => one === given.get("undeclared")) ?? "repair",
  };
}
