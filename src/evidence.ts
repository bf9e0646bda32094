/**
 * Logs of what became of tool inputs. LangChain need not be installed.
 *
 * @module toolmend/evidence
 */

export { type FlushedSink, type JsonlSinkOptions, jsonlSink } from "./evidence/jsonl-sink.ts";
export type {
  CallLine,
  Content,
  CorrectionLine,
  CountLine,
  LoggedIssue,
  LoggedRepair,
  LogLine,
  LogVersion,
  SchemaLine,
  Shape,
} from "./evidence/log-line.ts";
export type { Redact } from "./evidence/redact.ts";
export { type CorrectionPair, pairsOf } from "./langchain/correct/pairs-of.ts";
export type {
  CallEvent,
  CorrectionEvent,
  CorrectionSource,
  EvidenceSink,
  InputEvent,
  Outcome,
  Seam,
} from "./repair/events/event.ts";
