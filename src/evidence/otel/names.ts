/** The names of what toolmend measures. Those that begin with `gen_ai` are OpenTelemetry's own. */
export const METRICS = {
  calls: "toolmend.tool_calls",
  repairs: "toolmend.repairs",
  issues: "toolmend.issues",
  duration: "toolmend.repair.duration",
} as const;

/** The names of attributes. */
export const ATTRIBUTES = {
  operation: "gen_ai.operation.name",
  tool: "gen_ai.tool.name",
  callId: "gen_ai.tool.call.id",
  arguments: "gen_ai.tool.call.arguments",
  model: "gen_ai.request.model",
  provider: "gen_ai.provider.name",
  errorType: "error.type",
  outcome: "toolmend.outcome",
  seam: "toolmend.seam",
  level: "toolmend.level",
  fixer: "toolmend.fixer",
  issueCode: "toolmend.issue.code",
  reason: "toolmend.refusal.reason",
  overflow: "otel.metric.overflow",
} as const;

/** The event on the span under way where an input was repaired. */
export const REPAIRED_EVENT = "toolmend.tool_input.repaired";
