import { describe, expect, test } from "@jest/globals";
import {
  formatOf,
  formOf,
  hasForm,
  isPhrase,
  isQuestion,
  namesForm,
  shows,
} from "#src/repair/align/forms.ts";

function showsForm(word: string, text: string): boolean {
  const form = formOf(word);
  return form !== undefined && shows(form, text);
}

/** Texts that have the form that a word names, and texts that do not. */
function formTests(
  word: string,
  takes: readonly (readonly [name: string, text: string])[],
  takesNot: readonly (readonly [name: string, text: string])[],
): void {
  describe(`a text has the form of a field called ${word}`, () => {
    test.each(takes)("%s: %s", (_, text) => expect(showsForm(word, text)).toBe(true));
    test.each(takesNot)("not %s: %s", (_, text) => expect(showsForm(word, text)).toBe(false));
  });
}

formTests(
  "url",
  [
    ["an address", "https://example.com/a?b=c#d"],
    ["in capitals", "HTTPS://EXAMPLE.COM"],
    ["of another scheme", "git+ssh://host/a"],
    ["of mail", "mailto:ada@example.com"],
    ["of a phone", "tel:+41441234567"],
    ["of data", "data:text/plain,a"],
    ["without a scheme", "www.example.com"],
    ["of this host", "/a/b"],
    ["of this page", "#top"],
    ["with accents", "https://münchen-köln.example"],
    ["a host of one letter", "http://a"],
    ["with an encoded sign", "https://example.com/%2Fa"],
    ["with a list", "https://example.com/?ids=1,2"],
  ],
  [
    ["a word", "example"],
    ["a host", "example.com"],
    ["words around an address", "see https://example.com"],
    ["words behind an address", "https://example.com is down"],
    ["an address without a host", "https:///a"],
    ["a scheme alone", "https://"],
    ["no mail address", "mailto: "],
    ["an address that goes on with a query", "https://example.com/?"],
    ["an address that goes on with a field", "https://example.com/?a&"],
    ["an address that goes on with a value", "https://example.com/?a="],
    ["a full stop behind it", "https://example.com."],
    ["a comma behind it", "https://example.com,"],
    ["a semicolon behind it", "https://example.com;"],
    ["a colon behind it", "https://example.com:"],
    ["an exclamation mark behind it", "https://example.com!"],
    ["a bracket behind it", "https://example.com)"],
    ["an encoded sign that was cut off", "https://example.com/%"],
    ["an encoded sign that was cut in half", "https://example.com/%2"],
    ["a template", "https://{host}/a"],
    ["a bracket", "https://example.com/<a>"],
    ["a quote", 'https://example.com/"a"'],
    ["two by a bar", "https://a.example|https://b.example"],
    ["a variable", "https://$HOST/a"],
    ["two by a comma", "https://a.example,https://b.example"],
    ["another script", "https://example.com/北京"],
    ["a scheme of 22 letters", "abcdefghijklmnopqrstuv://a"],
  ],
);

formTests(
  "email",
  [
    ["an address", "ada@example.com"],
    ["of many parts", "ada.o'neil+x-y_1@mail.example.co.uk"],
    ["of another script", "ada@bücher.de"],
    ["in capitals", "ADA@EXAMPLE.COM"],
  ],
  [
    ["a word", "ada"],
    ["no host", "ada@"],
    ["no name", "@example.com"],
    ["no domain", "ada@localhost"],
    ["a domain of one letter", "ada@example.c"],
    ["two points", "ada@example..com"],
    ["a space", "ada lovelace@example.com"],
    ["a comma behind it", "ada@example.com,"],
    ["a word before it", "to ada@example.com"],
  ],
);

