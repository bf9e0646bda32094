import { describe, expect, test } from "@jest/globals";
import { type RepairOptions, repairToolInput } from "toolmend";
import type { JsonValue } from "#src/repair/types.ts";
import { boolean, listOf, number, object, text } from "../../../support/repair/align/run.ts";
import { sampled } from "../../../support/tier.ts";

/** An input, the schema that it is for, and what the tool says of itself. */
type Attack = readonly [input: JsonValue, schema: unknown, description?: string];

/** Towns in nine languages and five scripts: what a rule says of one, it must say of all. */
const TOWNS = "Ulm Málaga København İzmir Łódź Москва 京都 الرياض Αθήνα".split(" ");
/** Words of the same languages that change the meaning of what is beside them. */
const WORDS = "alle ninguno undtagen hariç ostatni вчера 全部 باستثناء κανένα".split(" ");
const THINGS = "vessel author invoice sensor ticket patient branch driver kiosk reactor".split(" ");

const said = (schema: object, description: string) => ({ ...schema, description });
const closed = (fields: { readonly [name: string]: unknown }) => object(fields, true);
const choice = (...values: JsonValue[]) => ({ enum: values });
const each = <Item>(items: readonly Item[], make: (item: Item, at: number) => readonly Attack[]) =>
  items.flatMap(make);
const pairsOf = (pairs: string) =>
  pairs.split(" ").map((pair) => pair.split("/") as [written: string, declared: string]);

