import { describe, expect, test } from "@jest/globals";
import {
  hasLetterOrDigit,
  isDigits,
  isUnspaced,
  spacedParts,
  withoutEnd,
  withoutSeparators,
} from "#src/repair/text.ts";

describe("isDigits: only digits of ASCII", () => {
  test.each(["0", "007", "1234567890123456"])("%s", (text) => {
    expect(isDigits(text)).toBe(true);
  });

  test.each(["", "-1", "1.5", "1e3", "5\n", "٣", "５"])("not %j", (text) => {
    expect(isDigits(text)).toBe(false);
  });
});

describe("hasLetterOrDigit: a letter or a digit of any script", () => {
  test.each(["a", "…é", "京", "٣", "²", "𝐀"])("%s", (text) => {
    expect(hasLetterOrDigit(text)).toBe(true);
  });

  test.each(["", "_", "-./", "😀", "\ud835"])("not %j", (text) => {
    expect(hasLetterOrDigit(text)).toBe(false);
  });
});

describe("spacedParts", () => {
  test("white space of any kind parts a text", () => {
    expect(spacedParts("a b\n\tc\u00a0d\u2028e")).toEqual(["a", "b", "c", "d", "e"]);
  });

  test("white space around a text leaves empty parts", () => {
    expect(spacedParts(" a ")).toEqual(["", "a", ""]);
  });
});

test("withoutSeparators: a name in small letters without white space, `_` and `-`", () => {
  expect(withoutSeparators("Max-Output_Tokens No.2")).toBe("maxoutputtokensno.2");
});

test("withoutEnd takes one piece off the end of a text, and leaves another text alone", () => {
  expect(withoutEnd("a..", ".")).toBe("a.");
  expect(withoutEnd("a.b", ".")).toBe("a.b");
  expect(withoutEnd("a.\n", ".")).toBe("a.\n");
});

describe("isUnspaced: a script that writes no space between words", () => {
  test.each(["北京", "とうきょう", "トウキョウ", "กรุงเทพ", "ວຽງຈັນ", "ភ្នំពេញ", "ရန်ကုန်", "Zoo 北京"])(
    "%s",
    (text) => expect(isUnspaced(text)).toBe(true),
  );

  test.each(["Ulm", "서울", "Москва", "القاهرة", "दिल्ली", "。"])("not %s", (text) => {
    expect(isUnspaced(text)).toBe(false);
  });
});
