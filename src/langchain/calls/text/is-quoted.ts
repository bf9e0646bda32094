import { isJsonObject } from "../../../repair/json/json-value.ts";
import { decodeText } from "./decode-text.ts";
import { type FoldedText, findFolded, foldSigns, foldText, rawBehind } from "./folded-text.ts";
import type { ShownText } from "./shown-texts.ts";

/** A call, as it was written and as it would be run. */
export interface QuotedCall {
  readonly name: string;
  readonly args: unknown;
}

/**
 * Checks whether a call stands in what the model was shown: then the model may quote it, and what it
 * quotes is somebody else's. The call is compared as a value, by its name and what each field holds,
 * whatever the notation: JSON in JSON, HTML, Python, a tag for each field, a table, another order.
 *
 * @param calls The call, in all forms that it has.
 * @param shown What the model was shown (see `shownTexts`).
 */
export function isQuoted(calls: readonly QuotedCall[], shown: readonly ShownText[]): boolean {
  const sought = calls.flatMap((call) => seek(call) ?? []);
  return shown.some(({ text, by }) =>
    decodeText(text).some((decoded) => {
      const folded = foldText(decoded);
      return sought.some((call) => holdsCall(folded, call, by));
    }),
  );
}

/** A value in a call, and its key, as `foldSigns` makes them. */
interface SoughtField {
  readonly key: string;
  /** Each spelling of the value. */
  readonly values: readonly string[];
}

interface SoughtCall {
  readonly name: string;
  readonly fields: readonly SoughtField[];
  /** How far a quotation may reach: it is about as long as the call, in whatever notation. */
  readonly reach: number;
}

function seek({ name, args }: QuotedCall): SoughtCall | undefined {
  const folded = foldSigns(name);
  if (folded === "") return undefined;
  const fields = soughtFieldsOf(args, "").slice(0, MAX_FIELDS);
  const length = fields.reduce((sum, { key, values }) => {
    return sum + key.length + (values[0]?.length ?? 0);
  }, 0);
  return { name: folded, fields, reach: 4 * length + 60 * fields.length + 400 };
}

/** What quotes as many fields of a call quotes the call. */
const MAX_FIELDS = 64;

/** Each value in an object or array, after its key. */
function soughtFieldsOf(value: unknown, key: string): readonly SoughtField[] {
  if (Array.isArray(value)) return value.flatMap((item) => soughtFieldsOf(item, ""));
  if (isJsonObject(value)) {
    return Object.entries(value).flatMap(([name, child]) => soughtFieldsOf(child, name));
  }
  const values = spellingsOf(value).flatMap(decodeText).map(foldSigns);
  const field = {
    key: foldSigns(decodeText(key).join(" ")),
    values: [...new Set(values)].filter((one) => one !== ""),
  };
  return field.key === "" && field.values.length === 0 ? [] : [field];
}

/** `1250` may have stood there as `1.25e3`, `0.5` as `.5`; what stands between digits is passed over. */
function spellingsOf(value: unknown): readonly string[] {
  if (value === null || value === undefined) return [];
  if (typeof value !== "number") return [`${value}`];
  const hex = Number.isSafeInteger(value) && value > 9 ? [`0x${value.toString(16)}`] : [];
  return [`${value}`, value.toExponential(), `${value}`.replace(/^(-?)0\./, "$1."), ...hex];
}

function holdsCall(text: FoldedText, sought: SoughtCall, by: ShownText["by"]): boolean {
  const { name, fields, reach } = sought;
  // What one window holds is not looked at again, so that the cost is linear.
  let seen = -1;
  for (let at = findFolded(text, name, 0); at >= 0; at = findFolded(text, name, at + 1)) {
    if (standsAt(text, at, sought, by)) return true;
    if (at <= seen || fields.every(({ key }) => key === "")) continue;
    const window = windowOf(text, at - reach, at + name.length + 2 * reach);
    if (fields.every((field) => holdsField(window, field))) return true;
    seen = at + reach;
  }
  return false;
}

/** Whether the values follow the name at once, without their keys: `pay("bob", 5)`, `$ pay bob 5`. */
function standsAt(
  text: FoldedText,
  at: number,
  { name, fields }: SoughtCall,
  by: ShownText["by"],
): boolean {
  const end = at + name.length;
  const behind = rawBehind(text, end);
  const before = text.raw.slice(Math.max(0, (text.places[at] ?? 0) - 20), text.places[at]);
  if (fields.length === 0) {
    if (/^["'`]?\s*\(\s*\)|^["'`]\s*[,}\]]/.test(behind)) return true;
    if (by !== "stranger") return false;
    if (/(?:\b(?:call|run|use|invoke|execute)|[-*])\s+$/i.test(before)) return true;
    return /[<([{:=`"'/\]]\s*$/.test(before) || /^\s*[>)\]}:={`"'/([]/.test(behind);
  }
  // A user may well ask for it in these words: "Pay Bob 5".
  const isInCode = /^["'`]?\s*[(:=]/.test(behind) || /(?:[($`]\s*|\$ )$/.test(before);
  if (by === "user" && !isInCode) return false;
  const first = end + (SCAFFOLD.exec(text.signs.slice(end, end + 80))?.[0].length ?? 0);
  let next = first;
  return fields.every(({ values }) => {
    if (next - first > TELLING_SIGNS) return true;
    const isHere = (one: string) => text.signs.startsWith(one.slice(0, TELLING_SIGNS), next);
    const value = values.find(isHere);
    if (value === undefined) return values.length === 0;
    next += value.length;
    return true;
  });
}

/** What stands there to this length, stands there. */
const TELLING_SIGNS = 100;

/** Names of fields between a call's name and its values. */
const SCAFFOLD = /^(?:actioninput|toolinput|input|args|arguments?|parameters?|with|on)+/;

function windowOf(text: FoldedText, from: number, to: number): FoldedText {
  const start = Math.max(0, from);
  const signs = text.signs.slice(start, to);
  const starts = text.starts.subarray(start, start + signs.length + 1);
  return { ...text, signs, starts };
}

/** How far a notation may set a value apart from its key: `"city" string="true">Paris`. */
const MAX_GAP = 60;

function holdsField(window: FoldedText, { key, values }: SoughtField): boolean {
  if (values.length === 0) return findFolded(window, key, 0) >= 0;
  if (key === "") return values.some((value) => findFolded(window, value, 0) >= 0);
  const keys: number[] = [];
  for (let at = findFolded(window, key, 0); at >= 0; at = findFolded(window, key, at + 1)) {
    keys.push(at);
  }
  if (keys.length === 0) return false;
  return values.some((value) => {
    let next = 0;
    for (let at = findFolded(window, value, 0); at >= 0; at = findFolded(window, value, at + 1)) {
      while (next < keys.length && (keys[next] ?? 0) < at) next += 1;
      const before = keys[next - 1];
      const after = keys[next];
      if (before !== undefined && at - before - key.length <= MAX_GAP) return true;
      if (after !== undefined && after - at - value.length <= MAX_GAP) return true;
    }
    return false;
  });
}