formTests(
  "path",
  [
    ["a whole path", "/srv/data"],
    ["a path with spaces and a suffix", "/home/user/My report.txt"],
    ["on a drive", "C:\\logs"],
    ["on a drive, by slashes", "c:/logs/a"],
    ["on a drive, with spaces", "C:\\My logs\\a.txt"],
    ["on a host", "\\\\host\\share"],
    ["from home", "~/notes/*"],
    ["from home, with spaces", "~/My notes/a.md"],
    ["from here", "./a"],
    ["from above", "../a/b"],
    ["a folder", "/srv/data/"],
    ["the suffix of five signs", "/a b.abcde"],
    ["parts by slashes", "src/a/b"],
    ["parts by slashes, and a folder", "src/a/"],
    ["a file in a folder", "a/b.txt"],
    ["a file", "notes.md"],
    ["a file in the scope of a package", "@scope/a/b"],
    ["a file behind a hidden one's name", ".env.local"],
    ["a hidden file", ".env"],
    ["here", "."],
    ["the root", "/"],
    ["home", "~"],
    ["everything", "*"],
    ["in a bucket", "s3://bucket/key"],
    ["all of a bucket", "s3://bucket/*"],
    ["with an accent", "src/café/b"],
  ],
  [
    ["a word", "notes"],
    ["an alternative", "and/or"],
    ["a number", "1.5"],
    ["words", "My report"],
    ["words with a file", "see notes.md"],
    ["words and a path", "in /srv/data"],
    ["a path with spaces and no suffix", "/home/user/My report"],
    ["a path and words", "/srv/data is full"],
    ["a path and a comma", "/srv/a, /srv/b.txt"],
    ["a path with a quote and a suffix", '/srv/"a".txt'],
    ["a path of another script", "/srv/北京"],
    ["a suffix of six signs", "/a b.abcdef"],
    ["a suffix of six signs, without a slash", "a.abcdef"],
    ["a sentence's end", "It is done."],
    ["a file with a sign behind it", "notes.md!"],
    ["a hidden file with words", ".env file"],
    ["two signs", "~~"],
    ["three points", "..."],
    ["a scheme in capitals", "S3://bucket/key"],
    ["a scheme of eleven letters", "abcdefghijk://bucket"],
    ["a bucket and a comma", "s3://a,s3://b"],
  ],
);

formTests(
  "id",
  [
    ["letters and digits", "C-4"],
    ["a hash", "#123"],
    ["a handle", "@ada2"],
    ["one digit", "7"],
    ["two signs", "u5"],
    ["digits behind letters", "order_1.2:3"],
    ["a UUID", "0b0e4a0e-6b1c-4c83-9f5b-0a7a3c0f2d11"],
    ["a phone number", "+41 44 (123) 45-67/8"],
    ["a short phone number", "+41"],
  ],
  [
    ["a word", "abc"],
    ["a letter", "a"],
    ["two words", "the 5th"],
    ["a hyphen behind it", "A1-"],
    ["a hyphen before it", "-5"],
    ["a space in it", "A 1"],
    ["a plus and a digit", "+4"],
    ["a phone number that goes on", "+41 44-"],
    ["a phone number and words", "+41 44 Ada"],
    ["a phone number behind words", "call +41 44"],
    ["a digit with a word", "5!"],
  ],
);

formTests(
  "date",
  [
    ["a day", "2026-09-01"],
    ["the last day of a year", "2026-12-31"],
    ["a day in October", "2026-10-29"],
    ["a tenth", "2026-11-10"],
    ["a thirtieth", "2026-11-30"],
    ["a day and a time", "2026-11-27T10:30:00Z"],
    ["a day and a time by a space", "2026-11-27 10:30"],
    ["a day and an hour", "2026-11-27T9"],
    ["a time with a zone", "2026-11-27T10:30:00.5+01:00"],
    ["a time", "10:30"],
    ["an early time", "9:05"],
    ["an early time with a zero", "09:05"],
    ["a late time", "23:59"],
    ["a time with seconds", "10:30:59"],
  ],
  [
    ["a word", "today"],
    ["a month alone", "2026-11"],
    ["no month", "2026-00-10"],
    ["a thirteenth month", "2026-13-01"],
    ["no day", "2026-11-00"],
    ["a thirty-second day", "2026-11-32"],
    ["another order", "27.11.2026"],
    ["two orders", "03/04/2024"],
    ["a day that goes on", "2026-11-27T"],
    ["a day and words", "2026-11-27 or later"],
    ["words before a day", "on 2026-11-27"],
    ["a late hour", "24:00"],
    ["a late minute", "10:60"],
    ["a late second", "10:30:60"],
    ["words before a time", "at 10:30"],
    ["words behind a time", "10:30 sharp"],
  ],
);

