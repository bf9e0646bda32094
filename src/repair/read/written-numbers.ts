import type { WrittenNumbers } from "../json/numbers.ts";
import { losesDigits } from "../json/numbers.ts";
import { endOfJsonString } from "./strings.ts";

/**
 * Collects how the numbers of an input are written. In text that is JSON, its strings count only
 * where they may hold JSON themselves; in any other text every number counts, so that a value that
 * is written in two ways has no spelling rather than a wrong one.
 *
 * @param raw What the model wrote: text, or a parsed value, whose own numbers are `String(number)`.
 * @param isJson Whether a text is JSON as it stands.
 */
export function writtenNumbersOf(raw: unknown, isJson = false): WrittenNumbers {
  const spellings = new Map<number, string | undefined>();
  const rounded = new Map<number, string>();
  const read = (add: AddNumber) =>
    typeof raw === "string" ? readNumbers(raw, isJson, add) : readNumbersIn(raw, add);
  read(addOtherwiseSpelled);
  // As `String` writes it, too: then there are two spellings.
  if (spellings.size > 0) read(addPlain);
  return { spellings, rounded };

  function addOtherwiseSpelled(text: string, isPlain: boolean): void {
    if (PLAIN_INTEGER.test(text)) return;
    const number = Number(text.replaceAll("_", ""));
    if (Number.isNaN(number) || String(number) === text) return;
    const isNew = !spellings.has(number) || spellings.get(number) === text;
    spellings.set(number, isNew ? text : undefined);
    if (isPlain ? losesWholeDigits(text, number) : isInexact(text)) rounded.set(number, text);
  }

  function addPlain(text: string): void {
    const number = Number(text);
    if (spellings.has(number) && String(number) === text) spellings.set(number, undefined);
  }
}

/** How `String` writes a number. */
const PLAIN_INTEGER = /^(?:0|[1-9]\d{0,14})$/;

type AddNumber = (text: string, isPlain: boolean) => void;

/** Of the numbers of plain JSON, which the tool takes as they are, only what may be an id. */
function losesWholeDigits(text: string, number: number): boolean {
  return (!Number.isFinite(number) || Number.isInteger(number)) && losesDigits(text, number);
}

function isInexact(text: string): boolean {
  const digits = text.replaceAll("_", "");
  return /^[+-]?(?:0?\.|0$|0e|[1-9])/i.test(digits) && losesDigits(digits, Number(digits));
}

function readNumbersIn(value: unknown, add: AddNumber): void {
  const open: unknown[] = [value];
  for (let inner = open.pop(); inner !== undefined; inner = open.pop()) {
    if (typeof inner === "number") add(String(inner), true);
    else if (typeof inner === "string" && MAY_HOLD_JSON.test(inner)) readNumbers(inner, false, add);
    else if (inner !== null && typeof inner === "object") {
      for (const child of Object.values(inner)) if (child !== undefined) open.push(child);
    }
  }
}

function readNumbers(text: string, isJson: boolean, add: AddNumber): void {
  const token = new RegExp(isJson ? `"|${NUMBER}` : NUMBER, "g");
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    if (match[0] !== '"') add(match[0], isJson);
    else {
      const end = endOfJsonString(text, token.lastIndex);
      const inner = text.slice(token.lastIndex, end);
      if (MAY_HOLD_JSON.test(inner)) readNumbers(inner, false, add);
      token.lastIndex = end + 1;
    }
  }
}

const NUMBER = "[+-]?(?:0[xX][\\da-fA-F]+|\\.?\\d[\\d_]*(?:\\.\\d[\\d_]*)*(?:[eE][+-]?\\d+)?)";
const MAY_HOLD_JSON = /^[\s\\"'`]*[[{(`<]/;
