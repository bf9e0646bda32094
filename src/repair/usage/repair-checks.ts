import { DEFAULT_LIMITS } from "../limits.ts";
import type { NoHandler } from "../no-handler.ts";
import type { CommonOptions, RepairOptions } from "../options.ts";
import type { OptionsUsage } from "./check-options.ts";
import {
  aBoolean,
  aCount,
  aFunction,
  anAbortSignal,
  anObject,
  aRegistry,
  arrayOf,
  aSink,
  type Check,
  type Checks,
  either,
  oneOf,
  optionsOf,
} from "./checks.ts";
import { aLevel, anUndeclaredPolicy, aTextPolicy, editSwitches } from "./policy-checks.ts";

const LIMITS = Object.fromEntries(Object.keys(DEFAULT_LIMITS).map((name) => [name, aCount]));

/** What the options must be that every function has which repairs. */
export const COMMON_CHECKS: Checks<CommonOptions> = {
  fixers: aRegistry,
  level: aLevel,
  objectAsText: aTextPolicy,
  undeclaredKeys: anUndeclaredPolicy,
  edits: editSwitches,
  limits: optionsOf(LIMITS),
  onRepair: aFunction,
  onRefused: aFunction,
  evidence: arrayOf(aSink),
};

/** The options of `repairToolInput` and `repairToolCall`. */
const REPAIR_CHECKS: Checks<RepairOptions & NoHandler> = {
  ...COMMON_CHECKS,
  action: anObject,
  toolCall: anObject,
  truncated: aBoolean,
  parsed: aBoolean,
  signal: anAbortSignal,
  // Nobody would ask it.
  onUnfixable: {
    must: "left out: read the error that is returned, or give the handler to wrapTool or another wrapper",
    isMet: () => false,
  },
};

/** How `repairToolInput` and `repairToolCall` are called. */
export const REPAIR_USAGE: OptionsUsage = {
  of: "repairToolInput, repairToolCall and normalizeIntermediateSteps",
  example: "repairToolInput(raw, tool, { fixers })",
  checks: REPAIR_CHECKS,
};

/** What decides about an input that could not be repaired. */
export const aHandler: Check = either(aFunction, oneOf("tellModel"));
