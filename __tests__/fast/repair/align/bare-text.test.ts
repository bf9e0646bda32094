import { describe, expect, test } from "@jest/globals";
import {
  bareTextOf,
  beginsWithName,
  inputIn,
  isPiece,
  opensContainer,
  saysSomething,
  setsField,
  usesName,
  withoutQuotes,
  wordIn,
} from "#src/repair/align/bare-text.ts";

describe("bareTextOf: where a bare text comes from", () => {
  test.each([
    ["text of an agent that writes text", "Ulm", "Ulm", false, false, "text"],
    ["a JSON string of such an agent", '"Ulm"', "Ulm", false, false, "string"],
    ["a JSON string behind white space", ' "Ulm"', "Ulm", false, false, "string"],
    ["text that only begins as one", '"Ulm" or not', '"Ulm" or not', false, false, "text"],
    ["another text that JSON was read from", 'a "b"', "b", false, false, "text"],
    ["an object as text", '{"a":1}', { a: 1 }, false, false, "text"],
    ["a parsed value of such an agent", 5, 5, false, true, "text"],
    ["text in place of a call's arguments", "Ulm", "Ulm", true, false, "none"],
    ["a JSON string in place of them", '"Ulm"', "Ulm", true, false, "string"],
    ["arguments that the provider parsed", "Ulm", "Ulm", true, true, "string"],
  ] as const)("%s", (_, raw, value, isToolCall, isParsed, origin) => {
    expect(bareTextOf(raw, value, isToolCall, isParsed)).toBe(origin);
  });
});

describe("opensContainer: a text begins as an object, a list or a code fence", () => {
  test.each(["{", "[1", ' {"a": 1}', '"[1]"', "'{", "`[", '\\"{', "```json", "  ```"])(
    "%j",
    (text) => expect(opensContainer(text)).toBe(true),
  );

  test.each(["a {", "(1)", "`a`", '"a"', "``", "a ```", ""])("not %j", (text) => {
    expect(opensContainer(text)).toBe(false);
  });
});

describe("withoutQuotes: white space and one pair of quotes around a text go", () => {
  test.each([
    ["double quotes", '"a"', "a"],
    ["single quotes", "'a'", "a"],
    ["backquotes", "`a`", "a"],
    ["space around and in them", ` " a " `, "a"],
    ["no pair: two of the same", `""a""`, '""a""'],
    ["no pair: two quotations", '"cats" OR "dogs"', '"cats" OR "dogs"'],
    ["space alone", " a ", "a"],
    ["no pair: one quote", '"a', '"a'],
    ["no pair: a quote at the end", 'a"', 'a"'],
    ["no pair: two kinds", `"a'`, `"a'`],
    ["no pair: one sign", '"', '"'],
    ["no pair: another sign at both ends", "aba", "aba"],
    ["an empty pair", '""', ""],
    ["nothing", "", ""],
  ])("%s", (_, text, plain) => expect(withoutQuotes(text)).toBe(plain));

  test("wordIn: the same of a text of up to 200 signs, and nothing of another value", () => {
    expect(wordIn(" 'a' ")).toBe("a");
    expect(wordIn("a".repeat(200))).toBe("a".repeat(200));
    expect(wordIn("a".repeat(201))).toBeUndefined();
    expect(wordIn(5)).toBeUndefined();
  });
});

describe("saysSomething: a letter, a digit, a picture or a path of signs", () => {
  test.each(["a", "é", "红", "5", "½", "👍", "?a", ".", "..", "~", "/", "*"])("%s", (text) => {
    expect(saysSomething(text)).toBe(true);
  });

  test.each(["", " ", "?", "...", "**", "~/.", "-", "—", "--"])("not %j", (text) => {
    expect(saysSomething(text)).toBe(false);
  });
});

describe("inputIn: what an agent wrote as its input", () => {
  test.each([
    ["in a fence", "```sql\nSELECT 1\n```", "SELECT 1"],
    ["in a fence without a language", "```\nls -la\n```", "ls -la"],
    ["of several lines in a fence", "```\na\n\nb\n```\n", "a\n\nb"],
    ["in quotes", '"Ulm"', "Ulm"],
    ["before a label", "Which one?\nObservation:", "Which one?"],
    ["before a label without its colon", "ls -la\n Observation ", "ls -la"],
    ["not one of two fences", "```\na\n```\n```\nb\n```", "```\na\n```\n```\nb\n```"],
    ["not one beside text", "so: ```\na\n```", "so: ```\na\n```"],
    ["with what an observation says", "a\nObservation: b", "a\nObservation: b"],
  ])("%s", (_, text, input) => expect(inputIn(text)).toBe(input));
});

describe("setsField: a text gives a field a value", () => {
  test.each(["cats limit=5", "ls -la\ntimeout_s: 5", 'cats, "Limit": 5', "limit=5"])(
    "%s",
    (text) => {
      expect(setsField(text, ["limit", "timeout_s"])).toBe(true);
    },
  );

  test.each(["cats site:x.com", "the limit is 5", "cats limit", "limited=5"])("not %s", (text) => {
    expect(setsField(text, ["limit", "timeout_s"])).toBe(false);
  });
});