formTests(
  "selector",
  [
    ["an id", "#buy"],
    ["a class", ".item"],
    ["a tag with a class", "div.item"],
    ["everything with a class", "*.item"],
    ["two classes", ".item.active"],
    ["capitals", "DIV.Item"],
    ["a pseudo-class", "a:hover"],
    ["a pseudo-class with an argument", "li:nth-child(2)"],
    ["a pseudo-element", "p::before"],
    ["an attribute", "[name=q]"],
    ["an attribute in double quotes", '[name="a b"]'],
    ["an attribute in single quotes", "[name='a b']"],
    ["a part of an attribute", '[href^="/a"]'],
    ["a child", "div > p"],
    ["a sibling", "h1 + p"],
    ["a later sibling", "h1 ~ p"],
    ["without spaces", "div>p"],
    ["a descendant of a tag", "ul li .item"],
    ["a tag below a class", ".item a"],
    ["a class below a class", ".item .name"],
    ["an XPath", "//div[@id='a']/span"],
    ["an XPath from here", ".//button[1]"],
    ["an XPath of any depth", "//a//b"],
    ["an XPath from the root", "/html/body/div[2]"],
    ["an XPath of a text", "//a/text()"],
  ],
  [
    ["a word", "button"],
    ["two words", "buy button"],
    ["a sentence's end", "Buy."],
    ["a price", "#1"],
    ["words with an id", "the #buy"],
    ["words below a class", ".item that is red"],
    ["a word below a tag", "div item"],
    ["two by a comma", "#a, #b"],
    ["a bracket that is open", "li:nth-child(2"],
    ["an attribute that is open", "[name=q"],
    ["an XPath and words", "//div and more"],
    ["an XPath that is open", "//div["],
    ["words and an XPath", "see //div"],
  ],
);

formTests(
  "command",
  [
    ["a flag", "ls -la"],
    ["a long flag with a value", "tar --file=a"],
    ["a file", "cat a.txt"],
    ["a path", "cd /srv"],
    ["a pattern", "rm *.ts"],
    ["a subcommand and a flag", "git commit -m"],
    ["a quotation", 'echo "a b"'],
    ["a quotation in single quotes", "echo 'a b'"],
    ["a pipe", "cat a | grep b"],
    ["two commands", "make all && make install"],
    ["a variable", "echo $HOME"],
    ["a file of results", "sort a.txt > b.txt"],
    ["a file of more results", "sort a.txt >> b.txt"],
    ["a flag before a word", "git commit -m fix"],
    ["a capital flag before a word", "ls -L now"],
    ["a flag of digits before a file", "head -5 a.txt"],
    ["a variable before a word", "echo $HOME now"],
    ["a program of one letter", "w -h now"],
    ["a path of a program", "./run.sh --fast"],
    ["a number beside a file", "head a.txt 5"],
  ],
  [
    ["a program alone", "ls"],
    ["a sentence", "delete all files"],
    ["a program and a word", "git status"],
    ["a remark", "see 5"],
    ["a comparison", "price > 5"],
    ["a difference", "price - 5"],
    ["a capital", "Use -v"],
    ["brackets", "f(x) -v"],
    ["brackets behind a flag", "ls -l (all)"],
    ["a flag with a comma", "say -a, please"],
    ["a compound", "bake non-fat cakes"],
    ["a file amid words", "read a.txt please"],
    ["an operator of a sentence", "cats & dogs"],
  ],
);

formTests(
  "expression",
  [
    ["a sum", "2 + 2"],
    ["a product", "price * 1.2"],
    ["a call", "sqrt(2)"],
    ["a power", "2^8"],
    ["a comparison", "a >= b"],
    ["a negative number", "-5"],
    ["an operator behind it", "5%"],
  ],
  [
    ["a number", "2"],
    ["words", "two plus two"],
    ["a question", "2 + 2?"],
    ["a sum behind a word and a colon", "sum: 2 + 2"],
    ["another script", "二 + 二"],
  ],
);

