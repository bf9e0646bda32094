import { describe, expect, test } from "@jest/globals";
import { isUnspaced } from "#src/repair/words/unspaced.ts";

describe("isUnspaced: a script that writes no space between words", () => {
  test.each(["北京", "とうきょう", "トウキョウ", "กรุงเทพ", "ວຽງຈັນ", "ភ្នំពេញ", "ရန်ကုန်", "Zoo 北京"])(
    "%s",
    (text) => expect(isUnspaced(text)).toBe(true),
  );

  test.each(["Ulm", "서울", "Москва", "القاهرة", "दिल्ली", "。"])("not %s", (text) => {
    expect(isUnspaced(text)).toBe(false);
  });
});
