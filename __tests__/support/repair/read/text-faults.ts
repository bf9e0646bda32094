import type { RepairLevel } from "#src/repair/types.ts";

/** An input whose texts, lists and objects stand first, amid others and last. */
export interface Offer {
  readonly query: string;
  readonly tags: readonly string[];
  readonly place: { readonly city: string; readonly days: number };
  readonly notes: readonly { readonly by: string; readonly lines: readonly string[] }[];
  readonly lang: string;
}

const OFFER: Offer = {
  query: "cheap tents",
  tags: ["red", "for two", "light"],
  place: { city: "Cluj", days: 3 },
  notes: [{ by: "ada", lines: ["dry", "near town"] }],
  lang: "de",
};

export const offerTool = {
  name: "find_offers",
  schema: {
    type: "object",
    properties: {
      query: { type: "string" },
      tags: { type: "array", items: { type: "string" } },
      place: {
        type: "object",
        properties: { city: { type: "string" }, days: { type: "integer" } },
        required: ["city", "days"],
      },
      notes: {
        type: "array",
        items: {
          type: "object",
          properties: {
            by: { type: "string" },
            lines: { type: "array", items: { type: "string" } },
          },
          required: ["by", "lines"],
        },
      },
      lang: { type: "string" },
    },
    required: ["query", "tags", "place", "notes", "lang"],
  },
};

/** A text with a fault, and the input that it means. */
export interface FaultyText {
  readonly text: string;
  readonly means: Offer;
}

/** One kind of fault, at every place where it can stand. */
export interface TextFault {
  readonly name: string;
  /** The level at which it is repaired. */
  readonly level: RepairLevel;
  readonly texts: readonly FaultyText[];
}

/** The input, with each of its texts in turn replaced. */
function withText(replace: (text: string) => string): readonly Offer[] {
  const { query, tags, place, notes, lang } = OFFER;
  const [note] = notes;
  const inTags = tags.map((tag, at) => ({
    ...OFFER,
    tags: tags.map((each, index) => (index === at ? replace(tag) : each)),
  }));
  const lines = (note?.lines ?? []).map((line) => replace(line));
  return [
    { ...OFFER, query: replace(query) },
    ...inTags,
    { ...OFFER, place: { ...place, city: replace(place.city) } },
    { ...OFFER, notes: [{ by: "ada", lines }] },
    { ...OFFER, lang: replace(lang) },
  ];
}

const toJson = (offer: Offer, indent = 0) => JSON.stringify(offer, null, indent);

/** Texts with quotes. `@` stands for the text that was at the place. */
const QUOTATIONS = [
  'He said "@" and left.',
  '"@", she said',
  'the word "@"',
  'a[href="/@/12"]',
  'print("@")',
  '<a href="@" class="b">c</a>',
  'from "@" to "x y", twice',
  '"@" or "x"',
  '<img alt=""> @',
];

function withQuotations(toText: (json: string) => string): readonly FaultyText[] {
  return QUOTATIONS.flatMap((quotation) =>
    withText((text) => quotation.replace("@", text)).map((means) => ({
      text: toText(toJson(means)),
      means,
    })),
  );
}

const withoutEscapes = (json: string) => json.replaceAll('\\"', '"');

/** Each place of a text that a pattern matches, with the match replaced. */
function atEach(pattern: RegExp, replacement: string, text = toJson(OFFER)): readonly FaultyText[] {
  return [...text.matchAll(pattern)].map(({ index }) => {
    const replaced = text.slice(index).replace(new RegExp(pattern.source), replacement);
    return { text: text.slice(0, index) + replaced, means: OFFER };
  });
}

const all = (text: string): readonly FaultyText[] => [{ text, means: OFFER }];
const JSON_TEXT = toJson(OFFER);
const STRING = /"([^"]*)"/g;

const FULLWIDTH: Readonly<Record<string, string>> = {
  "{": "｛",
  "}": "｝",
  "[": "［",
  "]": "］",
  ":": "：",
  "3": "３",
};

