/**
 * Every edit with what the docs say of it and what its tests run. Only docs and
 * tests import this file.
 */

import type { EditSpec, KeyEdit, ValueEdit } from "../rule.ts";
import { cleanText, cleanTextSpec } from "./clean-text.ts";
import { correctChoice, correctChoiceSpec } from "./correct-choice.ts";
import { correctKey, correctKeySpec } from "./correct-key.ts";
import { dropEmptyText, dropEmptyTextSpec } from "./drop-empty-text.ts";
import { dropKey, dropKeySpec } from "./drop-key.ts";
import { dropNull, dropNullSpec } from "./drop-null.ts";
import {
  fillDefault,
  fillDefaultForNull,
  fillDefaultForNullSpec,
  fillDefaultSpec,
} from "./fill-default.ts";
import { gatherKeys, gatherKeysSpec } from "./gather-keys.ts";
import {
  listFromNumberedKeys,
  listFromNumberedKeysSpec,
} from "./list-from-numbered-keys.ts";
import { nestKeys, nestKeysSpec } from "./nest-keys.ts";
import { noArguments, noArgumentsSpec } from "./no-arguments.ts";
import { parseText, parseTextSpec } from "./parse-text.ts";
import { readBoolean, readBooleanSpec } from "./read-boolean.ts";
import { readNull, readNullSpec } from "./read-null.ts";
import { readNumber, readNumberSpec } from "./read-number.ts";
import { readUnit, readUnitSpec } from "./read-unit.ts";
import { readYesNo, readYesNoSpec } from "./read-yes-no.ts";
import { renameOnlyKey, renameOnlyKeySpec } from "./rename-only-key.ts";
import { respellChoice, respellChoiceSpec } from "./respell-choice.ts";
import { respellKey, respellKeySpec } from "./respell-key.ts";
import { splitChoices, splitChoicesSpec } from "./split-choices.ts";
import { splitText, splitTextSpec } from "./split-text.ts";
import { unwrapArray, unwrapArraySpec } from "./unwrap-array.ts";
import { unwrapEnvelope, unwrapEnvelopeSpec } from "./unwrap-envelope.ts";
import { unwrapText, unwrapTextSpec } from "./unwrap-text.ts";
import { wrapBarePhrase, wrapBarePhraseSpec } from "./wrap-bare-phrase.ts";
import { wrapBareValue, wrapBareValueSpec } from "./wrap-bare-value.ts";
import { wrapInArray, wrapInArraySpec } from "./wrap-in-array.ts";
import { writeJson, writeJsonSpec } from "./write-json.ts";
import { writeScalar, writeScalarSpec } from "./write-scalar.ts";

/** An edit and its specification. */
export interface SpecifiedEdit {
  readonly edit: ValueEdit | KeyEdit;
  readonly spec: EditSpec;
}

/** In the order of the search. */
export const specifiedEdits: readonly SpecifiedEdit[] = [
  { edit: readNumber, spec: readNumberSpec() },
  { edit: readBoolean, spec: readBooleanSpec() },
  { edit: readNull, spec: readNullSpec() },
  { edit: writeScalar, spec: writeScalarSpec() },
  { edit: writeJson, spec: writeJsonSpec() },
  { edit: respellChoice, spec: respellChoiceSpec() },
  { edit: cleanText, spec: cleanTextSpec() },
  { edit: parseText, spec: parseTextSpec() },
  { edit: dropNull, spec: dropNullSpec() },
  { edit: noArguments, spec: noArgumentsSpec() },
  { edit: dropEmptyText, spec: dropEmptyTextSpec() },
  { edit: readYesNo, spec: readYesNoSpec() },
  { edit: readUnit, spec: readUnitSpec() },
  { edit: wrapInArray, spec: wrapInArraySpec() },
  { edit: wrapBareValue, spec: wrapBareValueSpec() },
  { edit: unwrapArray, spec: unwrapArraySpec() },
  { edit: unwrapEnvelope, spec: unwrapEnvelopeSpec() },
  { edit: listFromNumberedKeys, spec: listFromNumberedKeysSpec() },
  { edit: splitChoices, spec: splitChoicesSpec() },
  { edit: wrapBarePhrase, spec: wrapBarePhraseSpec() },
  { edit: splitText, spec: splitTextSpec() },
  { edit: correctChoice, spec: correctChoiceSpec() },
  { edit: unwrapText, spec: unwrapTextSpec() },
  { edit: fillDefaultForNull, spec: fillDefaultForNullSpec() },
  { edit: respellKey, spec: respellKeySpec() },
  { edit: nestKeys, spec: nestKeysSpec() },
  { edit: correctKey, spec: correctKeySpec() },
  { edit: renameOnlyKey, spec: renameOnlyKeySpec() },
  { edit: gatherKeys, spec: gatherKeysSpec() },
  { edit: fillDefault, spec: fillDefaultSpec() },
  { edit: dropKey, spec: dropKeySpec() },
];
