import { describe, expect, test } from "@jest/globals";
import { readPythonCall } from "#src/repair/read/read-tool-input.ts";
import { readingOf } from "../../../support/repair/read/reading-of.ts";

/** The name of a call and its arguments as JSON; `undefined` for no call. */
function callIn(text: string): string | undefined {
  const call = readPythonCall({ text, at: 0 });
  return call && call.name + call.args.text;
}

describe("a call whose arguments are literals is read", () => {
  test.each<[text: string, call: string]>([
    ['find(query="x")', 'find{"query":"x"}'],
    [' find (\n query = "x" )', 'find{"query":"x"}'],
    ["find(query='x', limit=5,)", 'find{"query":"x","limit":5}'],
    ["find(a=1 , b=2)", 'find{"a":1,"b":2}'],
    ['find(query="x", tags=[])', 'find{"query":"x","tags":[]}'],
    ["a.b-c(x=1)", 'a.b-c{"x":1}'],
    ["_find2(x=1)", '_find2{"x":1}'],
    ["find()", "find{}"],
    ["find( )", "find{}"],
    ["find(a=True, b=False, c=None)", 'find{"a":true,"b":false,"c":null}'],
    ["find(a=true, b=null)", 'find{"a":true,"b":null}'],
    ["find(a=(1, 2), b=(1,), c=[1, 2,])", 'find{"a":[1,2],"b":[1],"c":[1,2]}'],
    ["find(a={'b': ('x', [True])})", 'find{"a":{"b":["x",[true]]}}'],
    ["find(a={'b': 1,})", 'find{"a":{"b":1}}'],
    [`find(a="it's", b='say "x"')`, String.raw`find{"a":"it's","b":"say \"x\""}`],
    [String.raw`find(a="\x41\n\u00e9")`, String.raw`find{"a":"A\né"}`],
    // numbers as written
    ["find(a=3.10, b=-5, c=1e5, d=1.0)", 'find{"a":3.10,"b":-5,"c":1e5,"d":1.0}'],
    ["find(id=12345678901234567890)", 'find{"id":12345678901234567890}'],
    ["find(a=1, a=1)", 'find{"a":1,"a":1}'],
    // one argument without a name
    ["find({'query': 'x'})", 'find{"query":"x"}'],
    ["find({'query': 'x'} , )", 'find{"query":"x"}'],
    ["find([1, 2] )", "find[1,2]"],
    ["find((1, 2))", "find[1,2]"],
    ["find('x')", 'find"x"'],
    ["find(5)", "find5"],
  ])("%j", (text, call) => {
    expect(callIn(text)).toBe(call);
  });

  test.each<[text: string, end: number]>([
    ["f(a=1)(b=2)", 6],
    ["f(a=1) and more", 6],
    ["f('x' , ) and more", 9],
    ["f([1]) and more", 6],
  ])("%s ends at %i", (text, end) => {
    expect(readPythonCall({ text, at: 0 })?.end).toBe(end);
  });

  test("it is read at its place", () => {
    expect(readPythonCall({ text: "f(1); g(a=2)", at: 5 })).toMatchObject({ name: "g", end: 12 });
    expect(readPythonCall({ text: "f(1); g(a=2)", at: 4 })).toBeUndefined();
  });
});

describe("a call with anything else is not read", () => {
  test.each([
    // a variable, an expression, another call
    "find(query=wish)",
    "find(query=f())",
    "find(a=1/6)",
    "find(a='x' + 'y')",
    "find(a={b: 1})",
    "find(a=f'{x}')",
    // arguments whose names are unknown
    "find(1, 2)",
    "find('a', b=1)",
    "find(a=1, 'b')",
    "find('a',,)",
    // an argument twice, or a key
    "find(a=1, a=2)",
    "find({'a': 1, 'a': 2})",
    "find(a={'b': 1, 'b': 2})",
    // words, numbers and quotes that Python does not have
    "find(a=TRUE)",
    "find(a=undefined)",
    "find(a=007)",
    "find(a=+5)",
    "find(a=.5)",
    "find(a=1.)",
    "find(a=1_000)",
    "find(a=0x1F)",
    "find(a=“x”)",
    String.raw`find(a="\/")`,
    // other signs
    "find(a: 1)",
    "find('a'=1)",
    "find(a={'b' = 1})",
    "find(a={1: 2})",
    "find(a=1; b=2)",
    "find(a=[1;2])",
    "find(a=[1 2])",
    "find(a=['x' 'y'])",
    "find(a=1，b=2)",
    "find(a=1,,b=2)",
    "find(,a=1)",
    "find(a='x'b='y')",
    "find(a='x' b='y')",
    "find(a=(1))",
    "find(a=1, # the first\nb=2)",
    // brackets that are open, or another's
    "find(a=1, b=2",
    "find(a=1]",
    "find(a=[1)",
    "find([1]",
    "find(a=",
    "find(a",
    "find(",
    "find",
    "5f(a=1)",
    "-f(a=1)",
  ])("%s", (text) => {
    expect(callIn(text)).toBeUndefined();
  });
});

describe("a text that is a call of its own tool is its arguments", () => {
  const read = (text: string) => readingOf(text, { level: "safe", toolName: "find_offers" });
  const value = { query: "x" };

  test.each([
    'find_offers(query="x")',
    "FindOffers(query='x') ;\n",
    "function.find_offers(query='x')",
    "functions.find_offers(query='x')",
    "tool.find_offers(query='x')",
    "tools.find_offers(query='x')",
    "```\nfind_offers(query='x')\n```",
    "```py\nfind_offers(query='x')\n```",
    "```python\nfind_offers(\n  query='x'\n)\n```",
    "```tool_code\nfind_offers(query='x')\n```",
    "```js\nfind_offers({'query': 'x'});\n```",
    "```javascript\nfind_offers({'query': 'x'})\n```",
  ])("%j", (text) => {
    expect(read(text)).toEqual({ value });
  });

  test("a number with more digits than it holds becomes a text", () => {
    const text = "find_offers(id=12345678901234567890)";
    expect(read(text)).toEqual({ value: { id: "12345678901234567890" } });
  });

  test.each([
    "delete_all(query='x')",
    "my.find_offers(query='x')",
    "functions.functions.find_offers(query='x')",
    "xfunctions.find_offers(query='x')",
    "find_offers(query='x');;",
    "find_offers(query='x') and more",
    "find_offers('x')",
    "find_offers([1, 2])",
    "```ruby\nfind_offers(query='x')\n```",
    "```python\nfind_offers(query='x')\n``` it is",
    "Use ```\nfind_offers(query='x')\n```",
    "```python find_offers(query='x')\n```",
  ])("not %j", (text) => {
    expect(read(text)).not.toHaveProperty("value");
  });

  test("a call of a tool without a name is not read", () => {
    expect(readingOf("f(a=1)", { level: "safe" })).toBe("text");
  });
});
