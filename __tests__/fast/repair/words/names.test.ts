import { describe, expect, test } from "@jest/globals";
import {
  foldName,
  hasMixedCase,
  hasOtherBreaks,
  hasSameCase,
  inFull,
  isPlainName,
  lettersOf,
  mayDifferByCase,
  quoted,
  sharesStem,
  slipBetween,
  stemOf,
  stemsOf,
  toHalfWidth,
  wordsOf,
} from "#src/repair/words/names.ts";
import { expectLinearTime } from "../../../support/growth.ts";

describe("foldName: what spells the same name folds to one", () => {
  test.each([
    ["case", "API", "api"],
    ["case inside", "filePath", "filepath"],
    ["an underscore", "file_path", "filepath"],
    ["a space", "file path", "filepath"],
    ["several spaces", "file \t path", "filepath"],
    ["a zero-width space", "file\u200bpath", "filepath"],
    ["a hyphen between letters", "FILE-PATH", "filepath"],
    ["a point between letters", "file.path", "filepath"],
    ["two points", "file..path", "filepath"],
    ["a point and a space", "St. Louis", "stlouis"],
    ["an underscore before a digit", "line_2", "line2"],
    ["an underscore behind a digit", "2_lines", "2lines"],
    ["space around it", " file ", "file"],
    ["a colon behind it", "file: ", "file"],
    ["a colon and a comma behind it", "file:,", "file"],
    ["double quotes", '"file"', "file"],
    ["single quotes", "'file'", "file"],
    ["backquotes", "`file`", "file"],
    ["quotes before a colon", '"file": ', "file"],
    ["quotes around nothing", '""', ""],
    ["a control token behind it", "file<|end|>", "file"],
    ["a closing tag behind it", "file</arg>", "file"],
    ["full-width letters and digits", "Ｌine５", "line5"],
    ["a letter and its accent apart", "cafe\u0301", "café"],
    ["letters of another script", "हिन्दी", "हिन्दी"],
  ])("%s", (_, name, folded) => {
    expect(foldName(name)).toBe(folded);
  });
});

describe("foldName: a sign with a meaning stays", () => {
  test.each([
    ["a point between digits", "1.5", "15"],
    ["a point before a digit", ".5", "5"],
    ["a point behind a letter, before a digit", "lat.1", "lat1"],
    ["a point behind a digit", "5.", "5"],
    ["a hyphen between digits", "1-5", "15"],
    ["a hyphen before a digit", "a-1", "a1"],
    ["a hyphen behind a digit", "1-a", "1a"],
    ["a hyphen before a letter", "-recursive", "recursive"],
    ["a hyphen behind a letter", "A-", "A"],
    ["an underscore between digits", "1_2", "12"],
    ["a space between digits", "1 2", "12"],
    ["a date's hyphens", "2024-01-01", "20240101"],
    ["plus signs", "C++", "C"],
    ["a hash", "C#", "C"],
    ["a comparison", ">=", ">"],
    ["a comparison with a digit", "≥5", "5"],
    ["a minus of typography", "−5", "5"],
    ["a minus and a space", "- 5", "5"],
    ["brackets", "(5)", "5"],
    ["a power", "2²", "22"],
    ["a slash", "1/2", "1-2"],
    ["a comma", "1,5", "1-5"],
    ["a negation of logic", "¬active", "active"],
    ["an exclamation mark", "!recursive", "recursive"],
    ["a tilde", "~recursive", "recursive"],
    ["a dollar sign", "$ref", "ref"],
    ["a picture", "approve ❌", "approve ✅"],
    ["an arrow", "a→b", "ab"],
    ["a vowel sign", "कि", "की"],
    ["an accent", "año", "ano"],
    ["a colon inside", "a:b", "ab"],
    ["an angle bracket", "a<b", "a"],
    ["two points before a digit", "a..5", "a.5"],
    ["one quote", '"a', "a"],
    ["quotes within", 'a"b"', "ab"],
    ["quotes before a letter", '"a"b', "ab"],
    ["quotes of two kinds", `"a'`, "a"],
    ["sharp s", "Maße", "Masse"],
    ["the dotless i", "sınır", "sinir"],
  ])("%s", (_, name, other) => {
    expect(foldName(name)).not.toBe(foldName(other));
  });

  test("a text of more than 1,000 signs stands for itself", () => {
    expect(foldName("A".repeat(1_000))).toBe("a".repeat(1_000));
    expect(foldName("A".repeat(1_001))).toBe("A".repeat(1_001));
  });
});

test("toHalfWidth: full-width signs become those of ASCII, and no other sign changes", () => {
  expect(toHalfWidth("！５Ａ～")).toBe("!5A~");
  expect(toHalfWidth("²½Ⅳé")).toBe("²½Ⅳé");
});

