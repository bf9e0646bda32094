import { describe, expect, test } from "@jest/globals";
import { readingOf } from "../../../support/repair/read/reading-of.ts";

const DECLARED = new Set(["query", "city", "a.b-c", "two words", "k".repeat(100), "k".repeat(101)]);

const read = (text: string) =>
  readingOf(text, { level: "safe", declares: (key) => DECLARED.has(key) });

const element = (key: string, value: string) => `<parameter=${key}>${value}</parameter>`;
const named = (name: string, value: string) => `<parameter name="${name}">${value}</parameter>`;
const QUERY = element("query", "tents");

describe("an element for each argument is read", () => {
  test.each<[text: string, args: Record<string, string>]>([
    [QUERY, { query: "tents" }],
    [`${QUERY}${element("city", "Cluj")}`, { query: "tents", city: "Cluj" }],
    [`${QUERY}\n\n  ${element("city", "Cluj")}\n`, { query: "tents", city: "Cluj" }],
    [named("query", "tents"), { query: "tents" }],
    ['<parameter\n name="query" >tents</parameter>', { query: "tents" }],
    ["<parameter=query\n>tents</parameter>", { query: "tents" }],
    [named("two words", "tents"), { "two words": "tents" }],
    [element("a.b-c", "tents"), { "a.b-c": "tents" }],
    [element("k".repeat(100), "x"), { ["k".repeat(100)]: "x" }],
    [named("k".repeat(100), "x"), { ["k".repeat(100)]: "x" }],
    // one line break at each end belongs to the tags
    [element("query", "\ntents\n"), { query: "tents" }],
    [element("query", "\r\ntents\r\n"), { query: "tents" }],
    [element("query", "\n\ntents\n\nfor two\n\n"), { query: "\ntents\n\nfor two\n" }],
    [element("query", " tents "), { query: " tents " }],
    [element("query", ""), { query: "" }],
    // a value is text: the schema says what it stands for
    [element("query", '{"a": 1}'), { query: '{"a": 1}' }],
    [element("query", "<b>tents</b>"), { query: "<b>tents</b>" }],
    // the ends of the tags around them, and of the turn
    [`${QUERY}</invoke>`, { query: "tents" }],
    [`${QUERY}\n</function>\n</tool_call>`, { query: "tents" }],
    [`${QUERY}</invoke></function_calls>`, { query: "tents" }],
    [`${QUERY}<|im_end|>`, { query: "tents" }],
    [`${QUERY}\n</function>\n<|im_end|>\n`, { query: "tents" }],
  ])("%j", (text, value) => {
    expect(read(text)).toEqual({ value });
  });
});

describe("an element with a fault is rejected where it is", () => {
  test.each<[fault: string, marked: string]>([
    ["unknown_element", `→${element("color", "red")}`],
    ["unknown_element", `${QUERY}\n→${element("color", "red")}`],
    ["unknown_element", `${QUERY}→${named("color", "red")}`],
    ["twin_keys", `${QUERY}→${element("query", "huts")}`],
    ["twin_keys", `${QUERY}→${QUERY}`],
    ["wrong_bracket", `<parameter=query>→<parameter=city>Cluj</parameter></parameter>`],
    ["wrong_bracket", `<parameter=query>→tents<parameter name="city">Cluj</parameter>`],
    ["text_behind", `${QUERY} →for two`],
    ["text_behind", `${QUERY}→</b>`],
    ["text_behind", `${QUERY}→</parameter>`],
    ["text_behind", `${QUERY}\n</function>→ more`],
    ["text_behind", `${QUERY}→, ${element("city", "Cluj")}`],
    ["text_behind", `${QUERY}→x<`],
    ["text_behind", `${QUERY}→</tool call`],
    ["text_behind", `${QUERY}→</${"a".repeat(61)}`],
    ["text_behind", `${QUERY}→<parameter name="${"k".repeat(115)}`],
    ["text_behind", `${QUERY}→${element("k".repeat(101), "x")}`],
    ["text_behind", `${QUERY}→${named("k".repeat(101), "x")}`],
  ])("%s: %s", (fault, marked) => {
    expect(read(marked.replace("→", ""))).toEqual({ fault, marked, kind: "value" });
  });
});

describe("an element that the end of the text cuts off is not completed", () => {
  test.each([
    "→<parameter",
    "→<parameter=",
    "→<parameter=que",
    "→<parameter name",
    '→<parameter name="que',
    "→<para",
    "<parameter=query>tents→",
    "<parameter=query>tents</parameter→",
    `${QUERY}→<`,
    `${QUERY}→</`,
    `${QUERY}→</func`,
    `${QUERY}→</${"a".repeat(60)}`,
    `${QUERY}\n</function>→</tool_c`,
    `${QUERY}→<parameter=ci`,
    `${QUERY}→<parameter name="ci`,
    `${QUERY}→<parameter name="${"k".repeat(114)}`,
    `${QUERY}<parameter=city>Cl→`,
  ])("%s", (marked) => {
    const fault = "open_value";
    expect(read(marked.replace("→", ""))).toEqual({ fault, marked, kind: "truncated" });
  });
});

describe("other tags are no arguments", () => {
  test.each([
    "<parameters>tents</parameters>",
    "<b>tents</b>",
    `x${QUERY}`,
    "<parameter>tents</parameter>",
  ])("%s is text", (text) => {
    expect(read(text)).toBe("text");
  });

  test("elements are not read where the fields of the tool are unknown", () => {
    expect(readingOf(QUERY, { level: "safe" })).toMatchObject({ fault: "text_before" });
  });
});