formTests(
  "sql",
  [
    ["select with a semicolon", "select * from users;"],
    ["insert with a semicolon", "insert into a values (1);"],
    ["update with a semicolon", "update a set b = 1;"],
    ["delete with a semicolon", "delete from users;"],
    ["with with a semicolon", "with a as (select 1) select * from a;"],
    ["create with a semicolon", "create table a (b int);"],
    ["alter with a semicolon", "alter table a add b int;"],
    ["drop with a semicolon", "drop table a;"],
    ["SELECT to a table", "SELECT * FROM users"],
    ["SELECT to a table of a schema", "SELECT * FROM db.Users"],
    ["SELECT to a number", "SELECT * FROM A LIMIT 5"],
    ["SELECT to a bracket", "SELECT COUNT(*)"],
    ["SELECT to a text", "SELECT * FROM A WHERE B = 'C'"],
    ["SELECT to a name in quotes", 'SELECT * FROM "A"'],
    ["SELECT to a star", "SELECT *"],
    ["SELECT in lines", "SELECT *\nFROM users;"],
    ["INSERT", "INSERT INTO a VALUES (1)"],
    ["UPDATE", "UPDATE a SET b = 1"],
    ["DELETE", "DELETE FROM users"],
    ["WITH", "WITH a AS (SELECT 1) SELECT * FROM a"],
    ["CREATE", "CREATE TABLE a (b INT)"],
    ["ALTER", "ALTER TABLE a ADD b int"],
    ["DROP", "DROP TABLE a"],
  ],
  [
    ["small letters without a semicolon", "select * from users"],
    ["a sentence", "Select all users;"],
    ["a sentence that begins so", "select one of these"],
    ["a keyword at its end", "SELECT a FROM"],
    ["a sign at its end", "SELECT a FROM b,"],
    ["words before it", "please SELECT * FROM users"],
    ["words before small letters", "please select * from users;"],
    ["a word that begins so", "SELECTED users"],
    ["a word that begins so, in small letters", "selected users;"],
    ["words behind the semicolon", "select * from users; thanks"],
    ["words behind capitals", "SELECT * FROM users; OK"],
  ],
);

formTests(
  "question",
  [
    ["a phrase", "orange cats"],
    ["a question of more words", "Which of all the cats in this house are orange and friendly?"],
  ],
  [
    ["a sentence", "It is done."],
    ["more words than a phrase has", "one two three four five six seven eight nine"],
  ],
);

describe("isPhrase: up to eight words of one line that end no sentence", () => {
  test.each([
    "cats",
    "orange cats in Rome",
    "one  two  three  four  five  six",
    "one two three four five six seven eight",
    "v1.2",
    "a?b",
    "v. 2",
    "St. louis",
    "cats - dogs",
    "cats--dogs",
    "a:b",
    "C++: a",
    "f(x)",
    "a;b",
    "U.S.A",
    "5.",
    "한국 고양이",
  ])("%s", (text) => expect(isPhrase(text)).toBe(true));

  test.each([
    ["nine words", "one two three four five six seven eight nine"],
    ["two lines", "cats\ndogs"],
    ["a dash between parts", "cats -- dogs"],
    ["a label", "query: cats"],
    ["a label of a letter", "a: cats"],
    ["a semicolon behind it", "cats;"],
    ["a call", "cats()"],
    ["a full stop", "It is done."],
    ["an exclamation mark", "Done!"],
    ["a question mark", "Done?"],
    ["an ellipsis", "Done…"],
    ["a full stop in quotes", '"Done."'],
    ["a full stop in single quotes", "'Done.'"],
    ["a full stop in a bracket", "(Done.)"],
    ["a full stop behind a mark", "किं."],
    ["a sentence before others", "Done. More cats"],
    ["a question before a sentence", "Done? More cats"],
    ["a sentence before others, two spaces away", "Done.  More cats"],
    ["a full stop of Chinese", "完成。"],
    ["an exclamation mark of Chinese", "完成！"],
    ["a question mark of Chinese", "完成？"],
    ["a comma of enumeration", "猫、犬"],
    ["a comma of Chinese", "猫，犬"],
    ["a full stop of Hindi", "हो गया।"],
  ])("not %s", (_, text) => expect(isPhrase(text)).toBe(false));

  test("a label has up to 30 signs", () => {
    expect(isPhrase(`${"a".repeat(30)}: b`)).toBe(false);
    expect(isPhrase(`${"a".repeat(31)}: b`)).toBe(true);
  });
});

