import { type Attributes, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { bareFixer, type CallEvent, changesOf } from "../../repair/events/event.ts";
import { offeredName } from "../offered-name.ts";
import { type Redact, redactValue } from "../redact.ts";
import { redactCallId } from "../redact-call-id.ts";
import { ATTRIBUTES, REPAIRED_EVENT } from "./names.ts";
import { toolAttributes } from "./tool-attributes.ts";

/** What spans hold of what a model wrote. */
export interface SpanContent {
  /** Whether they hold the arguments of calls. */
  readonly hasArguments: boolean;
  readonly redact: Redact | undefined;
}

/**
 * Shows a call in traces: one that was not run as a span that failed, one that was repaired as an event
 * on the span under way, where there is one.
 *
 * @param event The call.
 * @param content What spans hold of what the model wrote.
 */
export function traceCall(event: CallEvent, content: SpanContent): void {
  if (event.outcome === "valid") return;
  if (event.error === undefined) {
    const active = trace.getActiveSpan();
    if (active?.isRecording()) active.addEvent(REPAIRED_EVENT, callAttributes(event, content));
    return;
  }
  const { time, microseconds = 0, error } = event;
  const span = trace.getTracer("toolmend").startSpan(`execute_tool ${offeredName(event)}`, {
    kind: SpanKind.INTERNAL,
    startTime: time - microseconds / 1000,
    attributes: {
      ...callAttributes(event, content),
      [ATTRIBUTES.operation]: "execute_tool",
      [ATTRIBUTES.errorType]: "tool_input_invalid",
      [ATTRIBUTES.reason]: error.reason,
    },
  });
  span.setStatus({ code: SpanStatusCode.ERROR, message: error.message });
  span.end(time);
}

function callAttributes(event: CallEvent, { hasArguments, redact }: SpanContent): Attributes {
  const { outcome, seam, level, issues, rawToolInput } = event;
  const callId = hasArguments ? event.callId : redactCallId(event.callId, event);
  const fixers = [...new Set(changesOf(event).map(({ fixer }) => bareFixer(fixer)))];
  const codes = [...new Set(issues.map(({ code }) => code))];
  return {
    ...toolAttributes(event),
    ...(callId !== undefined && { [ATTRIBUTES.callId]: callId }),
    [ATTRIBUTES.outcome]: outcome,
    [ATTRIBUTES.seam]: seam,
    [ATTRIBUTES.level]: level,
    ...(fixers.length > 0 && { [ATTRIBUTES.fixer]: fixers }),
    ...(codes.length > 0 && { [ATTRIBUTES.issueCode]: codes }),
    ...(hasArguments && {
      [ATTRIBUTES.arguments]: argumentsAs(rawToolInput, redact),
    }),
  };
}

/** What is no JSON after all, of a redaction say, costs the arguments, and not the span. */
function argumentsAs(rawToolInput: unknown, redact: Redact | undefined): string {
  try {
    return JSON.stringify(redactValue(rawToolInput, redact)) ?? "";
  } catch {
    return "";
  }
}
