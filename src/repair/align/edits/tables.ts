import type { JsonType } from "../../schema/part.ts";
import type { Repair } from "../../types.ts";
import type { KeyEdit, ValueEdit } from "../rule.ts";
import { cleanText } from "./clean-text.ts";
import { correctChoice } from "./correct-choice.ts";
import { correctKey } from "./correct-key.ts";
import { dropEmptyText } from "./drop-empty-text.ts";
import { dropKey } from "./drop-key.ts";
import { dropNull } from "./drop-null.ts";
import { fillDefault, fillDefaultForNull } from "./fill-default.ts";
import { gatherKeys } from "./gather-keys.ts";
import { listFromNumberedKeys } from "./list-from-numbered-keys.ts";
import { nestKeys } from "./nest-keys.ts";
import { noArguments } from "./no-arguments.ts";
import { parseText } from "./parse-text.ts";
import { readBoolean } from "./read-boolean.ts";
import { readNull } from "./read-null.ts";
import { readNumber } from "./read-number.ts";
import { readUnit } from "./read-unit.ts";
import { readYesNo } from "./read-yes-no.ts";
import { renameOnlyKey } from "./rename-only-key.ts";
import { respellChoice } from "./respell-choice.ts";
import { respellKey } from "./respell-key.ts";
import { splitChoices } from "./split-choices.ts";
import { splitText } from "./split-text.ts";
import { unwrapArray } from "./unwrap-array.ts";
import { unwrapEnvelope } from "./unwrap-envelope.ts";
import { unwrapText } from "./unwrap-text.ts";
import { wrapBarePhrase } from "./wrap-bare-phrase.ts";
import { wrapBareValue } from "./wrap-bare-value.ts";
import { wrapInArray } from "./wrap-in-array.ts";
import { writeJson } from "./write-json.ts";
import { writeScalar } from "./write-scalar.ts";

/**
 * The edits of a single value, the cheapest first: dearer ones are not tried if
 * one is enough.
 */
export const valueEdits: readonly ValueEdit[] = [
  readNumber,
  readBoolean,
  readNull,
  writeScalar,
  writeJson,
  respellChoice,
  cleanText,
  parseText,
  dropNull,
  noArguments,
  dropEmptyText,
  readYesNo,
  readUnit,
  wrapInArray,
  wrapBareValue,
  unwrapArray,
  unwrapEnvelope,
  listFromNumberedKeys,
  splitChoices,
  wrapBarePhrase,
  splitText,
  correctChoice,
  unwrapText,
  fillDefaultForNull,
];

/** The edits that look at values of a type, in the same order. */
export function valueEditsOn(type: JsonType): readonly ValueEdit[] {
  return valueEdits.filter(({ types }) => types.includes(type));
}

/**
 * The edits of an object's keys, the surest first; they are tried in this
 * order.
 */
export const keyEdits: readonly KeyEdit[] = [
  respellKey,
  nestKeys,
  correctKey,
  renameOnlyKey,
  gatherKeys,
  fillDefault,
  dropKey,
];

const RESPELLINGS: ReadonlySet<string> = new Set(
  [...valueEdits, ...keyEdits]
    .filter(({ isRespelling }) => isRespelling)
    .map(({ name }) => name),
);

/** Whether a repair only writes a key or a value in another way. */
export function isRespelling({ fixer }: Repair): boolean {
  return RESPELLINGS.has(fixer);
}
