import type { SchemaNode } from "../schema/node.ts";
import type { JsonValue } from "../types.ts";
import { foldName, inFull, quoted, stemOf, stemsOf, wordsOf } from "./names.ts";
import type { KeyWant } from "./types.ts";
import {
  ARTICLE,
  FORM_OF,
  type Form,
  formatOf,
  formOf,
  hasForm,
  NAME_END,
  QUALIFIERS,
} from "./vocabulary.ts";

/**
 * The evidence that a key was meant for a field: a word that both names have, the first noun of the
 * field's description, or a format that both name.
 *
 * @returns In a few words, or `undefined` for none: then the key is not renamed.
 */
export function evidenceFor(from: string, to: string, want: KeyWant): string | undefined {
  const value = want.object[from] as JsonValue;
  const word = sharedWord(from, to, value, want);
  if (word !== undefined) return `the names share ${quoted(word)}`;
  const node = want.variant.properties.get(to);
  // Of flags and amounts only the name tells what they are.
  if (node === undefined || typeof value === "number" || typeof value === "boolean") {
    return undefined;
  }
  const others = [...want.variant.properties].filter(([name]) => name !== to);
  if (others.some(([name]) => stemsOf(name).some((each) => stemsOf(from).includes(each)))) {
    return undefined;
  }
  const isOnlyOne =
    describes(node, from, value) && !others.some(([, other]) => mentions(other, from));
  if (isOnlyOne) return `the description of ${quoted(to)} speaks of it`;
  return nameFormat(from, to, value) ? "both names say what format the text has" : undefined;
}

/** The word that makes two names one, where no other field has it. */
function sharedWord(from: string, to: string, value: JsonValue, want: KeyWant): string | undefined {
  if (foldName(from) === foldName(to) || !isOneThing(from, to, value, want.run.toolName)) {
    return undefined;
  }
  const others = [...want.variant.properties.keys()].filter((name) => name !== to);
  const taken = new Set(others.flatMap(stemsOf));
  return stemsOf(from).find((word) => stemsOf(to).includes(word) && !taken.has(word));
}

/**
 * Whether two names share a word, and what either adds is a form that the value has, or a word of
 * the tool's name. A flag or an amount is told by the same words only.
 */
export function isOneThing(from: string, to: string, value: JsonValue, toolName: string): boolean {
  const isAmount = typeof value === "number" || typeof value === "boolean";
  if (isAmount && inFull(from) !== inFull(to)) return false;
  const [written, declared] = [stemsOf(from), stemsOf(to)];
  const longer = written.length > declared.length ? written : declared;
  const shared = written.filter((word) => declared.includes(word));
  if (shared.length === 0 || shared.length < Math.min(written.length, declared.length))
    return false;
  // A verb and a noun: in a longer name of a tool, its words tell things apart (`swap_left_and_right`).
  const ofTool = new Set(wordsOf(toolName).length > 2 ? [] : stemsOf(toolName));
  // A `query_text` is a `query`; a `patient_note` is no `patient`.
  const isForm = shared.every((word) => formOf(word) !== undefined);
  const last = longer.findLastIndex((word) => shared.includes(word));
  return longer.every((word, at) => {
    if (shared.includes(word) || ofTool.has(word) || (isForm && QUALIFIERS.has(word))) return true;
    const form = formOf(word);
    if ((form?.isContent === true && !isForm) || !hasForm(value, word)) return false;
    // Before a noun it says which one, unless it says the same: a `file_path` is a `path`.
    if (at < last) return isAnotherWord(form, longer[last] ?? "");
    return longer === declared || form?.isTyped !== true;
  });
}

/** Whether a form is called by a word, too. Numbers of all kinds are one form, and no two of them the same. */
function isAnotherWord(form: Form | undefined, word: string): boolean {
  const isOneKind = form?.isFormat === true || form?.isTyped !== true;
  return isOneKind && form?.words.has(word) === true;
}

function describes(node: SchemaNode, name: string, value: JsonValue): boolean {
  return node
    .variants()
    .some(({ description }) => isDescribed(description.slice(0, 500), name, value));
}

function mentions(node: SchemaNode, name: string): boolean {
  return node.variants().some(({ description }) => {
    const said = new Set(stemsOf(description.slice(0, 900)));
    return stemsOf(name).every((word) => said.has(word));
  });
}

/**
 * Whether a description begins with a name, or with a form of it that the value has ("ID of the user"),
 * or ends it with one.
 */
function isDescribed(description: string, key: string, value: JsonValue): boolean {
  const [clause = ""] = description.split(/[.!?;](?:\s|$)|\n/);
  const name = wordsOf(key).join(" ");
  if (beginsWith(withoutArticle(clause), name)) return true;
  const [, head = "", rest = ""] = FORM_OF.exec(clause.trim().replace(ARTICLE, "")) ?? [];
  const thing = withoutArticle(rest);
  if (name === `${thing} ${head.toLowerCase()}`) return true;
  const form = stemOf(wordsOf(head).at(-1) ?? "");
  return isFormOnly(head) && hasForm(value, form) && beginsWith(thing, name);
}

/** Whether words name a form and nothing else, but for an acronym: "CSS selector", "full path". */
function isFormOnly(text: string): boolean {
  const words = text.trim().split(/\s+/);
  return words.every((word, at) => {
    const isForm = isMereForm(word);
    if (at === words.length - 1) return isForm;
    return isForm || /^\p{Lu}{2,}$/u.test(word);
  });
}

/** Whether a word names a form that is no thing by itself: an email has an address, and a body besides. */
function isMereForm(word: string): boolean {
  const form = formOf(stemOf(word.toLowerCase()));
  return form !== undefined && form.isContent !== true;
}

const withoutArticle = (text: string) => text.trim().replace(ARTICLE, "").toLowerCase();

/** Whether a text begins with a noun, or with the noun and a form after it: "Ticker symbol". */
function beginsWith(text: string, noun: string): boolean {
  if (!text.startsWith(noun)) return false;
  const rest = text.slice(noun.length);
  const [, form = "", end = ""] = /^ (\w+)(.*)$/s.exec(rest) ?? [];
  return NAME_END.test(rest) || (isMereForm(form) && NAME_END.test(end));
}

function nameFormat(from: string, to: string, value: JsonValue): boolean {
  const form = typeof value === "string" ? formatOf(value) : undefined;
  const names = [...stemsOf(from), ...stemsOf(to)];
  return form !== undefined && names.every((word) => form.words.has(word));
}