/** By class: what no level repairs. */
const CLASSES: { readonly [name: string]: readonly Attack[] } = {
  "several values, or a range, where a list of one is wanted": each(TOWNS, (town) =>
    [
      `${town} | Rome`,
      `${town}\tRome`,
      `${town}, and Rome`,
      `${town}, Rome, …`,
      `${town}...`,
      `only ${town}, no other`,
      `!${town}`,
      "A1-A9",
      "3..5",
    ].map((value): Attack => [{ stops: value }, object({ stops: listOf(text) })]),
  ),
  "two words behind a comma and a space, which may be one name": each(TOWNS, (town) => [
    [{ stops: `${town}, Texas` }, object({ stops: listOf(text) })],
    [{ guests: `${town}, Ada` }, object({ guests: listOf(text) })],
    [{ stops: `${town}, b2` }, object({ stops: listOf(text) })],
  ]),
  "a list of parts that are no single words": each(WORDS, (word) => [
    [{ stops: `Rome, ${word} Oslo, Bern` }, object({ stops: listOf(text) })],
    [{ stops: `Rome|${word}|Bern` }, object({ stops: listOf(text) })],
    [{ stops: `Rome|${word}` }, object({ stops: listOf(choice("Rome", word)) })],
    [{ cells: `A1-A5, ${word}, B2` }, object({ cells: listOf(text) })],
    [{ days: `Mon-Fri, Sun, ${word}` }, object({ days: listOf(text) })],
  ]),
  "a placeholder for a path or a selector": each(THINGS, (thing, at) => {
    const paths = [
      "/path/to/file",
      `path/to/${thing}.txt`,
      `${thing}/file.txt`,
      `./folder/${thing}`,
    ];
    const selectors = ["[selector]", `#${thing} .selector`, ".xpath"];
    return [
      [paths[at % 4] ?? "", object({ path: text })],
      [selectors[at % 3] ?? "", object({ [thing]: said(text, "CSS selector") })],
    ];
  }),
  "a bare date in words, or in two orders": each(
    ["03/04/2024", "31 Dec", "next Monday", "tomorrow at 10", "morgen", "since 2024"],
    (date) => [[date, object({ date: text })]],
  ),
  "a key in which case is a unit's meaning": each(THINGS, (thing) =>
    each(pairsOf("mW/MW mV/MV kPa/KPA pH/PH kHz/KHZ"), ([small, large]) => [
      [{ [`${thing}_${small}`]: 5 }, closed({ [`${thing}_${large}`]: number })],
      [{ [`${thing}_${large}`]: 5 }, closed({ [`${thing}_${small}`]: number })],
    ]),
  ),
  "a word that a space or hyphen makes another": each(
    pairsOf("re-sign/resign co-op/coop re-cover/recover un-ionized/unionized re-lay/relay"),
    ([written, declared]) => [
      [{ [written]: "a" }, closed({ [declared]: text })],
      [{ state: written }, object({ state: choice(declared, "other") })],
      [{ state: written.replace("-", " ") }, object({ state: choice(declared, "other") })],
    ],
  ),
  "nothing where the tool or what is around it speaks of it": each(THINGS, (thing) => [
    [
      { a: "x", [thing]: null },
      object({ a: text, [`${thing}?`]: number }),
      `null resets ${thing}.`,
    ],
    [
      { a: "x", [thing]: null },
      object({ a: text, [`${thing}?`]: number }),
      "Updates a row. Empty fields are deleted.",
    ],
    [
      { row: { b: "x", [thing]: null } },
      object({
        row: said(object({ b: text, [`${thing}?`]: number }) as object, "null clears a field"),
      }),
    ],
  ]),
  "none in small letters, which may be an answer": each(THINGS, (thing) => [
    [{ a: "x", [thing]: "none" }, object({ a: text, [`${thing}?`]: { type: "integer" } })],
    [{ a: "x", [thing]: "none" }, object({ a: text, [`${thing}?`]: boolean })],
    [{ a: "x", [thing]: "none" }, object({ a: text, [`${thing}?`]: choice("email", "sms") })],
  ]),
  "a bare text that shows no exact form of its field": each(WORDS, (word) =>
    ["order_id", "url", "date", "email"].flatMap((field): Attack[] => [
      [`"${word} ${word}"`, object({ [field]: text })],
      [`${word}`, object({ [field]: text })],
    ]),
  ),
  "a flag for text that names none": each(WORDS, (word) => [
    [{ x: true }, object({ x: text })],
    [{ x: false }, object({ x: said(text, word) })],
  ]),
  "angle brackets where only a pattern wants what is inside": each(THINGS, (thing) => [
    [{ x: `<${thing}>` }, object({ x: { type: "string", pattern: "^[a-z]+$" } })],
    [{ x: `<${thing}>` }, object({ x: { type: "string", pattern: `^${thing}$` } })],
  ]),
  "several numbers, or one that may be grouped": each(
    ["101,102,103", "200,300,400,500", "1,000", "1.250"],
    (value) => [[{ n: value }, object({ n: number })]],
  ),
  "a remark that may be an argument": each(["note", "hint", "purpose"], (key) => [
    [{ q: "a", [key]: "at most 10 of them" }, closed({ q: text })],
    [{ q: "a", [key]: "because" }, closed({ q: text, "grund?": text })],
  ]),
  "a default that is a consent or the only choice": each(
    ["agreed", "public", "I accept", "production", "ja", 1],
    (value) => [
      [{ a: "x" }, object({ a: text, b: { enum: [value], default: value } })],
      [{ a: "x" }, object({ a: text, b: { const: value, default: value } })],
      [{ a: "x" }, object({ a: text, b: { type: "boolean", default: true } })],
      [{ a: "x" }, object({ a: text, b: { type: "object", default: { c: { d: true } } } })],
    ],
  ),
  "a word for yes or no in another language, or a letter": each(
    [..."ja nein oui non sí да нет はい いいえ نعم ναι evet hayır".split(" "), "y", "n"],
    (word) => [[{ x: word }, object({ x: boolean })]],
  ),
  "a key with an operator in it": each([">=", "<", "!=", "!", "~", "^", "%", "*"], (sign) => [
    [{ [`amount${sign}`]: 5 }, closed({ amount: number })],
    [{ [`path${sign}`]: "a/b.txt" }, closed({ file_path: text })],
    [{ amount: 5, [`amount${sign}`]: 5 }, closed({ amount: number })],
  ]),
  "the noun of a field that is another one of its kind": each(THINGS, (thing) =>
    ["other", "next", "excluded", "previous", "max"].flatMap((role): Attack[] => [
      [{ [thing]: "Ulm" }, object({ [`${role}_${thing}`]: said(text, `The ${role} ${thing}`) })],
      [{ [thing]: 5 }, object({ [`${role}_${thing}`]: number })],
    ]),
  ),
  "a flag of the contrary": each(THINGS, (thing) =>
    ["skip", "not", "without", "disable", "exclude"].flatMap((denial): Attack[] => [
      [{ [`${denial}_${thing}`]: true }, object({ [thing]: boolean })],
      [{ [thing]: true }, object({ [`${denial}_${thing}`]: boolean })],
    ]),
  ),
  "a short key in which one letter makes another word": each(
    pairsOf(
      "patent/patient county/country desert/dessert filing/filling bother/brother diner/dinner " +
        "super/supper actor/factor form/from eats/east",
    ),
    ([written, declared]) => [
      [{ [written]: "a" }, closed({ [declared]: text })],
      [{ [declared]: "a" }, closed({ [written]: text })],
    ],
  ),
  "another ending of a word": each(
    pairsOf("payer/payee lessor/lessee archived/archive human/humane director/directory"),
    ([written, declared]) => [
      [{ [written]: "a" }, closed({ [declared]: text })],
      [{ [`bank_${written}`]: "a" }, closed({ [`bank_${declared}`]: text })],
      [{ x: written }, object({ x: choice(declared, "other") })],
    ],
  ),
  "a list around text that may want the list": each(THINGS, (thing) =>
    [`List of ${thing}s`, `${thing} (JSON array)`, `A set: ${thing}`, `${thing} as JSON`].map(
      (description): Attack => [{ [thing]: ["a"] }, object({ [thing]: said(text, description) })],
    ),
  ),
  "fields beside others that may belong elsewhere": each(THINGS, (thing) => [
    [{ a: "x", [thing]: "y" }, closed({ a: text, b: closed({ [thing]: text }) })],
    [
      { a: "x", [thing]: "y", c: "z" },
      closed({ a: text, b: closed({ [thing]: text, c: text }), "d?": closed({ [thing]: text }) }),
    ],
    [{ a: "x", [thing]: "y", c: "z" }, closed({ a: text, b: closed({ [thing]: text }) })],
  ]),
  "bare text that is more than a phrase, in any language": each(TOWNS, (town) =>
    ["query", "city", "message", "name", "input", "value"].flatMap((field) =>
      [
        `Ort: ${town}`,
        `${town}\n${town}`,
        "{{city}}",
        "<city name>",
        `${town} ${town}.`,
        `${town}()`,
      ].map((input): Attack => [input, object({ [field]: text })]),
    ),
  ),
  "a word or a remark for a field with a form": each(WORDS, (word) => [
    [word, object({ selector: text })],
    [word, object({ command: text })],
    [`${word} 5`, object({ command: text })],
    [`${word} > 5`, object({ command: text })],
    [`${word} - 5`, object({ command: text })],
  ]),
  "a word twice, which may be a degree": each(
    pairsOf("great_great_aunt/great_aunt sub_sub_category/sub_category vice_vice_chair/vice_chair"),
    ([written, declared]) => [
      [{ [written]: "a" }, object({ [declared]: text })],
      [{ [written]: "a" }, object({ [declared]: text, "other?": text })],
    ],
  ),
  "a hyphen before or after a digit, which may be a minus": each(THINGS, (thing) => [
    [{ x: `${thing}-1` }, object({ x: choice(`${thing}1`, `${thing}2`) })],
    [{ x: `${thing}1` }, object({ x: choice(`${thing}-1`, `${thing}-2`) })],
    [{ [`${thing}-1`]: "a" }, closed({ [`${thing}1`]: text })],
  ]),
  "a choice or a key with a sign at its end": each(THINGS, (thing) =>
    each([";", "'", "!", "?"], (sign) => [
      [{ kind: thing + sign }, object({ kind: choice(thing, "other") })],
      [{ [thing + sign]: "a" }, closed({ [thing]: text })],
    ]),
  ),
  "a placeholder that says something": each(WORDS, (word) => [
    [{ random_string: word }, closed({})],
    [{ dummy: `${word} 5` }, closed({})],
  ]),
};

async function repair([input, schema, description = ""]: Attack, level: "safe" | "eager") {
  const options: RepairOptions = { level };
  return repairToolInput(input, { name: "run_step", description, schema }, options);
}

describe("what neither the schema nor a form confirms is rejected, with any words around it", () => {
  test.each(Object.entries(CLASSES))("%s", async (_, attacks) => {
    const fallen: string[] = [];
    for (const attack of sampled(attacks, 3)) {
      for (const level of ["safe", "eager"] as const) {
        const result = await repair(attack, level);
        if (!result.ok) continue;
        const fixers = result.repairs.map(({ fixer }) => fixer).join(", ");
        fallen.push(
          `${level}: ${JSON.stringify(attack.slice(0, 2))} → ${JSON.stringify(result.toolInput)} by ${fixers}`,
        );
      }
    }
    expect(fallen).toEqual([]);
  });
});
