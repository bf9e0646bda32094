import { describe, expect, test } from "@jest/globals";
import { textFormats } from "#src/repair/text-calls/formats.ts";
import { readTextCalls } from "#src/repair/text-calls/read-text-calls.ts";
import { SENTENCES, writtenForms } from "../../../support/repair/text-calls/forms.ts";
import { sampled } from "../../../support/tier.ts";

const tools = ["f", "get_weather"].map((name) => ({ name, schema: { type: "object" } }));
const CALL = '<tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>';

/** The texts that are read as a call, of some that are made with each sentence. */
function readOf(make: (sentence: string) => readonly string[]): readonly string[] {
  const texts = SENTENCES.flatMap((sentence) => make(sentence));
  expect(texts.length).toBeGreaterThan(0);
  return texts.filter((text) => readTextCalls(text, tools) !== undefined);
}

const FENCES = ["```", "````", "`````", "~~~", "~~~~", "```sh", "~~~ text", "   ```"];

describe("a fence", () => {
  test("that is open holds a call back, even with other fences in it", () => {
    const within = ["x", "``", "~~", "x ``` y", "    ```", "\\```"];
    expect(
      readOf((said) =>
        FENCES.flatMap((fence) =>
          within.map((inner) => `${said}\n${fence}\n${inner}\n${said}\n${CALL}`),
        ),
      ),
    ).toEqual([]);
  });

  test("is not closed by another sign, fewer signs, signs with a language, or far from the margin", () => {
    const ends = ["``", "~~~", "```js", "    ```", "> ```", "x```", "``` x"];
    expect(readOf((said) => ends.map((end) => `\`\`\`\nls\n${end}\n${said}\n\n${CALL}`))).toEqual(
      [],
    );
    expect(
      readOf((said) => ["~~", "```", "~~~~x"].map((end) => `~~~~\n${end}\n${said}\n${CALL}`)),
    ).toEqual([]);
  });

  test("that is closed holds nothing back", () => {
    const ends = ["```", "`````", "  ```", "```  "];
    const texts = ends.map((end) => `Look:\n\`\`\`sh\nls ~~~ (\`\n${end}\nI run it.\n${CALL}`);
    for (const text of [...texts, `~~~~\n~~~\n\`\`\`\n~~~~\n\nI run it.\n\n${CALL}`]) {
      expect([text, readTextCalls(text, tools)?.calls.length]).toEqual([text, 1]);
    }
  });
});

describe("a code span", () => {
  test("that is open holds a call back", () => {
    const opens = ["`", "``", "```x", "`a` `", "`` ` ", "`a``", "\\` `", "`C:\\` `", "`a\n\nb`"];
    expect(readOf((said) => opens.map((open) => `${said} ${open}x. ${said}\n${CALL}`))).toEqual([]);
  });

  test("that is closed holds nothing back", () => {
    const spans = ["`a`", "`` ` ``", "`\\`", "``` `` ```", "\\`", "`a`, `b`", "`(`", "`f()`"];
    for (const span of spans) {
      const text = `I use ${span} for it.\n${CALL}`;
      expect([text, readTextCalls(text, tools)?.calls.length]).toEqual([text, 1]);
    }
  });
});

/** Both halves of quotes and brackets, as languages write them. */
const PAIRS = [
  ...['""', "''", "“”", "‘’", "«»", "‹›", "„“", "„”", "‚‘", "””", "’’", "»«", "››", "()", "[]"],
  ...["（）", "［］", "【】", "「」", "『』", "《》", "〈〉", "〔〕", "〖〗", "｢｣", "⟨⟩", "⟦⟧"],
  ...["⸢⸣", "❝❞", "❨❩", "﴾﴿", "༺༻", "᚛᚜", "＂＂", "〝〞"],
].map((pair) => [pair.slice(0, 1), pair.slice(1)] as const);

describe("quotes and brackets", () => {
  // ornaments are symbols, as emoji are
  const signs = PAIRS.filter(([open]) => !/[❝⸢﴾]/.test(open) || /\p{Ps}|\p{Pi}/u.test(open));

  test("hold a call back where they are open, even after closing signs", () => {
    expect(
      readOf((said) =>
        signs.flatMap(([open, close]) => [
          `${said} ${open}${said}\n${CALL}`,
          `${open}${said} ${said}\n\n${CALL}`,
          `${said} ${open}a${close} ${open}${said}\n${CALL}`,
          `a) 5${close} ${said} ${open}${said}\n${CALL}`,
          `${said} ${open}${CALL}${close}`,
          `${said} (${open}a) ${said}\n${CALL}`,
        ]),
      ),
    ).toEqual([]);
  });

  test("hold nothing back where they are closed, or were never opened", () => {
    for (const [open, close] of signs) {
      const text = `I take ${open}the one${close} that it's about, not Anna's.\n${CALL}`;
      expect([text, readTextCalls(text, tools)?.calls.length]).toEqual([text, 1]);
    }
    for (const said of [
      "It's the users' turn; let's go, as O’Neill’s list says.",
      "Ich nehme »den ersten« und „den zweiten“.",
      "Je prends « le premier » de l'«école» d’abord.",
      "Jag tar ”den första”.",
      "彼は「『はい』と言った」。",
      "他说“好”。",
      "He said “she said ‘yes’ to it”, so I do it.",
      'The 27" one is 6\'2" high, and a) is done :)',
      'I take **"this"** and *(that)*.',
    ]) {
      expect([said, readTextCalls(`${said}\n${CALL}`, tools)?.lead]).toEqual([said, said]);
    }
  });
});

