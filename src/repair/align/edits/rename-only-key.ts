import { isJsonObject } from "../../json.ts";
import type { JsonObject, JsonValue } from "../../types.ts";
import {
  foldName,
  inFull,
  isPlainName,
  quoted,
  sharesStem,
  slipBetween,
  stemOf,
  stemsOf,
  wordsOf,
} from "../../words/names.ts";
import { isNothing } from "../../words/vocabulary.ts";
import { described, integer, object, text, texts } from "../cases.ts";
import { fitsAt } from "../fit.ts";
import { formatOf, formOf, hasForm, namesForm } from "../forms.ts";
import type { Edit, EditSpec, KeyRename } from "../rule.ts";
import type { KeyWant } from "../types.ts";

export const renameOnlyKey: Edit<KeyRename, KeyWant> = {
  name: "rename-only-key",
  level: "eager",
  cost: 4,
  propose({ unknown, missing }) {
    if (unknown.length !== 1 || missing.length !== 1) return [];
    const [from = ""] = unknown;
    const [to = ""] = missing;
    return [{ kind: "rename", from, to }];
  },
  because: {
    "the names share a word": ({ from, to }, at) =>
      isNameOf(from, to, at.object[from] as JsonValue, at),
    "both names only ask for a text": ({ from, to }, { object }) => {
      if (typeof object[from] !== "string") return false;
      const words = [...stemsOf(from), ...stemsOf(to)];
      // `_` has no word
      return words.length > 1 && words.every((word) => ASKS.has(word));
    },
    "both names say what format the text has": ({ from, to }, { object }) => {
      const value = object[from];
      if (typeof value !== "string") return false;
      const format = formatOf(value);
      if (format === undefined) return false;
      const words = [...stemsOf(from), ...stemsOf(to)];
      return words.every((word) => format.words.has(word));
    },
  },
  unproven: ({ from, to }) =>
    `nothing shows that ${quoted(from)} means ${quoted(to)}: register renameKey(${JSON.stringify(from)}, ${JSON.stringify(to)})`,
  unless: {
    "its value is nothing": ({ from }, { object }) =>
      isNothing(object[from] as JsonValue),
    "its value needs more than a small repair to fit": (
      { from, to },
      { object, variant, costAt },
    ) => {
      const value = object[from] as JsonValue;
      const node = variant.properties.get(to);
      if (node === undefined || costAt(value, to) > 1) return true;
      return !fitsAt(value, node, "someKey");
    },
    "the field has a default, which may be meant": ({ to }, { variant }) =>
      variant.properties.get(to)?.default !== undefined,
    "another declared key shares a word with it, or is a typo away": (
      { from, to },
      { variant },
    ) => {
      const names = new Set(variant.properties.keys());
      names.delete(to);
      return [...names].some(
        (name) =>
          sharesStem(name, from) || slipBetween(from, name) !== undefined,
      );
    },
    "a key of its value is declared beside it": (
      { from },
      { object, variant },
    ) => {
      const value = object[from];
      if (!isJsonObject(value)) return false;
      return Object.keys(value).some((key) => variant.properties.has(key));
    },
    "a sign or a repeated word may carry a meaning": ({ from, to }) =>
      ![from, to].every(isPlainName),
  },
};

/** Names that only say that a text is asked for. */
const ASKS: ReadonlySet<string> = new Set([
  "query",
  "question",
  "prompt",
  "input",
  "search",
  "request",
  "instruction",
]);

/**
 * Whether two names share a word, and the schema or the value bears out what
 * they differ in.
 */
export function isNameOf(
  from: string,
  to: string,
  value: JsonValue,
  at: KeyWant,
): boolean {
  // Names that differ only in case are for `respell-key` to judge; a word added
  // to a flag may deny it.
  if (!isPlainName(from) || foldName(from) === foldName(to)) return false;
  switch (typeof value) {
    case "boolean":
      return false;
    case "number":
      return isNumberNameOf(from, to);
    default:
      return isTextNameOf(from, to, value, at);
  }
}

/** Whether the names of a number differ in nothing but `number` and `id`. */
function isNumberNameOf(from: string, to: string): boolean {
  // not by stems: `pages: 3` is no page 3
  const names = compareWords(inFull(from).split(" "), inFull(to).split(" "));
  if (!names.shareWord) return false;
  const areNumbers = (words: readonly string[]) =>
    words.every((word) => NUMBER_WORDS.has(word));
  // `id` for `claim_id`
  if (names.isEndOfOther && areNumbers(names.written)) return true;
  return areNumbers([...names.added, ...names.lacking]);
}

