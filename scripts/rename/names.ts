/** A name that one file declares, and the better one. `Type.member` is a member of a type. */
export interface NameRename {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** A file that is better called otherwise. */
export interface FileRename {
  readonly from: string;
  readonly to: string;
}

/** The names of one file: old → new. */
function of(file: string, names: Readonly<Record<string, string>>): readonly NameRename[] {
  return Object.entries(names).map(([from, to]) => ({ file, from, to }));
}

/** The files of one folder: old → new. */
function filesOf(folder: string, names: Readonly<Record<string, string>>): readonly FileRename[] {
  return Object.entries(names).map(([from, to]) => ({
    from: `${folder}/${from}.ts`,
    to: `${folder}/${to}.ts`,
  }));
}

/** Names, by the files that declare them; a row is taken out once it is done. */
export const NAMES: readonly NameRename[] = [
  // src/langchain
  ...of("src/langchain/calls/hear-stop-reason.ts", {
    hearStopReason: "captureStopReason",
    heard: "captured",
  }),
  ...of("src/langchain/calls/stop-reasons.ts", {
    saidApart: "stopInfoOf",
    keepSaidApart: "saveStopInfo",
    Said: "StopInfo",
    said: "stopInfos",
  }),
  ...of("src/langchain/calls/repair-ai-message.ts", {
    strangersOf: "undeclaredKeysOf",
    strangers: "undeclaredKeys",
    asItIs: "unchanged",
  }),
  ...of("src/langchain/calls/repair-note.ts", { noteOfStrangers: "noteOfUndeclaredKeys" }),
  ...of("src/langchain/calls/call-sites.ts", { strayCallIds: "orphanCallIds" }),
  ...of("src/langchain/calls/rewrite-message.ts", { isStray: "isOrphan", stray: "orphans" }),
  ...of("src/langchain/calls/park-refused-calls.ts", {
    parkRefusedCalls: "detachRefusedCalls",
    unparkCalls: "reattachCalls",
    park: "detach",
    ParkedCall: "DetachedCall",
  }),
  ...of("src/langchain/calls/settle-tool-calls.ts", {
    settleAll: "completeToolMessages",
    settleTurn: "completeTurn",
    settleMessage: "completeMessage",
    isSettled: "isComplete",
    settled: "completed",
    areTold: "haveOwnIds",
    isTold: "hasOwnIds",
    unparked: "reattached",
    stray: "orphans",
    SettleMoreOptions: "CompleteOptions",
  }),
  ...of("src/langchain/calls/repair-node.ts", { settled: "completed" }),
  ...of("src/langchain/calls/resolve-tool-call.ts", { told: "outcome", telling: "emitting" }),
  ...of("src/langchain/calls/repair-message-options.ts", {
    SeamMessageOptions: "MessageIntegrationOptions",
  }),
  ...of("src/langchain/correct/correction-messages.ts", { asWritten: "asHistoryCall" }),
  ...of("src/langchain/correct/run-corrections.ts", { told: "outcome" }),
  ...of("src/langchain/executor/hear-generation.ts", {
    hearGeneration: "captureGeneration",
    HeardGeneration: "CapturedGeneration",
    Hearing: "GenerationCapture",
    heard: "captured",
  }),
  ...of("src/langchain/executor/view-agent.ts", { hearing: "capture" }),
  ...of("src/langchain/executor/run.ts", { "Run.heard": "generation" }),
  ...of("src/langchain/executor/prepare-action.ts", {
    asWritten: "asPlanned",
    tellAction: "emitAction",
    tellOf: "emit",
  }),
  ...of("src/langchain/executor/options.ts", {
    SeamExecutorOptions: "ExecutorIntegrationOptions",
  }),
  ...of("src/langchain/executor/load-late-parts.ts", { loadLateParts: "loadRareParts" }),
  ...of("src/langchain/middleware/agent-memory.ts", {
    ToldAnswer: "ReplacedAnswer",
    "ModelTurn.told": "replaced",
  }),
  ...of("src/langchain/middleware/retry-refused-calls.ts", {
    untold: "withoutListeners",
    hear: "captureAnswers",
    heard: "captured",
    isTold: "isReported",
  }),
  ...of("src/langchain/middleware/answer-refused-calls.ts", {
    settled: "completed",
    isTold: "isAnswered",
  }),
  ...of("src/langchain/middleware/repair-answer.ts", { heard: "captured" }),
  ...of("src/langchain/middleware/tool-input-middleware.ts", {
    parked: "detached",
    telling: "emitting",
    loadLateParts: "loadRareParts",
  }),
  ...of("src/langchain/register/lies-in.ts", { liesIn: "isInside" }),
  ...of("src/langchain/register/combine-options.ts", { isTold: "tellsModel" }),
  ...of("src/langchain/runnables/settle-calls.ts", { settleCalls: "completeCalls" }),
  ...of("src/langchain/runnables/with-earlier.ts", { withEarlier: "prependHistory" }),
  ...of("src/langchain/tool/as-told.ts", { asTold: "markReported", told: "reported" }),
  ...of("src/langchain/tool/told-config.ts", {
    TOLD: "REPORTED",
    ToldConfig: "ReportedConfig",
    untoldByConfig: "unreportedSinks",
    told: "reported",
  }),
  ...of("src/langchain/tool/as-tool-takes-it.ts", { asToolTakesIt: "toToolCallInput" }),
  ...of("src/langchain/tool/hand-on.ts", {
    handOn: "invokeOriginal",
    WayIn: "EntryPoint",
    AcceptedUse: "AcceptedInvocation",
    UseOptions: "InvocationOptions",
    way: "entryPoint",
  }),
  ...of("src/langchain/tool/invoke-repaired.ts", {
    RepairedWaysIn: "RepairedMethods",
    waysIn: "methods",
    repairThen: "runRepaired",
  }),
  ...of("src/langchain/tool/resolve-use.ts", {
    resolveUse: "resolveInvocation",
    repairUse: "repairInvocation",
    ToolUse: "Invocation",
    ResolvedUse: "ResolvedInvocation",
    tellValid: "emitValid",
    telling: "emitted",
    told: "outcome",
    untold: "unreported",
  }),
  ...of("src/langchain/tool/wrapper.ts", {
    "WrapperParts.waysIn": "overrides",
    "WrapperParts.ownWaysIn": "optionalOverrides",
  }),
  ...of("src/langchain/trace/unmarked.ts", { unmarked: "identity" }),

  // src/evidence
  ...of("src/evidence/told-id.ts", { toldId: "redactCallId", said: "named" }),
  ...of("src/evidence/report/create-tally.ts", {
    mendedOf: "repairedCount",
    faultyOf: "faultyCount",
    stoppedOf: "notRunCount",
  }),
  ...of("src/evidence/report/open-report.ts", { mendingOf: "repairCountsOf" }),
  ...of("src/evidence/report/page/write-page.ts", { mended: "repaired" }),
  ...of("src/evidence/report/page/rows-table.ts", { mended: "repaired" }),
  ...of("src/evidence/report/to-news.ts", { toNews: "changesSince" }),
  ...of("src/evidence/suggest/label-of.ts", { heardPart: "declaredInput" }),
  ...of("src/evidence/suggest/join-corrections.ts", { Told: "CorrectionSource" }),
  ...of("src/evidence/suggest/judge.ts", {
    whyElse: "findObjection",
    whyContradicted: "contradiction",
    whyTooFew: "shortage",
  }),
  ...of("src/evidence/suggest/mine-edits.ts", { whyChanging: "sideEffect" }),
  ...of("src/evidence/suggest/try-candidate.ts", {
    whyElse: "findObjection",
    whyChanging: "sideEffect",
  }),
  ...of("src/evidence/suggest/why-not-constant.ts", { whyNotConstant: "constantObjection" }),
  ...of("src/evidence/suggest/why-not-meaning.ts", {
    whyNotMeaning: "meaningObjection",
    whyNotCall: "callObjection",
    whyContrary: "contraryObjection",
    whyOtherUnit: "unitObjection",
  }),
  ...of("src/evidence/record/record-calls.ts", { told: "reported" }),

  // src/repair
  ...of("src/repair/repair-value.ts", { mend: "repairParsed", mendValue: "runStages" }),
  ...of("src/repair/heed-undeclared.ts", {
    heedUndeclared: "applyUndeclaredPolicy",
    Heard: "UndeclaredOutcome",
    strayState: "withUndeclared",
  }),
  ...of("src/repair/events/tell-input.ts", {
    tellInput: "emitInput",
    tellCorrections: "emitCorrections",
  }),
  ...of("src/repair/events/tell-call.ts", { tellCall: "emitCall", tellReplaced: "emitCorrection" }),
  ...of("src/repair/events/tell-options.ts", { TellOptions: "Listeners" }),
  ...of("src/repair/events/told-call.ts", {
    ToldCall: "CallOutcome",
    ToldCorrection: "Correction",
    Telling: "EmitContext",
  }),
  ...of("src/repair/events/told-calls.ts", { keepTold: "rememberReported" }),
  ...of("src/repair/check-as-is.ts", {
    checkAsIs: "validateUnchanged",
    CheckedAsIs: "ValidatedUnchanged",
  }),
  ...of("src/repair/as-no-arguments.ts", { asNoArguments: "emptyArguments" }),
  ...of("src/repair/limits.ts", { whyNoInput: "limitIssue" }),
  ...of("src/repair/json/json-value.ts", { whyNot: "jsonIssue" }),
  ...of("src/repair/align/align-value.ts", {
    isUnheardInside: "hasUndeclaredBelow",
    tellsByParts: "isDiscriminated",
    alignAfresh: "alignFromScratch",
  }),
];

/** Files; a row is taken out once it is done. */
export const FILES: readonly FileRename[] = [
  ...filesOf("src/langchain/calls", {
    "hear-stop-reason": "capture-stop-reason",
    "park-refused-calls": "detach-refused-calls",
  }),
  ...filesOf("src/langchain/executor", {
    "hear-generation": "capture-generation",
    "late-parts": "lazy",
    "load-late-parts": "load-lazy",
  }),
  ...filesOf("src/langchain/middleware", { "late-parts": "lazy" }),
  ...filesOf("src/langchain/register", { "lies-in": "is-inside" }),
  ...filesOf("src/langchain/runnables", {
    "settle-calls": "complete-calls",
    "with-earlier": "prepend-history",
  }),
  ...filesOf("src/langchain/tool", {
    "as-told": "mark-reported",
    "told-config": "reported-config",
    "as-tool-takes-it": "to-tool-call-input",
    "hand-on": "invoke-original",
    "resolve-use": "resolve-invocation",
  }),
  ...filesOf("src/langchain/trace", { unmarked: "identity" }),
  ...filesOf("src/evidence", { "told-id": "redact-call-id" }),
  ...filesOf("src/evidence/report", { "to-news": "changes-since" }),
  ...filesOf("src/evidence/suggest", {
    "why-not-constant": "constant-objection",
    "why-not-meaning": "meaning-objection",
  }),
  ...filesOf("src/repair", {
    "heed-undeclared": "apply-undeclared-policy",
    "check-as-is": "validate-unchanged",
    "as-no-arguments": "empty-arguments",
  }),
  ...filesOf("src/repair/events", {
    "tell-input": "emit-input",
    "tell-call": "emit-call",
    "tell-options": "listeners",
    "told-call": "call-outcome",
    "told-calls": "reported-calls",
  }),
];
