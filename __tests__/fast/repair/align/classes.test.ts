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
    const signs = [" ", "/", "|", "·", "+", "&", "؛", " - ", "…", "→", "×", ", and ", "; "];
    const joined = signs.map((sign) => `${word}1${sign}${word} 2`);
    const edged = [`${word}1…`, `~${word}1`, `${word}1?`, `!${word}1`, `#${word}1`, `${word}1-`];
    return [word, ...joined, ...edged, `${word}1-${word}9`, `1..9`, 7].map(put);
  }),
  "a lone number for a list of numbers": each(NAMES, (name) => [
    [{ [name]: 5 }, object({ [name]: listOf(number) })],
    [{ [name]: "5" }, object({ [name]: listOf(number) })],
  ]),
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
  "a 0 for a text of any words": each(
    ["name", "query", "title_text", "message", "note", "middle_name"],
    (field) => [[{ [field]: 0 }, object({ [field]: said(text, `The ${field}`) })]],
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
    const cuts = [1, 2, 3].map((at) => `${name.slice(0, at)}_${name.slice(at)}`);
    const keys = cuts.flatMap((cut, at): Attack[] => [
      [{ [cut]: "a" }, closed({ [name]: text })],
      [{ [name]: "a" }, closed({ [cut]: text })],
      [{ [cut]: "a" }, closed({ [cuts[(at + 1) % 3] ?? ""]: text })],
    ]);
    return [...keys, ...cuts.map((cut): Attack => [{ x: cut }, object({ x: { enum: [name] } })])];
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
      "Aktualisiert. Leere Felder werden gelöscht.",
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
  "nothing, where nothing would be left or the schema fills in a text": each(NAMES, (name) => [
    [{ [name]: null }, object({ [`${name}?`]: number })],
    [{ [name]: "" }, object({ [`${name}?`]: number, "other?": text })],
    [{ a: "x", [name]: null }, z.object({ a: z.string(), [name]: z.string().default("public") })],
    [{ a: "x", [name]: null }, z.object({ a: z.string(), [name]: z.literal("on").default("on") })],
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
  "a number for text that says what it is in other words, and a flag for text": each(
    WORDS,
    (word, at) => [
      [
        { [NAMES[at % 10] ?? ""]: 5 },
        object({ [NAMES[at % 10] ?? ""]: said(text, `${word} ${word}`) }),
      ],
      [{ x: true }, object({ x: said(text, `${word}, if true`) })],
      [{ x: false }, object({ x: said(text, word) })],
    ],
  ),
  "angle brackets where only a pattern wants what is inside": each(NAMES, (name) => [
    [{ x: `<${name}>` }, object({ x: { type: "string", pattern: "^[a-z]+$" } })],
    [{ x: `<${name}>` }, object({ x: { type: "string", pattern: `^${name}$` } })],
  ]),
  "several numbers, or a change of one": each(
    ["101,102,103", "200,300,400,500", "1,000"],
    (value) => [[{ n: value }, object({ n: number })]],
  ).concat(each(WORDS, (word) => [[{ n: "+5" }, object({ n: said(number, word) })]])),
  "a remark that may be an argument": each(["explanation", "comment", "note"], (key) => [
    [{ q: "a", [key]: "at most 10 of them" }, closed({ q: text })],
    [{ q: "a", [key]: "because" }, closed({ q: text, "grund?": text })],
  ]),
  "parts of more than one shape, and what a pipe parts": each(WORDS, (word) => [
    [{ x: `${word}, a.txt, b_c` }, object({ x: listOf(text) })],
    [{ x: `${word}|${word}|${word}` }, object({ x: listOf(text) })],
    [{ x: `${word}|b` }, object({ x: listOf({ enum: [word, "b"] }) })],
    [{ x: `${word}, b2` }, object({ x: listOf(text) })],
  ]),
  "a default that decides something": each(
    ["agreed", "public", "I accept", "production", "ja", true, ["everyone"], { a: 1 }],
    (value) => [
      [{ a: "x" }, object({ a: text, b: { default: value } })],
      [{ a: "x" }, object({ a: text, b: { enum: [value], default: value } })],
      [{ a: "x" }, object({ a: text, b: { const: value, default: value } })],
    ],
  ),
  "a word for yes or no that switches": each(["on", "off", "ON", "Off"], (word) => [
    [{ x: word }, object({ x: boolean })],
  ]),
  "a key with an operator in it": each([">=", "<", "!=", "!", "~", "^", "%", "*"], (sign) => [
    [{ [`amount${sign}`]: 5 }, closed({ amount: number })],
    [{ [`path${sign}`]: "a/b.txt" }, closed({ file_path: text })],
    [{ amount: 5, [`amount${sign}`]: 5 }, closed({ amount: number })],
  ]),
  "the noun of a field that is not it": each(NAMES, (name) =>
    ["to avoid", "that is left out", "which comes next", "of the other side"]
      .map(
        (rest): Attack => [
          { [name]: "Ulm" },
          object({ [`other_${name}s_or_so`]: said(text, `${name} ${rest}`) }),
        ],
      )
      .concat(
        ["skip", "backup", "former"].map(
          (word): Attack => [
            { [name]: "Ulm" },
            object({ [word]: said(text, `Name of the ${name}`) }),
          ],
        ),
      ),
  ),
  "a slip that makes another word": each(NAMES, (name) => [
    [{ [`${name[1]}${name[0]}${name.slice(2)}_at`]: "a" }, closed({ [`${name}_at`]: text })],
    [{ [name.slice(0, 2) + name.slice(3)]: "a" }, closed({ [name]: text })],
    [{ martialing: "a" }, closed({ maritaling: text })],
  ]),
  "a list around text that may want the list": each(WORDS, (word, at) => [
    [{ [NAMES[at % 10] ?? ""]: ["a"] }, object({ [NAMES[at % 10] ?? ""]: said(text, word) })],
  ]),
  "fields beside others that may belong elsewhere": each(NAMES, (name) => [
    [{ a: "x", [name]: "y" }, closed({ a: text, b: closed({ [name]: text }) })],
    [{ a: "x", [name]: "y", c: "z" }, closed({ a: text, b: closed({ [name]: text, c: text }) })],
  ]),
  "bare text for a field of which any words are the form, in any language": each(WORDS, (word) =>
    ["query", "city", "message", "name", "input", "value"].flatMap((field) =>
      [
        word,
        `${word} ${word}`,
        `${word} ${word} ${word}`,
        `${word}: ${word}`,
        `${word} (${word})`,
        `${word} #5`,
        `${word}_${word}`,
        `${word} 5 ${word}`,
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
  "nothing where there is any description without a default, in any language": each(
    WORDS,
    (word) => [
      [{ a: "x", b: null }, object({ a: text, "b?": said(number, word) })],
      [{ a: "x", b: "" }, object({ a: text, "b?": said(number, `${word} ${word}`) })],
      [{ a: "x", b: null }, object({ a: text, "b?": { ...number, title: word } })],
      [{ a: "x", b: "None" }, object({ a: text, "b?": { ...number, title: word } })],
      [
        { a: { b: "x", c: null } },
        object({ a: said(object({ b: text, "c?": number }) as object, word) }),
      ],
      [{ a: "x", b: null }, object({ a: text, "b?": number }), `${word}, ${word}`],
      [{ b: "None" }, object({ b: said({ type: ["integer", "null"] }, word) })],
    ],
  ),
  "words for a list, between any signs": each(WORDS, (word) =>
    [", ", "; ", "\n", "，", "、", ","].map(
      (sign): Attack => [{ x: [word, "b", word].join(sign) }, object({ x: listOf(text) })],
    ),
  ),
  "a text for a default, of a tool that may change something": each(
    ["all", "any", "all x", "*", "everyone", "All of them"],
    (value) => [[{ a: "x" }, object({ a: text, x: { ...text, default: value } })]],
  ),
  "a letter doubled between vowels, which may be another word": each(NAMES, (name) => [
    [{ [`${name}scrapping`]: "a" }, closed({ [`${name}scraping`]: text })],
    [{ [`${name}stripping`]: "a" }, closed({ [`${name}striping`]: text })],
  ]),
  "a hyphen before or after a digit, which may be a minus": each(NAMES, (name) => [
    [{ x: `${name}-1` }, object({ x: { enum: [`${name}1`, `${name}2`] } })],
    [{ x: `${name}1` }, object({ x: { enum: [`${name}-1`, `${name}-2`] } })],
    [{ [`${name}-1`]: "a" }, closed({ [`${name}1`]: text })],
    [{ [`5-${name}`]: "a" }, closed({ [`5${name}`]: text })],
  ]),
  "a word by a hyphen, which may say which ones": each(NAMES, (name) => [
    [{ doors: `${name}-A1` }, object({ doors: listOf(text) })],
    [{ doors: `all-${name}-4` }, object({ doors: listOf(text) })],
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