test("a question of any script holds a call back, with anything after its mark", () => {
  const marks = "? ？ ؟ ; ⸮ ⁇ ⁈ ⁉ ՞ ፧ ꘏ ﹖ ︖ ‽ ¿ ❓ ❔ ⳺ ꛷".split(" ");
  const behind = ["", "!", "🙂", "\u200b", "\ufe0f", "”", "»)", "**", "…", " 🤔\u200d", ".\nOk."];
  expect(
    readOf((said) =>
      marks
        .flatMap((mark) => behind.map((more) => `${said.slice(0, -1)}${mark}${more}`))
        .flatMap((asked) => (asked.includes(";") ? [] : [`${asked}\n${CALL}`])),
    ),
  ).toEqual([]);
  for (const asked of ["Να πληρώσω;", "Να πληρώσω; Ορίστε.", "Να πληρώσω\u037e 🙂"]) {
    expect(readTextCalls(`${asked}\n${CALL}`, tools)).toBeUndefined();
  }
  const lead = "I open https://x.example/find?q=a&b=1 first.";
  expect(readTextCalls(`${lead}\n${CALL}`, tools)?.lead).toBe(lead);
});

test("a list in any script holds a call back", () => {
  const numbers = [
    "1",
    "12",
    "١",
    "१",
    "๑",
    "１",
    "一",
    "十二",
    "a",
    "б",
    "α",
    "가",
    "ア",
    "iv",
    "C",
  ];
  const markers = [
    ...numbers.flatMap((one) => [`${one}) `, `(${one}) `, `${one}、`]),
    ...numbers.filter((one) => one !== "十二").map((one) => `${one}. `),
    ..."- * + • ◦ ‣ – — · ● ○ ■ ▪ ► ➤ ✓ ✅ 🔹 ※ ・ ⁃ → ① ⑴ ❶ ㊀ [1] [x]"
      .split(" ")
      .map((one) => `${one} `),
  ];
  expect(
    readOf((said) =>
      markers.flatMap((marker) => [`${marker}${said}\n${CALL}`, `${marker}${CALL}`]),
    ),
  ).toEqual([]);
  expect(
    readOf((said) => markers.map((marker) => `${marker}x\n${marker}y\n${said}\n${CALL}`)),
  ).toEqual([]);
});

test("a table, rule, heading, quotation or open block holds a call back", () => {
  const blocks = [
    ...[
      "a | b\n--|--",
      "a | b\n- | -\n1 | 2",
      "| a |\n|---|",
      "a\tb\n1\t2",
      "+---+\n| a |\n+---+",
      "│ a │",
    ],
    ...[
      "---",
      "***",
      "___",
      "- - -",
      "════",
      "Example\n---",
      "Example\n===",
      "# Example",
      "###### Example #",
    ],
    ...[
      "> x",
      "> x\ny",
      ">> x",
      "<details>",
      "<details>\n<summary>x</summary>\n",
      "<!-- x",
      "/* x",
      "(* x",
    ],
    ...[
      "// x",
      "# x",
      "; x",
      "-- x",
      "% x",
      ":::note\nx",
      "!!! note\nx",
      '"""\nx',
      "#+begin_src\nx",
    ],
    ...[
      "[quote]\nx\n",
      "[code=js]\nx\n",
      "\\begin{x}",
      "---\ntitle: x",
      "=begin\nx\n",
      ">>> x",
      "$ x",
      "👇",
      "→",
    ],
  ];
  expect(readOf((said) => blocks.map((block) => `${said}\n\n${block}\n${CALL}`))).toEqual([]);
  const closing = ["---", "***", "════", "# Example", "> x", "a |", "👇"];
  expect(readOf((said) => closing.map((block) => `${said}\n\n${block}\n\n${CALL}`))).toEqual([]);
});

