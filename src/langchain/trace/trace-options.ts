import type { Content } from "../../evidence/log-line.ts";
import type { Redact } from "../../evidence/redact.ts";

/**
 * What LangChain's streams and tracers are shown of inputs that were not right as they were.
 *
 * - `"full"`: custom events (`toolmend.repair`, `toolmend.refusal`, `toolmend.correction`), tags and
 *   metadata; and a call that was refused is a run of its tool, which failed.
 * - `"quiet"`: the same without such runs, where a user interface takes each for a tool that works.
 * - `false`: nothing.
 * - an object: how much of what models write is shown, too.
 */
export type Trace = "full" | "quiet" | false | TraceDetail;

/** What LangChain is shown, in detail. */
export interface TraceDetail {
  /** Default: `"full"`. */
  readonly mode?: "full" | "quiet" | undefined;
  /**
   * How much of what models write is shown. What hides inputs in traces does not look into events and
   * metadata. Default: `TOOLMEND_CONTENT` of the environment, else `"none"`.
   */
  readonly content?: Content | undefined;
  /** Changes values before they are shown, at content `full`. Default: as they are. */
  readonly redact?: Redact | undefined;
}

/** Options of everything that stands in LangChain. */
export interface TraceOptions {
  /** What LangChain's streams and tracers are shown. Default: `"full"`. */
  readonly trace?: Trace | undefined;
}