describe("wordsOf: a name is parted where case, signs and spaces part it", () => {
  test.each<[name: string, words: readonly string[]]>([
    ["minPrice_inEUR2", ["min", "price", "in", "eur2"]],
    ["min-price per.day", ["min", "price", "per", "day"]],
    ["line2Text", ["line2", "text"]],
    ["userID", ["user", "id"]],
    ["HTMLPage", ["htmlpage"]],
    ["_a__b_", ["a", "b"]],
    ["größeÄndern", ["größe", "ändern"]],
    ["हिन्दी नाम", ["हिन्दी", "नाम"]],
    ["", []],
  ])("%s", (name, words) => {
    expect(wordsOf(name)).toEqual(words);
  });

  test("a text of more than 1,000 signs is one word", () => {
    const name = "a ".repeat(500);
    expect(wordsOf(name)).toHaveLength(500);
    expect(wordsOf(`${name}b`)).toEqual([`${name}b`]);
  });
});

describe("stemOf: a word in full, without its plural", () => {
  test.each([
    ["cmd", "command"],
    ["q", "query"],
    ["files", "file"],
    ["ids", "id"],
    ["queries", "query"],
    ["cities", "city"],
    ["flies", "fly"],
    // Of four letters or fewer, `ies` is no plural of `y`.
    ["ties", "tie"],
    ["class", "class"],
    ["status", "status"],
    ["axis", "axis"],
    ["is", "is"],
    ["as", "as"],
    ["file", "file"],
  ])("%s is %s", (word, stem) => {
    expect(stemOf(word)).toBe(stem);
  });

  test("the stems of a name are those of its words, each once", () => {
    expect(stemsOf("userFiles")).toEqual(["user", "file"]);
    expect(stemsOf("file_of_files")).toEqual(["file", "of"]);
  });

  test("two names share a stem if one word of each has it", () => {
    expect(sharesStem("file_paths", "path")).toBe(true);
    expect(sharesStem("cmd", "shellCommand")).toBe(true);
    expect(sharesStem("file_name", "path")).toBe(false);
  });
});

test("inFull: short words are written out, and a plural stays one", () => {
  expect(inFull("srcLang")).toBe("source language");
  expect(inFull("page_ids")).toBe("page ids");
});

describe("isPlainName: only letters, digits and separators, and no word twice", () => {
  test.each([
    "path",
    "file_path",
    "file path",
    "file.path",
    "sign-in",
    "line2",
    "_id",
    "größe",
    "हिन्दी",
    "a".repeat(100),
  ])("%s", (name) => expect(isPlainName(name)).toBe(true));

  test.each([
    ["a comparison", "amount>="],
    ["a hyphen before it", "-force"],
    ["a hyphen behind it", "force-"],
    ["two hyphens", "sign--in"],
    ["a hyphen behind a space", "sign -in"],
    ["a negation", "!urgent"],
    ["a digit before it", "2nd"],
    ["a slash", "a/b"],
    ["a word twice", "great_great_aunt"],
    ["a word twice, in two cases", "id_ID"],
    ["no sign at all", ""],
    ["more than 100 signs", "a".repeat(101)],
  ])("not %s", (_, name) => expect(isPlainName(name)).toBe(false));
});

test("lettersOf: the letters and digits of a name", () => {
  expect(lettersOf("file_path-2 ½!")).toBe("filepath2½");
});

test("hasSameCase: letters alike in case, with any separators and in full width", () => {
  expect(hasSameCase("power mW", "power_mW")).toBe(true);
  expect(hasSameCase("ＩＤ", "ID")).toBe(true);
  expect(hasSameCase("power_MW", "power_mW")).toBe(false);
});

describe("hasOtherBreaks: a space or hyphen parts what is one word in the declared name", () => {
  test.each([
    ["in active", "inactive", true],
    ["re-sign", "resign", true],
    ["co - op", "coop", true],
    // An underscore is only how names are written.
    ["re_sign", "resign", false],
    ["sign-in", "sign_in", false],
    ["sign in", "signIn", false],
    ["signin", "sign_in", false],
    ["-resign", "resign", false],
    ["5-axis", "5axis", false],
  ])("%s for %s: %p", (written, declared, answer) => {
    expect(hasOtherBreaks(written, declared)).toBe(answer);
  });
});

describe("hasMixedCase: a word of up to four letters has capitals behind small ones or among them", () => {
  test.each([
    "mW",
    "kHz",
    "MHz",
    "pH",
    "power_mW",
    "mW.max",
    "mW max",
    "pH-value",
    "eBay",
    "Bxc3",
    "energyMeV",
  ])("%s", (name) => expect(hasMixedCase(name)).toBe(true));

  test.each(["Word", "Red", "Mb", "ID", "max", "power", "macOS", "file2", "filePath", "userName"])(
    "not %s",
    (name) => expect(hasMixedCase(name)).toBe(false),
  );
});

