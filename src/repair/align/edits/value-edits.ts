import { cleanText } from "./clean-text.ts";
import type { Edit } from "./edit.ts";
import { listFromNumberedKeys, pairFromParts, rowsFromColumns } from "./list-from-object.ts";
import { correctChoice, respellChoice } from "./match-choice.ts";
import { parseText } from "./parse-text.ts";
import { readBoolean, readYesNo } from "./read-boolean.ts";
import { readNull } from "./read-null.ts";
import { readFigure, readNumber } from "./read-number.ts";
import { splitChoices, splitText } from "./split-text.ts";
import { unwrapArray, unwrapText } from "./unwrap-array.ts";
import { unwrapAnyKey, unwrapEnvelope } from "./unwrap-object.ts";
import { wrapArrayInArray, wrapBareValue, wrapInArray, wrapNestedValue } from "./wrap-value.ts";
import { writeJson, writeScalar } from "./write-text.ts";

/** The edits of a single value, cheapest first. */
export const valueEdits: readonly Edit[] = [
  readNumber,
  readBoolean,
  readNull,
  writeScalar,
  writeJson,
  respellChoice,
  cleanText,
  parseText,
  // 2
  readFigure,
  readYesNo,
  wrapInArray,
  wrapArrayInArray,
  wrapBareValue,
  unwrapArray,
  unwrapEnvelope,
  listFromNumberedKeys,
  splitChoices,
  // 3
  splitText,
  correctChoice,
  unwrapText,
  unwrapAnyKey,
  wrapNestedValue,
  rowsFromColumns,
  pairFromParts,
];