describe("isQuestion: one line of up to 200 signs that ends in a question mark", () => {
  test.each(["Who?", "Who is it? ", "谁？", `${"a".repeat(199)}?`])("%s", (text) => {
    expect(isQuestion(text)).toBe(true);
  });

  test.each([
    ["a sentence", "It is."],
    ["a question and more", "Who? Ada"],
    ["two lines", "Well\nWho?"],
    ["201 signs", `${"a".repeat(200)}?`],
  ])("not %s", (_, text) => expect(isQuestion(text)).toBe(false));
});

describe("formOf: the words of names that ask for a form", () => {
  const WORDS: { readonly [kind: string]: string } = {
    exact: `url uri link href email id identifier number num code isbn iban zip phone
      date time day year month sql`,
    code: `path file filename directory folder selector xpath locator command expression formula`,
    question: "question query search",
    prose: `body prompt content message task note description answer reply story summary
      instruction name address keyword phrase term str string text symbol value input`,
  };
  const rows = Object.entries(WORDS).flatMap(([kind, words]) =>
    words.split(/\s+/).map((word) => [word, kind] as const),
  );
  test.each(rows)("%s: %s", (word, kind) => {
    expect(formOf(word)?.kind).toBe(kind);
    expect(namesForm(word)).toBe(true);
  });

  test.each(["list", "array", "dict", "dictionary", "map", "object", "mapping"])(
    "%s: a form of several values",
    (word) => {
      expect(formOf(word)).toBeUndefined();
      expect(namesForm(word)).toBe(true);
    },
  );

  test.each(["colour", "limit", "paths", ""])("%j: no form", (word) => {
    expect(formOf(word)).toBeUndefined();
    expect(namesForm(word)).toBe(false);
  });

  test("a content is no other word for its thing", () => {
    const words = rows.map(([word]) => word);
    expect(words.filter((word) => formOf(word)?.isContent)).toEqual(
      `command question body prompt content message task note description answer reply story
      summary instruction`.split(/\s+/),
    );
  });
});

describe("shows: a text that stands for another, or is long, shows no form", () => {
  test.each([
    ["a slot in braces", "https://example.com/{{city}}"],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the model's
    ["a slot of a shell", "/srv/${NAME}"],
    ["a slot in angle brackets", "ls -l <file name>"],
    ["a slot of one letter", "ls -l <x>"],
    ["three points", "src/.../b.ts"],
    ["an ellipsis", "orange … cats"],
  ])("%s", (_, text) => {
    for (const word of ["url", "path", "command", "query", "name"]) {
      expect(showsForm(word, text)).toBe(false);
    }
  });

  test("a comparison is no slot", () => expect(showsForm("expression", "a < 5 > b")).toBe(true));

  test("a text of up to 2,000 signs", () => {
    expect(showsForm("id", "1".repeat(2_000))).toBe(true);
    expect(showsForm("id", "1".repeat(2_001))).toBe(false);
  });
});

test("formatOf: only a URL or an e-mail address tells its format", () => {
  expect(formatOf("https://example.com/a")?.words).toContain("url");
  expect(formatOf("ada@example.com")?.words).toContain("email");
  for (const text of ["C-4", "notes.md", "2026-11-27", "cats"]) {
    expect(formatOf(text)).toBeUndefined();
  }
});

describe("hasForm: a value has the form that a word names", () => {
  test.each([
    ["a path", "a/b.txt", "path", true],
    ["no path", "a b", "path", false],
    ["a number as an id", 5, "id", true],
    ["a flag as an id", true, "id", false],
    ["null as a text", null, "text", false],
    ["any text as a name", "It is done. Really.", "name", true],
    ["any text as a query", "It is done. Really.", "query", true],
    ["any text as a command", "delete all", "command", true],
    ["a list of paths", ["a/b.txt", "c.txt"], "path", true],
    ["a list with one path", ["a/b.txt", "c d"], "path", false],
    ["a list", ["a"], "list", true],
    ["a list as an array", ["a"], "array", true],
    ["a list as a map", ["a"], "map", false],
    ["a text as a list", "a", "list", false],
    ["an object as a map", { a: 1 }, "map", true],
    ["an object as an object", { a: 1 }, "object", true],
    ["an object as a list", { a: 1 }, "list", false],
    ["an object as a text", { a: 1 }, "text", false],
    ["a value of a word that names no form", "a", "colour", false],
  ] as const)("%s", (_, value, word, answer) => {
    expect(hasForm(value as never, word)).toBe(answer);
  });
});