describe("mayDifferByCase: case tells short words of two names apart", () => {
  test.each([
    ["power_mW", "power_MW", true],
    ["power_MW", "power_mW", true],
    ["freq_MHZ", "freq_MHz", true],
    // The same case, in another spelling.
    ["power mW", "power_mW", false],
    // A name in small letters says nothing of case.
    ["freq_MHz", "freq_mhz", false],
    ["FILE_PATH", "filePath", false],
    ["Id", "ID", false],
  ])("%s for %s: %p", (written, declared, answer) => {
    expect(mayDifferByCase(written, declared)).toBe(answer);
  });
});

describe("slipBetween: one typo, and nothing else", () => {
  test.each([
    ["swapped", "qurey", "query", 5],
    ["swapped", "naem", "name", 4],
    ["swapped", "dealdine_date", "deadline_date", 8],
    ["swapped", "trial", "trail", 5],
    ["swapped", "user_di", "userid", 6],
    ["lost", "selctor", "selector", 8],
    ["lost", "temprature", "temperature", 11],
    ["lost", "county", "country", 7],
    ["added", "selecttor", "selector", 8],
    ["added", "cellsius", "celsius", 7],
    ["added", "standdard", "standard", 8],
    ["twice", "to_to_unit", "to_unit", 6],
    ["twice", "precipipitation", "precipitation", 13],
    ["accents", "cafe", "café", 4],
    ["accents", "zürich", "zurich", 6],
    ["accents", "lodz", "łódź", 4],
    ["accents", "Jagiello", "Jagiełło", 8],
    ["accents", "hue", "huế", 3],
    ["accents", "Krøyer", "kroyer", 6],
    ["accents", "đong", "dong", 4],
  ])("%s: %s for %s", (kind, written, declared, lettersOfWord) => {
    expect(slipBetween(written, declared)).toMatchObject({ kind, lettersOfWord });
  });

  test("each says what it is", () => {
    const whys = [
      ["qurey", "query"],
      ["selctor", "selector"],
      ["selecttor", "selector"],
      ["to_to_unit", "to_unit"],
      ["cafe", "café"],
    ].map(([written = "", declared = ""]) => slipBetween(written, declared)?.why);
    expect(whys).toEqual([
      "two swapped letters",
      "one lost letter",
      "one letter too many",
      "one piece written twice",
      "only accents differ",
    ]);
  });

  test.each([
    ["the same name", "filePath", "file_path"],
    ["two digits swapped", "item12", "item21"],
    ["a digit beside letters swapped", "usr2e_name", "usre2_name"],
    ["another first letter", "altitude", "latitude"],
    ["a first letter lost", "mount", "amount"],
    ["a first letter too many", "async", "sync"],
    ["the first two swapped", "uqery", "query"],
    ["a last letter lost", "complet", "complete"],
    ["a last letter too many", "archived", "archive"],
    ["a letter replaced", "selektor", "selector"],
    ["a letter replaced, in the middle", "lamqs", "lamps"],
    ["another last letter", "payer", "payee"],
    ["two letters lost", "selctr", "selector"],
    ["two letters too many", "selecccctor", "selector"],
    ["letters swapped across others", "tmprature", "temperature"],
    ["two pairs swapped", "flie_ptah", "file_path"],
    ["another word", "min_price", "max_price"],
    ["a word more", "not_active_at", "active_at"],
    ["a digit", "file1", "file2"],
    ["a sign", "!selctor", "selector"],
    ["a sign of the declared name", "selctor", "selector?"],
    ["four signs twice", "pathpath_id", "path_id"],
    ["a piece that is missing", "to_unit", "to_to_unit"],
    ["ten signs more", "selector_0123456789", "selector_"],
    ["nothing", "", "selector"],
  ])("no slip: %s", (_, written, declared) => {
    expect(slipBetween(written, declared)).toBeUndefined();
  });

  test("a text of more than 200 signs is no name with a slip", () => {
    const name = "ab".repeat(99);
    expect(slipBetween(`${name}ba`, `${name}ab`)).toMatchObject({ kind: "swapped" });
    expect(slipBetween(`${name}cba`, `${name}cab`)).toBeUndefined();
  });
});

test("quoted: a name of one line, cut to 40 signs", () => {
  expect(quoted("file_path")).toBe("`file_path`");
  expect(quoted("a`b\nc")).toBe("`a b c`");
  expect(quoted("a".repeat(40))).toBe(`\`${"a".repeat(40)}\``);
  expect(quoted("a".repeat(41))).toBe(`\`${"a".repeat(39)}…\``);
});

describe("a name with a long run of one sign is read in linear time", () => {
  test.each([
    ["spaces", " "],
    ["points", "."],
    ["quotes", '"'],
    ["dashes", "-"],
    ["dashes and spaces", "- "],
    ["underscores", "_"],
    ["capitals", "aB"],
  ])("%s", async (_, sign) => {
    await expectLinearTime((length) => {
      const name = `x${sign.repeat(length)}y`;
      foldName(name);
      wordsOf(name);
      inFull(name);
      isPlainName(name);
      hasOtherBreaks(name, "selector");
      slipBetween(name, "selector");
      quoted(name);
    }, 300_000);
  });
});
