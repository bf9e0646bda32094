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
  ])("%s and %s fold to the same name", (one, other) => {
    expect(foldName(one)).toBe(foldName(other));
  });

  test.each([
    ["1.5", "15"],
    ["1-5", "15"],
    ["2024-01-01", "20240101"],
  ])("%s and %s fold to different names", (one, other) => {
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
  ])("%s and %s differ by one sign and do not fold to the same name", (one, other) => {
    expect(foldName(one)).not.toBe(foldName(other));
  });

  test("words", () => {
    expect(wordsOf("minPrice_inEUR2")).toEqual(["min", "price", "in", "eur2"]);
  });

  test.each([
    ["selctor", "selector"],
    ["temprature", "temperature"],
    ["dealdine_date", "deadline_date"],
    ["directoryy_path", "directory_path"],
    ["descrption", "description"],
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
  ])("%s is not a typo of %s", (wrong, right) => {
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
    ["contact", "contract"],
    ["filling", "filing"],
    ["martial", "marital"],
    ["precipipitation", "precipitation"],
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
  ])("a name with a run of %s folds in linear time", (_, sign) => {
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
    // A quadratic fold of a million characters takes minutes.
    expect(time(1_000_000)).toBeLessThan(2_000_000);
  });

  test.each([
    ["ID", "id"],
    ["imageURL", "image_url"],
    ["SKU", "sku"],
    ["e-mail_address", "e_mail_address"],
    ["userID", "user_id"],
    ["UserName", "user_name"],
    ["MAX_RESULTS", "maxResults"],
    ["filename", "file_name"],
    ["line2", "line_2"],
    ["sign-in", "signIn"],
  ])("%s and %s are the same name", (one, other) => {
    expect(isSameName(one, other)).toBe(true);
  });

  test.each([
    ["power_mW", "power_MW"],
    ["Mb", "MB"],
    ["dose_Mg", "dose_mg"],
    ["Mm", "mm"],
    ["lat.1", "lat1"],
    ["re-sign", "resign"],
    ["co-op", "coop"],
    ["Maße", "Masse"],
    ["sınır", "sinir"],
  ])("%s and %s differ, since case, hyphens and marks are letters there", (one, other) => {
    expect(isSameName(one, other)).toBe(false);
  });
});