function elements(tag: (key: string) => string, end = ""): readonly FaultyText[] {
  const written = Object.entries(OFFER).map(([key, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return `${tag(key)}\n${text}\n</parameter>`;
  });
  return all(written.join("\n") + end);
}

export const TEXT_FAULTS: readonly TextFault[] = [
  { name: "quotes inside a text", level: "safe", texts: withQuotations(withoutEscapes) },
  {
    name: "quotes inside a text, keys without quotes",
    level: "safe",
    texts: withQuotations((json) => withoutEscapes(json).replace(/"(\w+)":/g, "$1:")),
  },
  {
    name: "quotes inside a text, in a fence",
    level: "safe",
    texts: withQuotations((json) => `\`\`\`json\n${withoutEscapes(json)}\n\`\`\``),
  },
  {
    name: "an apostrophe inside a text in single quotes",
    level: "safe",
    texts: withText((text) => `${text}'s`).map((means) => ({
      text: toJson(means).replaceAll('"', "'"),
      means,
    })),
  },
  {
    name: "several lines in triple quotes",
    level: "safe",
    texts: ['"""', "'''"].flatMap((quotes) =>
      withText((text) => `begin\n  print "${text}"\nend\n`).map((means) => ({
        text: toJson(means).replace(/"((?:[^"\\]|\\.)*\\(?:[^"\\]|\\.)*)"/g, (string) => {
          return quotes + JSON.parse(string) + quotes;
        }),
        means,
      })),
    ),
  },
  { name: "two commas between members", level: "safe", texts: atEach(/,(?="\w+":)/g, ", ,") },
  { name: "a semicolon between members", level: "safe", texts: atEach(/,(?="\w+":)/g, ";") },
  {
    name: "a semicolon behind a word without quotes",
    level: "safe",
    texts: all(JSON_TEXT.replace('"Cluj",', "Cluj;")),
  },
  { name: "a brace too many at the end", level: "eager", texts: all(`${JSON_TEXT}}`) },
  { name: "a bracket of a list closed twice", level: "safe", texts: atEach(/\](?!$)/g, "]]") },
  { name: "a bracket closed three times", level: "safe", texts: atEach(/\](?!$)/g, "] ]]") },
  { name: "a brace closed twice in a list", level: "safe", texts: atEach(/\}(?=\])/g, "}}") },
  { name: "a parenthesis behind a list", level: "safe", texts: atEach(/\](?!$)/g, "])") },
  { name: "guillemets around one string", level: "safe", texts: atEach(STRING, "«$1»") },
  { name: "guillemets around all", level: "safe", texts: all(JSON_TEXT.replace(STRING, "«$1»")) },
  {
    name: "a stop behind a fence",
    level: "safe",
    texts: ["", "json"].flatMap((language) => all(`\`\`\`${language}\n${JSON_TEXT}\n\`\`\`.`)),
  },
  {
    name: "a label at which the output was stopped",
    level: "safe",
    texts: ["Observation:", "Thought:", "Observation: ", "  Observation:\n"].flatMap((label) =>
      all(`${JSON_TEXT}\n${label}`),
    ),
  },
  {
    name: "an observation that the model invented",
    level: "eager",
    texts: all(`${JSON_TEXT}\nObservation: three offers\nThought: I know enough.`),
  },
  {
    name: "the protocol of an agent before it",
    level: "eager",
    texts: [
      "Thought: I need it.\nAction: find_offers\nAction Input: ",
      "Thought: I need it.\nReally.\n\nAction: FindOffers\nAction Input:\n",
      "Action: find_offers\nAction Input: ",
    ].flatMap((turn) => [...all(turn + JSON_TEXT), ...all(`${turn}${JSON_TEXT}\nObservation:`)]),
  },
  {
    name: "a lead-in that a sign ends",
    level: "eager",
    texts: ["Sure! ", "OK. ", "Sure! Here it is. ", "Okay, my input:\n"].flatMap((lead) =>
      all(lead + JSON_TEXT),
    ),
  },
  { name: "one string escaped", level: "safe", texts: atEach(STRING, '\\"$1\\"') },
  { name: "one string escaped twice", level: "safe", texts: atEach(STRING, '\\\\"$1\\\\"') },
  { name: "all strings escaped", level: "safe", texts: all(JSON_TEXT.replaceAll('"', '\\"')) },
  {
    name: "a backslash before a letter that is not ASCII",
    level: "safe",
    texts: withText((text) => `${text} café ñandú`).map((means) => ({
      text: toJson(means).replace(/é/g, "\\u00e9").replace(/ñ/g, "\\ñ"),
      means,
    })),
  },
  {
    name: "elements of an argument each",
    level: "safe",
    texts: [
      ...elements((key) => `<parameter=${key}>`),
      ...elements((key) => `<parameter=${key}>`, "\n</function>\n</tool_call>"),
      ...elements((key) => `<parameter name="${key}">`, "</invoke>"),
    ],
  },
  {
    name: "fullwidth signs and digits",
    level: "safe",
    texts: Object.entries(FULLWIDTH).flatMap(([sign, wide]) => {
      return all(JSON_TEXT.replaceAll(sign, wide));
    }),
  },
  {
    name: "the same input twice",
    level: "eager",
    texts: ["", "\n", "\n\n"].flatMap((gap) => [
      ...all(JSON_TEXT + gap + JSON_TEXT),
      ...all(JSON_TEXT + gap + JSON_TEXT + gap + JSON_TEXT),
    ]),
  },
];

/** Other faults that may stand beside one, and leave the meaning unchanged. */
export const BESIDE: Readonly<Record<string, (text: string) => string>> = {
  "a comma too many": (text) => text.replace(/\}(?=[^}]*$)/, ",}"),
  "a comma missing": (text) => text.replace(/,("?\w+"?:)(?!.*,"?\w+"?:)/s, " $1"),
  "a key in another style": (text) => text.replace(/\blang\b/, "Lang"),
  "a number as text": (text) => text.replace(/: ?3\b/, ': "3"'),
  "a token behind it": (text) => `${text}<|im_end|>`,
  "line breaks": (text) => text.replace(/([{,])(?="?\w+"?:)/g, "$1\n  "),
  "spaces of another script": (text) => text.replace(/:/g, ":\u3000"),
  "no end": (text) => text.replace(/\}(?=[^}]*$)/, ""),
};