test("marks of other markup, and emphasis that is open, hold a call back", () => {
  const marks = [
    ...[
      "bq. x",
      "bc. x",
      "h1. x",
      "pre.. x",
      "Ann> x",
      "C:\\> x",
      "~~x",
      "**x",
      "_x",
      "*x",
      "***x**",
    ],
    ...[
      "第一、x",
      "أ- x",
      "1.1 x",
      "1.1. x",
      "1️⃣ x",
      "1/ x",
      "№ 1 x",
      "Q: x",
      "((1)) x",
      "x & y \\\\",
    ],
  ];
  expect(readOf((said) => marks.map((mark) => `${mark}\n${said}\n${CALL}`))).toEqual([]);
  const above = ['[quote name="x"]', ".. note:: x", "x::"];
  expect(readOf(() => above.map((mark) => `${mark}\n\n${CALL}`))).toEqual([]);
  expect(readOf((said) => ["➡️", "👉"].map((mark) => `${said} ${mark} ${CALL}`))).toEqual([]);
  for (const said of [
    "**Step 1:** I take `a_b` and some_name, *then* 2 * 3.",
    "I open Settings > Account -> Mail.",
    "Done! 🎉",
  ]) {
    expect(readTextCalls(`${said}\n${CALL}`, tools)?.lead).toBe(said);
  }
});

test("a sign that ends a lead alone holds a call back: its other half may stand behind the call", () => {
  const closers = PAIRS.flatMap(([, close]) => (/\p{Pe}|\p{Pf}/u.test(close) ? [close] : []));
  const alone = [...closers, "**", "*", "__", "_", "~~"].flatMap((sign) => [
    `: ${sign}`,
    `. ${sign}\n`,
    `.\n${sign}\n`,
    `.\n${sign} `,
  ]);
  const joined = ["**", "*", "__", "~~"].flatMap((sign) => [`.${sign}\n`, `.${sign}\n\n`]);
  expect(
    readOf((said) => [...alone, ...joined].map((end) => `${said.slice(0, -1)}${end}${CALL}`)),
  ).toEqual([]);
});

test("a shell's prompt holds a call back", () => {
  const prompts = ["$ ", "# ", "$", "% ", "❯ ", "ann@host:~$ ", "root@host# "];
  expect(
    readOf((said) =>
      prompts.flatMap((prompt) => [
        `${prompt}${CALL}`,
        `${said}\n${prompt}${CALL}`,
        `${said}\n${prompt}ls: ${CALL}`,
        `${said}\n\n${prompt}ls\n\n${CALL}`,
      ]),
    ),
  ).toEqual([]);
});

test("a lead that holds a call, in any format, is no lead", () => {
  for (const { write } of writtenForms) {
    const call = write([{ name: "f", args: { a: 1 } }]);
    const other = write([{ name: "get_weather", args: {} }]);
    for (const before of [call, `I do it.\n${call}`, `${call}\n${other}`, `\`${call}\``]) {
      const read = readTextCalls(`${before}\nI do it.\n${CALL}`, tools);
      expect([before, read]).toEqual([before, undefined]);
    }
  }
});

test("a lead that holds a Python call is none, however it is spaced", () => {
  for (const call of ["f (a=1)", "f（a=1）", "x.f(1)", "`f(a=1)`", "f()"]) {
    expect(readTextCalls(`I ran ${call} before.\n${CALL}`, tools)).toBeUndefined();
  }
  expect(readTextCalls(`I run f (as you asked).\n${CALL}`, tools)?.calls).toHaveLength(1);
});

test("a sentence that goes on holds a call back", () => {
  const ends = [
    ",",
    ";",
    "，",
    "；",
    "、",
    "،",
    "؛",
    "–",
    "—",
    "-",
    "→",
    "=",
    "=>",
    "•",
    "&",
    "/",
    "\\",
  ];
  expect(readOf((said) => ends.map((end) => `${said.slice(0, -1)}${end}\n${CALL}`))).toEqual([]);
  for (const said of ["I never run e.g.", "Nie schreibe ich z.B.", "Never run i. e.", "I run"]) {
    expect(readTextCalls(`${said} ${CALL}`, tools)).toBeUndefined();
  }
});

test("a sentence in any language is read before each token, with lists and code above it", () => {
  const forms = writtenForms.filter(({ marker }) => marker === "token");
  const opened = textFormats.filter(({ marker }) => marker === "token");
  expect(new Set(forms.map(({ format }) => format)).size).toBe(
    new Set(opened.map(({ format }) => format)).size,
  );
  for (const { write } of forms) {
    const call = write([{ name: "f", args: { a: "1" } }]);
    for (const said of sampled(SENTENCES, 8)) {
      for (const above of [
        "",
        "Plan:\n1. a\n2. b\n\n",
        "# Plan\n\n```sh\nls\n```\n\n",
        `${said} `,
      ]) {
        const read = readTextCalls(`${above}${said}\n\n${call}`, tools);
        expect([above, said, read?.calls.length]).toEqual([above, said, 1]);
      }
    }
  }
});
