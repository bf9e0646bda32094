import type { RepairLevel } from "../../../repair/types.ts";

/** A call that stands in a text, before it is known whether there is such a tool. */
export interface TextCall {
  readonly name: string;
  /** The arguments: a value, or text that the pipeline reads. */
  readonly args: unknown;
  /** The level that reading it takes. Default: `"strict"`, as it is written without a fault. */
  readonly level?: RepairLevel;
}

/**
 * Reads one form of calls.
 *
 * @param text The whole text, without white space around it.
 * @returns The calls, if the whole text is in this form and nothing else; else none.
 */
export type TextCallForm = (text: string) => readonly TextCall[];
