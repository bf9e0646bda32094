import { brokenOff } from "./broken-off.ts";
import { choicesConfused } from "./choices-confused.ts";
import { consent } from "./consent.ts";
import { cutOff } from "./cut-off.ts";
import { cutStrings } from "./cut-strings.ts";
import { declaredEnvelopes } from "./declared-envelopes.ts";
import { disownedJson } from "./disowned-json.ts";
import { dottedNames } from "./dotted-names.ts";
import { fragments } from "./fragments.ts";
import type { HazardClass } from "./hazard.ts";
import { likenesses } from "./likenesses.ts";
import { listsCut } from "./lists-cut.ts";
import { lostDigits } from "./lost-digits.ts";
import { meltedText } from "./melted-text.ts";
import { othersFields } from "./others-fields.ts";
import { plainJson } from "./plain-json.ts";
import { plainText } from "./plain-text.ts";
import { plainValues } from "./plain-values.ts";
import { polluted } from "./polluted.ts";
import { turnedRenames } from "./turned-renames.ts";
import { twoReadings } from "./two-readings.ts";
import { undeclaredKeys } from "./undeclared-keys.ts";
import { unionFields } from "./union-fields.ts";

/** Everything that may go wrong in repairs, by class; the last three must stay repaired. */
export const hazardClasses: readonly HazardClass[] = [
  meltedText,
  cutStrings,
  lostDigits,
  cutOff,
  disownedJson,
  fragments,
  brokenOff,
  declaredEnvelopes,
  unionFields,
  undeclaredKeys,
  turnedRenames,
  likenesses,
  choicesConfused,
  consent,
  othersFields,
  listsCut,
  dottedNames,
  twoReadings,
  polluted,
  plainText,
  plainJson,
  plainValues,
];
