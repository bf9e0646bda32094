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
