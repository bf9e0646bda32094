import { expect, test } from "@jest/globals";
import { longestFor } from "#src/repair/schema/longest-for.ts";

test.each([
  "(a+)+$",
  "^(a|a)*$",
  "^(a|aa)+$",
  "(x+x+)+y",
  "^(?:\\w*)*!$",
  "(a?){20}a{20}",
  "^(.*)\\1$",
  "((ab)*c?)*",
  "(?:[a-z.]+\\.)+",
])("%s may double its work with each letter, and is run on short texts only", (source) =>
  expect(longestFor(source)).toBeLessThanOrEqual(20),
);

test.each([
  "^\\d{4}-\\d{2}$",
  "^[a-f0-9]{8}(?:-[a-f0-9]{4}){3}$",
  "^(a|b)$",
  "^x?y?$",
  "[+*]",
  "\\(\\+\\)",
])("%s repeats nothing without an end, and is run on any text", (source) =>
  expect(longestFor(source)).toBe(Number.POSITIVE_INFINITY),
);

test.each([
  "^[a-z]+$",
  "^(?:[a-z0-9]+\\.)+[a-z]{2,}$",
  "^/[^/]+(?:/[^/]+)*$",
  "^[^@\\s]+@[^@\\s]+\\.[a-z]+$",
])("%s is run on texts of an ordinary length", (source) => {
  expect(longestFor(source)).toBeGreaterThan(100);
  expect(longestFor(source)).toBeLessThan(20_000);
});