describe("isPiece: a text is a piece of JSON, of a call or of a turn", () => {
  test.each([
    ["a control sign", "Ulm\u0000"],
    ["a sign that could not be read", "Ulm\ufffd"],
    ["half a sign", "Ulm\ud83d"],
    ["the end of a typographic quotation", "buy”"],
    ["the end of a French quotation", "buy»"],
    ["the end of a quotation before it", "» Ulm"],
    ["a chat token", "Ulm<|im_end|> Rome"],
    ["a closing tag", "Ulm</tool> Rome"],
    ["a thought behind it", "ls -la\nThought: done"],
    ["an observation behind it", "ls -la\nObservation: a.txt"],
    ["a final answer behind it", "ls\n\n  Final Answer: two files"],
    ["a label before it", "Thought: Which one?"],
    ["a tag", "Ulm <br> Rome"],
    ["a mark of instructions", "Ulm[/INST]"],
    ["a fence", "Ulm ``` Rome"],
    ["an opening bracket before it", "(Ulm)"],
    ["an opening quotation mark before it", "«Ulm»"],
    ["a comma before it", ", Ulm"],
    ["a semicolon before it", "; Ulm"],
    ["a closing bracket before it", ") Ulm"],
    ["a closing square bracket before it", "] Ulm"],
    ["a closing brace before it", "} Ulm"],
    ["a colon before it", ": Ulm"],
    ["an equals sign before it", "= Ulm"],
    ["an equals sign before a class", "=.item"],
    ["a quote before it", '"Ulm'],
    ["an apostrophe before it", "'Ulm"],
    ["a backquote before it", "`Ulm`"],
    ["an angle bracket before it", "<5"],
    ["a dollar sign before it", "$x"],
    ["a comma behind it", "SELECT a,"],
    ["a colon behind it", "Ulm:"],
    ["an opening brace behind it", "a {"],
    ["an equals sign behind it", "a ="],
    ["a backslash behind it", "a \\"],
    ["a bar behind it", "a |"],
    ["an angle bracket behind it", "a >"],
    ["a backquote behind it", "a `"],
    ["an operator behind it", "cd a &&"],
    ["an open quotation", "echo 'a"],
    ["an open quotation of nothing", "echo '"],
    ["an object within", 'a {"b"} c'],
    ["an object of single quotes within", "a {'b'} c"],
    ["a list of objects within", "a [{b}] c"],
    ["a text at a key within", 'a["b"] c'],
    ["a text at a key in single quotes within", "a['b'] c"],
    ["an open round bracket", "cats (and dogs"],
    ["an open square bracket", "cats [and dogs"],
    ["an open brace", "cats {and dogs"],
    ["a closing bracket more", "cats) and dogs"],
    ["an open comment", "SELECT a /* the rest"],
    ["a selector that opens a list", "[1, 2]"],
  ])("%s", (_, text) => expect(isPiece(text)).toBe(true));

  test.each([
    ["a word", "Ulm"],
    ["lines and tabs", "a\r\n\tb"],
    ["a word of a label", "Action figures"],
    ["a label in a line", "see Observation: none"],
    ["a typographic quotation", "the “best” one"],
    ["a German quotation", "das „Beste“"],
    ["a French quotation", "le «bon»"],
    ["a quotation that opens before it ends", "say “buy”"],
    ["a comparison", "a < 5"],
    ["a class", ".item"],
    ["an id", "#buy"],
    ["a pseudo-class", ":root"],
    ["an attribute with a value", "[name=q]"],
    ["an attribute with a part of a value", '[href^="/a"]'],
    ["an attribute", "[disabled]"],
    ["brackets that pair", "cats (and dogs) [2] {3}"],
    ["an operator between", "cd a && ls"],
    ["one ampersand behind it", "R &"],
    ["a quotation", "echo 'a b'"],
    ["an apostrophe in a word", "l'eau"],
    ["a comment", "SELECT a /* all */ FROM b"],
    ["a colon within", "a:b"],
  ])("not %s", (_, text) => expect(isPiece(text)).toBe(false));
});

describe("beginsWithName: a text is one of some names, or begins with one as a label", () => {
  test.each(["query", "QUERY", "query: cats", "query = cats", "query(cats)", "fileName: a"])(
    "%s",
    (text) => expect(beginsWithName(text, ["query", "file_name"])).toBe(true),
  );

  test.each(["queries", "query cats", "my query: cats", "cats: query", "file"])("not %s", (text) =>
    expect(beginsWithName(text, ["query", "file_name"])).toBe(false),
  );

  test("a label stands within the first 200 signs", () => {
    const name = "a".repeat(199);
    expect(beginsWithName(`${name}: b`, [name])).toBe(true);
    const longer = `${name}a`;
    expect(beginsWithName(`${longer}b: c`, [`${longer}b`])).toBe(false);
  });
});

describe("usesName: a text uses a field's own name, and so may speak of it", () => {
  test.each([
    ["Ort nicht angegeben", "ort"],
    ["no file name given", "fileName"],
    ["the path", "file_path"],
    ["Sortiment", "ort"],
  ])("%s, for %s", (text, name) => expect(usesName(text, name)).toBe(true));

  test.each([
    ["Ulm", "ort"],
    ["a.txt", "file_path"],
  ])("not %s, for %s", (text, name) => expect(usesName(text, name)).toBe(false));
});