function isTextNameOf(
  from: string,
  to: string,
  value: JsonValue,
  at: KeyWant,
): boolean {
  const names = compareWords(stemsOf(from), stemsOf(to));
  if (!names.shareWord) return false;
  const schemaWords = wordsOfSchema(to, at);
  const isKnown = (word: string) => {
    if (schemaWords.includes(word)) return true;
    return formOf(word)?.kind !== "exact" && showsForm(value, word);
  };
  const isImplied = (word: string) => {
    // `id` for `claim_id`: what it lacks only says whose it is
    if (names.isEndOfOther && !namesForm(word)) return true;
    return showsForm(value, word);
  };
  return names.added.every(isKnown) && names.lacking.every(isImplied);
}

/** How the words of a written name differ from those of a declared one. */
interface WordsCompared {
  readonly written: readonly string[];
  readonly added: readonly string[];
  readonly lacking: readonly string[];
  readonly shareWord: boolean;
  /**
   * Whether the written name only names a form, and the declared one ends in
   * it.
   */
  readonly isEndOfOther: boolean;
}

function compareWords(
  written: readonly string[],
  meant: readonly string[],
): WordsCompared {
  const added = written.filter((word) => !meant.includes(word));
  const lacking = meant.filter((word) => !written.includes(word));
  const isEnd = meant.slice(-written.length).join() === written.join();
  return {
    written,
    added,
    lacking,
    shareWord: added.length < written.length,
    isEndOfOther: isEnd && written.every(namesForm),
  };
}

/** Words that a number may have beside its name: `room_number` and `room`. */
const NUMBER_WORDS: ReadonlySet<string> = new Set(["number", "id"]);

/**
 * Whether a word only names a form that the value has; a thing's content is no
 * word for the thing.
 */
function showsForm(value: JsonValue, word: string): boolean {
  return formOf(word)?.isContent !== true && hasForm(value, word);
}

/** The words of a field's description and of the tool's name. */
function wordsOfSchema(
  to: string,
  { variant, run }: KeyWant,
): readonly string[] {
  const variants = variant.properties.get(to)?.variants() ?? [];
  const descriptions = variants.map(({ description }) => description).join(" ");
  return wordsOf(`${descriptions.slice(0, 500)} ${run.toolName}`).map(stemOf);
}

export function renameOnlyKeySpec(): EditSpec {
  const lookup = object({ query: text, "limit?": integer });
  return {
    does: "The only undeclared key becomes the only missing required field, if its value fits.",
    evidence:
      "the names share a word that no third name has: what the written name adds is a word of the field's description or of the tool's name, or a form that the value has (a path, a selector, any name or text); what it lacks is such a form, or says whose it is (`id` for `claim_id`); of a number only `number` or `id`, of a flag nothing. Or both names only ask for a text (`query`, `question`, `prompt`, `input`, `search`, `request`, `instruction`). Or both say what format the text has (`url`, `uri`, `link`, `href`).",
    example: {
      schema: object({ path: text, "limit?": integer }),
      input: { file_path: "src/a.ts", limit: 5 },
      after: { path: "src/a.ts", limit: 5 },
    },
    proofs: {
      "the names share a word": {
        schema: object({ claim_id: text }),
        input: { id: "C-4" },
        after: { claim_id: "C-4" },
      },
      "both names only ask for a text": {
        schema: lookup,
        input: { question: "Which cats are orange?" },
        after: { query: "Which cats are orange?" },
      },
      "both names say what format the text has": {
        schema: object({ url: text }),
        input: { link: "https://example.com/a" },
        after: { url: "https://example.com/a" },
      },
    },
    witnesses: renameOnlyKeyWitnesses(lookup),
    notFor: [
      { schema: object({ vehicle: text }), input: { stolen_vehicle: "KA-1" } },
      { schema: object({ product: text }), input: { product_id: "p1" } },
      {
        schema: object({
          antidote: described(text, "Antidote against the poison"),
        }),
        input: { poison: "atropine" },
      },
      {
        schema: object({ visit_date: text }),
        input: { birth_date: "2001-02-03" },
      },
      { schema: object({ max_price: integer }), input: { price: 5 } },
      { schema: object({ reply_to: text }), input: { to: "ann@example.com" } },
    ],
  };
}

function renameOnlyKeyWitnesses(lookup: JsonObject): EditSpec["witnesses"] {
  return {
    "its value is nothing": {
      schema: lookup,
      input: { search_query: "n/a" },
    },
    "its value needs more than a small repair to fit": {
      schema: object({ path: texts }),
      input: { file_path: "src/a.ts" },
    },
    "the field has a default, which may be meant": {
      schema: object({ path: { ...text, default: "." } }),
      input: { file_path: "src/a.ts" },
    },
    "another declared key shares a word with it, or is a typo away": {
      schema: object({ path: text, "file?": text }),
      input: { file_path: "src/a.ts" },
    },
    "a key of its value is declared beside it": {
      schema: object({
        config: { type: "object" },
        "retries?": integer,
      }),
      input: { config_object: { retries: 5 } },
    },
    "a sign or a repeated word may carry a meaning": {
      schema: object({ "!path": text }),
      input: { file_path: "src/a.ts" },
    },
  };
}
