import { LEVELS } from "../../src/repair/level-allows.ts";
import type { RepairLevel } from "../../src/repair/types.ts";
import { UNDECLARED_POLICIES } from "../../src/repair/usage.ts";

/** What the playground is asked: all that its link holds. */
export interface Question {
  /** What the model wrote. */
  readonly input: string;
  /** The tool's schema, as JSON text. */
  readonly schema: string;
  /** Fixers, one a line. */
  readonly fixers: string;
  readonly name: string;
  readonly level: RepairLevel;
  readonly undeclared: (typeof UNDECLARED_POLICIES)[number];
}

/** The longest link that is read, in characters. */
const MAX_LINK = 200_000;

/** Returns the part of a link behind `#` that holds a question. */
export function toLink(question: Question): string {
  const { input, schema, fixers, name, level, undeclared } = question;
  return new URLSearchParams({ name, level, undeclared, fixers, input, schema }).toString();
}

/**
 * Reads a question from a link, which anybody may have written.
 *
 * @param link The part behind `#`.
 * @returns The question, with defaults for what is missing or unknown; `undefined` where there is none.
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
