import { describe, expect, test } from "@jest/globals";
import { foldName, isSameName, slipOf, wordsOf } from "#src/repair/align/names.ts";

function isTypo(wrong: string, right: string): boolean {
  return slipOf(wrong, right) !== undefined;
}

describe("names", () => {
  test.each([
    ["filePath", "file_path"],
    ["FILE-PATH", "file path"],
    ['"file": ', "file"],
    ["St. Louis", "st-louis"],
    ["हिन्दी", "हिन्दी"],
  ])("%s and %s fold alike", (one, other) => {
    expect(foldName(one)).toBe(foldName(other));
  });

  test.each([
    ["1.5", "15"],
    ["1-5", "15"],
    ["2024-01-01", "20240101"],
  ])("%s and %s do not", (one, other) => {
    expect(foldName(one)).not.toBe(foldName(other));
  });

  test.each([
    ["C++", "C"],
    ["C#", "C"],
    [">", ">="],
    ["-1", "1"],
    ["A-", "A"],
    ["A+", "A"],
    ["−5", "5"],
    ["- 5", "5"],
    ["(5)", "5"],
    ["≥5", "5"],
    ["2²", "22"],
    ["1/2", "1-2"],
    ["1,5", "1-5"],
    ["¬active", "active"],
    ["approve ❌", "approve ✅"],
    ["a→b", "ab"],
    ["कि", "की"],
    ["$ref", "ref"],
    ["!recursive", "recursive"],
    ["-recursive", "recursive"],
    ["~recursive", "recursive"],
  ])("by a sign, %s and %s do not either", (one, other) => {
    expect(foldName(one)).not.toBe(foldName(other));
  });

  test("words", () => {
    expect(wordsOf("minPrice_inEUR2")).toEqual(["min", "price", "in", "eur2"]);
  });

  test.each([
    ["selctor", "selector"],
    ["temprature", "temperature"],
    ["fliter_date", "filter_date"],
    ["folderr_path", "folder_path"],
    ["descrption", "description"],
    ["precipipitation", "precipitation"],
    ["recieve_at", "receive_at"],
  ])("%s is a slip for %s", (wrong, right) => {
    expect(isTypo(wrong, right)).toBe(true);
  });

  test.each([
    ["min_price", "max_price"],
    ["date", "data"],
    ["inactive", "active"],
    ["async", "sync"],
    ["unauthorized", "authorized"],
    ["decrease", "increase"],
    ["file1", "file2"],
    ["user_id", "uses_id2"],
    ["v1", "v2"],
    ["cat", "car"],
    ["import", "export"],
    ["altitude", "latitude"],
    ["!recursiv", "recursive"],
  ])("%s is no slip for %s", (wrong, right) => {
    expect(isTypo(wrong, right)).toBe(false);
  });

  test.each([
    ["payer", "payee"],
    ["employee", "employer"],
    ["lessor", "lessee"],
    ["hypotension", "hypertension"],
    ["nitrite", "nitrate"],
    ["human", "humane"],
    ["form_date", "from_date"],
    ["county", "country"],
    ["trial", "trail"],
    ["dairy", "diary"],
    ["complet", "complete"],
    ["factor", "factory"],
    ["file_pathh", "file_path"],
    ["plan", "plane"],
    ["breath_rate", "breathe_rate"],
    ["director", "directory"],
    ["deliver", "delivery"],
    ["archive", "archived"],
    ["inventor", "inventory"],
    ["country", "county"],
    ["kilobits", "kilobytes"],
    ["tmprature", "temperature"],
    ["selctr", "selector"],
  ])("%s is another word than %s, or more than one slip", (wrong, right) => {
    expect(isTypo(wrong, right)).toBe(false);
  });

  test.each([
    ["spaces", " "],
    ["points", "."],
    ["quotes", '"'],
    ["dashes", "-"],
    ["dashes and spaces", "- "],
    ["capitals", "aB"],
  ])("a name with a run of %s in it is folded in linear time", (_, sign) => {
    const time = (length: number) => {
      const name = `x${sign.repeat(length)}y`;
      const start = process.cpuUsage();
      foldName(name);
      wordsOf(name);
      isTypo(name, "selector");
      const { user, system } = process.cpuUsage(start);
      return user + system;
    };
    time(1_000);
    // A quadratic fold of a million signs takes minutes.
    expect(time(1_000_000)).toBeLessThan(2_000_000);
  });

  test.each([
    ["ID", "id"],
    ["imageURL", "image_url"],
    ["SKU", "sku"],
    ["e-mail_address", "e_mail_address"],
    ["sign-in", "signIn"],
  ])("%s and %s are one name", (one, other) => {
    expect(isSameName(one, other)).toBe(true);
  });

  test.each([
    ["power_mW", "power_MW"],
    ["Mb", "MB"],
    ["dose_Mg", "dose_mg"],
    ["re-sign", "resign"],
    ["co-op", "coop"],
    ["Maße", "Masse"],
    ["sınır", "sinir"],
  ])("%s and %s are two, as case, hyphens and marks are letters there", (one, other) => {
    expect(isSameName(one, other)).toBe(false);
  });
});
