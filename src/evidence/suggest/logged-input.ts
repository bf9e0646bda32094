import type { CorrectionSource } from "../../repair/events/event.ts";
import type { JsonValue, RepairLevel } from "../../repair/types.ts";

/** A call of a log whose input was written down. */
export interface LoggedInput {
  readonly tool: string;
  /** The hash of the schema that it was checked by. */
  readonly schema: string | undefined;
  readonly raw: JsonValue;
  /** What ran; `undefined` where nothing did. */
  readonly toolInput: JsonValue | undefined;
  readonly level: RepairLevel;
  /** The run that it belongs to, else its thread: what counts as one piece of evidence. */
  readonly run: string | undefined;
  readonly call: string | undefined;
  readonly model: string;
  /** When, in milliseconds since 1970. */
  readonly time: number;
  /** What took the place of a refused input, and who said so. */
  readonly correction?: Correction | undefined;
  /** Whether no tool of its name was offered. */
  readonly isUnknown: boolean;
  /** Whether a fixer that was registered changed it: without that fixer, it comes out otherwise. */
  readonly hadFixer: boolean;
}

/** What took the place of a refused input. */
export interface Correction {
  readonly source: CorrectionSource;
  readonly toolInput: JsonValue;
  /** The tool of the call that took its place: another one where the first named none that there is. */
  readonly tool: string;
}
