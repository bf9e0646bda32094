import { describe, expect, test } from "@jest/globals";
import { type RepairOptions, repairToolInput } from "toolmend";
import { z } from "zod";
import type { JsonValue } from "#src/repair/types.ts";
import { boolean, listOf, number, object, text } from "../../../support/repair/align/run.ts";

/** An input, the schema that it is for, and what the tool says of itself. */
type Attack = readonly [input: JsonValue, schema: unknown, description?: string, toolName?: string];

/** Words of nine languages in four scripts: what a rule says of one, it must say of all. */
const WORDS =
  "alle ninguno tout forbidden Anker gürültü ostatni вчера 全部 どれか سابق κανένα".split(" ");
const NAMES = "reaktor vessel kiln orchard glacier loom kiosk ferry quarry turbine".split(" ");

const said = (schema: object, description: string) => ({ ...schema, description });
const closed = (fields: { readonly [name: string]: unknown }) => object(fields, true);
const each = <Item>(items: readonly Item[], make: (item: Item, at: number) => readonly Attack[]) =>
  items.flatMap(make);

/** By class: what no level repairs. */
const CLASSES: { readonly [name: string]: readonly Attack[] } = {
  "a bare value where a list is wanted, which nothing confirms": each(WORDS, (word, at) => {
    const list = object({ [NAMES[at % 10] ?? ""]: listOf(text) });
    const put = (value: JsonValue): Attack => [{ [NAMES[at % 10] ?? ""]: value }, list];
    // What a comma parts is split at `eager`.
    const signs = ["/", "|", "·", "+", "&", "؛", " - ", "…", "→", "×", ", and ", "; "];
    const joined = signs.map((sign) => `${word}1${sign}${word} 2`);
    const edged = [`${word}1…`, `~${word}1`, `${word}1?`, `!${word}1`, `#${word}1`, `${word}1-`];
    return [...joined, ...edged, `${word}1-${word}9`, `1..9`].map(put);
  }),
  "a placeholder for a path or a selector": each(NAMES, (name, at) => {
    const path = ["/path/to/file", `path/to/${name}.txt`, `${name}/file.txt`, `./folder/${name}`];
    const selectors = ["[selector]", `#${name} .selector`, ".xpath"];
    return [
      [path[at % 4] ?? "", object({ path: text })],
      [selectors[at % 3] ?? "", object({ [name]: said(text, "CSS selector") })],
    ];
  }),
  "a bare date that is none, has two orders or is not whole": each(
    ["0000-00-00", "2024-05", "03/04/2024", "2024-13-01", "3.4.24", "31-12-24", "25:10"],
    (date) => [[date, object({ date: text })]],
  ),
  "a key in which case may be a meaning": each(NAMES, (name) =>
    [
      ["mW", "MW"],
      ["Mb", "MB"],
      ["MOhm", "mohm"],
      ["Mg", "mg"],
      ["kPa", "KPA"],
      ["PH", "Ph"],
    ].flatMap(([one, other]): Attack[] => [
      [{ [`${name}_${one}`]: 5 }, closed({ [`${name}_${other}`]: number })],
      [{ [`${name}_${other}`]: 5 }, closed({ [`${name}_${one}`]: number })],
      [{ [one ?? ""]: 5 }, closed({ [other ?? ""]: number })],
    ]),
  ).concat([
    [{ T: 5 }, closed({ t: number })],
    [{ v: 5 }, closed({ V: number })],
  ]),
  "a name whose words end elsewhere": each(NAMES, (name) => {
    const cutAt = (at: number, sign: string) => name.slice(0, at) + sign + name.slice(at);
    // A hyphen, or a letter by itself, may be a meaning: `re-sign`, `MOhm`.
    const keys = [cutAt(1, "_"), cutAt(1, "-"), cutAt(2, "-"), cutAt(3, "-")];
    return [
      ...keys.flatMap((cut): Attack[] => [
        [{ [cut]: "a" }, closed({ [name]: text })],
        [{ [name]: "a" }, closed({ [cut]: text })],
      ]),
      ...[1, 2, 3].flatMap((at) =>
        ["_", " ", "-"].map(
          (sign): Attack => [{ x: cutAt(at, sign) }, object({ x: { enum: [name, "other"] } })],
        ),
      ),
    ];
  }),
  "nothing where a description has a clause that may give it a meaning": each(WORDS, (word) =>
    [`${word}: ${word}`, `${word}. ${word} = ${word}`].flatMap((sentence): Attack[] => [
      [{ a: "x", b: null }, object({ a: text, "b?": said(number, sentence) })],
      [{ a: "x", b: "" }, object({ a: text, "b?": said(number, sentence) })],
      [{ b: "None" }, object({ b: said({ type: ["integer", "null"] }, sentence) })],
    ]),
  ),
  "nothing where the tool or what is around it speaks of it": each(NAMES, (name) => [
    [{ a: "x", [name]: null }, object({ a: text, [`${name}?`]: number }), `null resets ${name}.`],
    [
      { a: "x", [name]: null },
      object({ a: text, [`${name}?`]: number }),
      "Updates a row. Empty fields are deleted.",
    ],
    [
      { a: { b: "x", [name]: null } },
      object({
        a: {
          ...(object({ b: text, [`${name}?`]: number }) as object),
          description: "null clears a field",
        },
      }),
    ],
  ]),
  "nothing, where nothing would be left or the schema fills in a consent": each(NAMES, (name) => [
    [{ [name]: null }, object({ [`${name}?`]: number })],
    [{ [name]: "" }, object({ [`${name}?`]: number, "other?": text })],
    [{ a: "x", [name]: null }, z.object({ a: z.string(), [name]: z.boolean().default(true) })],
  ]),
  "a JSON string that shows no form of its field": each(WORDS, (word) => [
    [`"${word} ${word}"`, object({ path: text })],
    [`"${word}"`, object({ order_id: text })],
    [`"${word}, ${word}!"`, object({ url: text })],
  ]),
  "a number for text of another form": each(
    ["00123", "5kg", "12:30", "2024-01-31", "+49 30", "1-2", "$5", "MM", "##", "v1", "007 or 008"],
    (form) => [
      [{ code: 5 }, object({ code: said(text, `e.g. ${form}`) })],
      [{ code: 5 }, object({ code: { ...text, examples: [form] } })],
      [{ code: 5 }, object({ code: { ...text, default: form } })],
    ],
  ),
  "a flag for text that names none": each(WORDS, (word) => [
    [{ x: true }, object({ x: text })],
    [{ x: false }, object({ x: said(text, word) })],
  ]),
  "angle brackets where only a pattern wants what is inside": each(NAMES, (name) => [
    [{ x: `<${name}>` }, object({ x: { type: "string", pattern: "^[a-z]+$" } })],
    [{ x: `<${name}>` }, object({ x: { type: "string", pattern: `^${name}$` } })],
  ]),
  "several numbers, or a change of one": each(
    ["101,102,103", "200,300,400,500", "1,000"],
    (value) => [[{ n: value }, object({ n: number })]],
  ),
  "a remark that may be an argument": each(["note", "hint", "purpose"], (key) => [
    [{ q: "a", [key]: "at most 10 of them" }, closed({ q: text })],
    [{ q: "a", [key]: "because" }, closed({ q: text, "grund?": text })],
  ]),
  "parts that are no tokens, and what a pipe parts": each(WORDS, (word) => [
    [{ x: `${word}, ${word} ${word}, b_c` }, object({ x: listOf(text) })],
    [{ x: `${word}|${word}|${word}` }, object({ x: listOf(text) })],
    [{ x: `${word}|b` }, object({ x: listOf({ enum: [word, "b"] }) })],
    [{ x: `${word}, b2` }, object({ x: listOf(text) })],
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
  "a word for yes or no in another language, or a letter or number": each(
    [...WORDS, "y", "n", "1", "0"],
    (word) => [[{ x: word }, object({ x: boolean })]],
  ),
  "a key with an operator in it": each([">=", "<", "!=", "!", "~", "^", "%", "*"], (sign) => [
    [{ [`amount${sign}`]: 5 }, closed({ amount: number })],
    [{ [`path${sign}`]: "a/b.txt" }, closed({ file_path: text })],
    [{ amount: 5, [`amount${sign}`]: 5 }, closed({ amount: number })],
  ]),
  "the noun of a field that is not it": each(NAMES, (name) =>
    ["to avoid", "that is left out", "which comes next", "but one", "not taken", "rest"].map(
      (rest): Attack => [
        { [name]: "Ulm" },
        object({ [`other_${name}s_or_so`]: said(text, `${name} ${rest}`) }),
      ],
    ),
  ),
  "a slip that makes another word": each(NAMES, (name) => [
    [{ [`${name[1]}${name[0]}${name.slice(2)}_at`]: "a" }, closed({ [`${name}_at`]: text })],
    [{ [name.slice(0, 2) + name.slice(3)]: "a" }, closed({ [name]: text })],
    ...[
      "contact contract",
      "faction fraction",
      "filling filing",
      "martial marital",
      "dessert desert",
    ]
      .map((pair) => pair.split(" "))
      .flatMap(([one = "", other = ""]): Attack[] => [
        [{ [one]: "a" }, closed({ [other]: text })],
        [{ [`${name}_${one}`]: "a" }, closed({ [`${name}_${other}`]: text })],
      ]),
  ]),
  "a list around text that may want the list": each(WORDS, (word, at) =>
    [`List of ${word}`, `${word} (JSON array)`, `A set: ${word}`, `${word} as JSON`].map(
      (description): Attack => [
        { [NAMES[at % 10] ?? ""]: ["a"] },
        object({ [NAMES[at % 10] ?? ""]: said(text, description) }),
      ],
    ),
  ),
  "fields beside others that may belong elsewhere": each(NAMES, (name) => [
    [{ a: "x", [name]: "y" }, closed({ a: text, b: closed({ [name]: text }) })],
    [
      { a: "x", [name]: "y", c: "z" },
      closed({ a: text, b: closed({ [name]: text, c: text }), "d?": closed({ [name]: text }) }),
    ],
    [{ a: "x", [name]: "y", c: "z" }, closed({ a: text, b: closed({ [name]: text }) })],
  ]),
  "bare text that is more than a phrase, in any language": each(WORDS, (word) =>
    ["query", "city", "message", "name", "input", "value"].flatMap((field) =>
      [
        `${word}: ${word}`,
        `${word}\n${word}`,
        `{{${word}}}`,
        `<${word}>`,
        `${word} ${word}.`,
        `${word}()`,
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
  "a key with a word twice": each(NAMES, (name) =>
    [`${name}_${name}`, `${name}_${name}_id`, `id_${name}_id`].flatMap((key): Attack[] => [
      [{ [key]: "A17" }, object({ [name]: text })],
      [{ [key]: "A17" }, object({ [`${name}_id`]: text })],
      [{ [key]: "A17" }, object({ [`${name}_id`]: text, "other?": text })],
    ]),
  ).concat(
    [
      ["url", "https://a.example/b"],
      ["email", "a@b.example"],
      ["id", "A17"],
    ].map(
      ([name = "", value = ""]): Attack => [
        { [`${name}_${name}`]: value },
        object({ [name]: text }),
      ],
    ),
  ),
  "two words for a list, between any signs": each(WORDS, (word) =>
    [", ", "; ", "\n", "，", "、", ","].map(
      (sign): Attack => [{ x: [word, "b"].join(sign) }, object({ x: listOf(text) })],
    ),
  ),
  "a hyphen before or after a digit, which may be a minus": each(NAMES, (name) => [
    [{ x: `${name}-1` }, object({ x: { enum: [`${name}1`, `${name}2`] } })],
    [{ x: `${name}1` }, object({ x: { enum: [`${name}-1`, `${name}-2`] } })],
    [{ [`${name}-1`]: "a" }, closed({ [`${name}1`]: text })],
    [{ [`5-${name}`]: "a" }, closed({ [`5${name}`]: text })],
  ]),
  "two codes by a hyphen, which may be ranges": each(NAMES, (name) => [
    [{ doors: `${name}-A1,${name}-A2` }, object({ doors: listOf(text) })],
  ]),
  "one text at the plural of a name": each(NAMES, (name) => [
    [{ [`${name}s`]: "A1" }, object({ [name]: text })],
    [{ [`${name}s_id`]: "A-1" }, object({ [`${name}_id`]: text })],
  ]),
  "the tool's thing, where the description speaks of another": each(NAMES, (name) => [
    [
      { [`${name}_id`]: "A-1" },
      object({ id: said(text, `ID of the other ${name}`) }),
      "",
      `move_${name}`,
    ],
    [
      { [`${name}_url`]: "https://a.example/x" },
      object({ url: said(text, `${name} neu`) }),
      "",
      `tag_${name}`,
    ],
  ]),
  "a long word twice, which may be a degree": each(NAMES, (name) => [
    [
      { [`${name}_${name}_plot`]: "a", other_plot: "b" },
      object({ [`${name}_plot`]: text, other_plot: text }),
    ],
  ]),
  "the words of a name in another order": each(["no", "id", "code", "date"], (form) =>
    each(NAMES, (name) => [[{ [`${form}_${name}`]: "A1" }, object({ [`${name}_${form}`]: text })]]),
  ),
  "a choice whose letters are a scale": each(["m", "k", "M"], (prefix) =>
    each(["bar", "ohm", "hertz"], (unit) => [
      [
        { unit: `${prefix}${unit}`.toUpperCase() },
        object({ unit: { enum: [unit, `${prefix}${unit}`, `c${unit}`] } }),
      ],
    ]),
  ),
  "a choice or a key with a sign at its end": each(NAMES, (name) =>
    each([";", "'", "!"], (sign) => [
      [{ kind: name + sign }, object({ kind: { enum: [name, "other"] } })],
      [{ [name + sign]: "a" }, closed({ [name]: text })],
    ]),
  ),
  "nothing, where the description goes on after its default": each(NAMES, (name) => {
    const limit = { type: "integer", description: `Default 10; else the ${name} is lost` };
    return [
      [{ job: "a", limit: null }, object({ job: text, "limit?": limit })],
      [{ job: "a", limit: "none" }, object({ job: text, "limit?": { type: "integer" } })],
      [{ job: "a", sent: "none" }, object({ job: text, "sent?": boolean })],
    ];
  }),
  "a placeholder that says something": each(WORDS, (word) => [
    [{ random_string: word }, closed({})],
    [{ dummy: `${word} 5` }, closed({})],
  ]),
};

async function repair(
  [input, schema, description = "", name = "run_step"]: Attack,
  level: "safe" | "eager",
) {
  const options: RepairOptions = { level };
  return repairToolInput(input, { name, description, schema }, options);
}

describe("what neither the schema nor a form confirms is rejected, with any words around it", () => {
  test.each(Object.entries(CLASSES))("%s", async (_, attacks) => {
    const fallen: string[] = [];
    for (const attack of attacks) {
      for (const level of ["safe", "eager"] as const) {
        const result = await repair(attack, level);
        if (!result.ok || result.repairs.length === 0) continue;
        const fixers = result.repairs.map(({ fixer }) => fixer).join(", ");
        fallen.push(
          `${level}: ${JSON.stringify(attack.slice(0, 2))} → ${JSON.stringify(result.toolInput)} by ${fixers}`,
        );
      }
    }
    expect(fallen).toEqual([]);
  });
});
