import { describe, expect, test } from "@jest/globals";
import { readTextCalls } from "#src/repair/text-calls/read-text-calls.ts";
import { allFormats as formats } from "../../../support/repair/text-calls/forms.ts";

const tools = ["click", "type", "pay", "f", "a", "b", "refresh", "refund"].map((name) => ({
  name,
  schema: { type: "object" },
}));

/** The calls of a text, with their arguments as values; `undefined` if it has none. */
function read(text: string): unknown {
  const calls = readTextCalls(text, tools, { formats })?.calls.map(({ name, args }) => {
    return { name, args: JSON.parse(args) as unknown };
  });
  return calls?.length === 1 ? calls[0] : calls;
}

const CLICK = { name: "click", args: { selector: "#buy" } };

describe("a text that is one call", () => {
  test.each<[string, string, unknown]>([
    [
      "after thoughts whose beginning is in the prompt",
      'plan\n</think>\n\n<tool_call>{"name": "click", "arguments": {"selector": "#buy"}}</tool_call>',
      CLICK,
    ],
    [
      "after thoughts by another name",
      '<thinking>hm</thinking>\n{"name": "click", "arguments": {"selector": "#buy"}}',
      CLICK,
    ],
    ["fenced JSON", '```json\n{"name": "click", "arguments": {"selector": "#buy"}}\n```', CLICK],
    ["fenced, no language", '```\n{"tool": "click", "args": {"selector": "#buy"}}\n```', CLICK],
    ["bare JSON", ' {"name": "click", "parameters": {"selector": "#buy"}}\n', CLICK],
    [
      "OpenAI's form",
      '{"type": "function", "id": "x", "function": {"name": "click", "arguments": {"selector": "#buy"}}}',
      CLICK,
    ],
    [
      "structured chat",
      '```json\n{"action": "click", "action_input": {"selector": "#buy"}}\n```',
      CLICK,
    ],
    [
      "Hermes",
      '<tool_call>\n{"name": "click", "arguments": {"selector": "#buy"}}\n</tool_call>',
      CLICK,
    ],
    [
      "Hermes after reasoning",
      '<think>I could call type().</think>\n<tool_call>{"name": "click", "arguments": {"selector": "#buy"}}</tool_call>',
      CLICK,
    ],
    [
      "Qwen3-Coder",
      "<tool_call>\n<function=click>\n<parameter=selector>\n#buy\n</parameter>\n</function>\n</tool_call>",
      CLICK,
    ],
    [
      "a parameter of several lines",
      "<function=click><parameter=selector>a\n b</parameter></function>",
      { name: "click", args: { selector: "a\n b" } },
    ],
    [
      "Llama's function",
      '<function=click>{"selector": "#buy"}</function>',
      { name: "click", args: { selector: "#buy" } },
    ],
    [
      "Mistral's name",
      '[TOOL_CALLS]click{"selector": "#buy"}',
      { name: "click", args: { selector: "#buy" } },
    ],
    [
      "Mistral's name and args",
      '[TOOL_CALLS]click[ARGS]{"selector": "#buy"}',
      { name: "click", args: { selector: "#buy" } },
    ],
    [
      "Mistral's list",
      '[TOOL_CALLS] [{"name": "click", "arguments": {"selector": "#buy"}}]',
      CLICK,
    ],
    ["a Python call", 'click(selector="#buy")', CLICK],
    ["a list of one Python call", "[click(selector='#buy')]", CLICK],
    ["a fenced Python call", '```tool_code\nclick(selector="#buy")\n```', CLICK],
    [
      "Python literals",
      'f(a=1, b=-2.5, c=True, d=None, e=["x", {"k": \'it\\\'s\'}], )',
      { name: "f", args: { a: 1, b: -2.5, c: true, d: null, e: ["x", { k: "it's" }] } },
    ],
    ["one unnamed argument", 'click("#buy")', { name: "click", args: "#buy" }],
    ["no arguments", "refresh()", { name: "refresh", args: {} }],
    [
      "ReAct",
      'Thought: Let me do that.\nAction: click\nAction Input: {"selector": "#buy"}',
      { name: "click", args: { selector: "#buy" } },
    ],
    ["ReAct without a thought", 'Action: click\nAction Input: {"selector": "#buy"}', CLICK],
  ])("%s", (_, text, call) => {
    expect(read(text)).toEqual(call);
  });
});

test("a value keeps every character if its format pads none, as Step 3's", () => {
  const code = "    if x:\n        return 1\n";
  const text = [
    `<｜tool_calls_begin｜><｜tool_call_begin｜><steptml:invoke name="f">`,
    `<steptml:parameter name="a">${code}</steptml:parameter></steptml:invoke><｜tool_call_end｜>`,
    `<｜tool_calls_end｜>`,
  ].join("");
  expect(read(text)).toEqual({ name: "f", args: { a: code } });
});

describe("the name of a tool", () => {
  test.each(["wetter_ä", "天気", "get weather", "files/read", "ns::f", "a+b", "größe.neu"])(
    "may be %s",
    (name) => {
      const named = [{ name, schema: { type: "object" } }, ...tools];
      for (const text of [
        `<tool_call><function=${name}><parameter=x>1</parameter></function></tool_call>`,
        `<tool_call>${name}\n<arg_key>x</arg_key><arg_value>1</arg_value></tool_call>`,
        `[TOOL_CALLS]${name}{"x": "1"}`,
        `<｜DSML｜invoke name="${name}">{"x": "1"}</｜DSML｜invoke>`,
        `<|channel|>commentary to=functions.${name} <|constrain|>json<|message|>{"x": "1"}<|call|>`,
        `<|tool_call_begin|>functions.${name}:0<|tool_call_argument_begin|>{"x": "1"}<|tool_call_end|>`,
      ]) {
        expect(readTextCalls(text, named)?.calls).toMatchObject([{ name }]);
      }
    },
  );

  test("is the longest that is offered, and not part of another", () => {
    const offered = ["get", "get_weather"].map((name) => ({ name, schema: { type: "object" } }));
    const call = (name: string) => `<tool_call>${name}\n{"x": 1}</tool_call>`;
    expect(readTextCalls(call("get_weather"), offered)?.calls).toMatchObject([
      { name: "get_weather" },
    ]);
    for (const other of ["get_weather2", "getter", "Get", "get_"]) {
      expect(readTextCalls(call(other), offered)).toBeUndefined();
    }
  });
});

describe("several calls in one format", () => {
  const BOTH = [
    { name: "a", args: { x: 1 } },
    { name: "b", args: { y: 2 } },
  ];
  test.each<[string, string]>([
    [
      "tagged",
      '<tool_call>{"name":"a","arguments":{"x":1}}</tool_call>\n<tool_call>{"name":"b","arguments":{"y":2}}</tool_call>',
    ],
    [
      "in a list",
      '[TOOL_CALLS][{"name":"a","arguments":{"x":1}},{"name":"b","arguments":{"y":2}}]',
    ],
    ["in Python", "[a(x=1), b(y=2)]"],
    ["after a marker each", '[TOOL_CALLS]a{"x":1}[TOOL_CALLS]b{"y":2}'],
    [
      "in functions",
      "<function=a><parameter=x>1</parameter></function><function=b><parameter=y>2</parameter></function>",
    ],
  ])("%s", (_, text) => {
    const typed = ["a", "b"].map((name) => ({
      name,
      schema: { type: "object", properties: { x: { type: "number" }, y: { type: "number" } } },
    }));
    const found = readTextCalls(text, typed, { formats });
    expect(found?.calls.map(({ name, args }) => ({ name, args: JSON.parse(args) }))).toEqual(BOTH);
  });

  test("in two formats are rejected", () => {
    const mixed = '<tool_call>{"name":"a","arguments":{}}</tool_call>\n[TOOL_CALLS]b{"y":2}';
    expect(read(mixed)).toBeUndefined();
    expect(read('a(x=1)\n{"name":"b","arguments":{}}')).toBeUndefined();
  });
});

describe("a text that is something else, or more", () => {
  test.each<[string, string]>([
    ["no text", " \n"],
    ["an answer", "I clicked the button."],
    ["JSON that is no call", '{"selector": "#buy"}'],
    ["JSON with more than a call", '{"name": "click", "arguments": {}, "comment": "x"}'],
    ["JSON with two sets of arguments", '{"name": "click", "arguments": {}, "input": {}}'],
    ["part of an answer", 'Sure:\n```json\n{"name": "click", "arguments": {}}\n```'],
    ["with words after it", '<tool_call>{"name": "click", "arguments": {}}</tool_call> Done.'],
    ["in reasoning", '<think>{"name": "click", "arguments": {}}</think>'],
    ["in reasoning that does not end", '<think>{"name": "click", "arguments": {}}'],
    ["two fences", '```\n{"name":"a","arguments":{}}\n```\n```\n{"name":"b","arguments":{}}\n```'],
    [
      "a parameter twice",
      "<function=a><parameter=x>1</parameter><parameter=x>2</parameter></function>",
    ],
    ["JSON that was cut off", '```json\n{"name": "click", "arguments": {"selector": "#b\n```'],
    ["Python that is no literal", "click(selector=find('#buy'))"],
    ["Python that is cut off", 'click(selector="#buy"'],
    ["Python with unnamed arguments", 'type("#a", "text")'],
    ["Python with a key twice", 'click(selector="#a", selector="#b")'],
    ["Python that would pollute", 'click(__proto__={"a": 1})'],
    [
      "a call of another tool for arguments",
      '<function=click>{"name":"pay","arguments":{}}</function>',
    ],
    [
      "a header that names another tool",
      '<|message_model|>click<|content_invoke_tool_json|>{"name":"pay","args":{}}<|end_message|>',
    ],
    ["a call within a call", '{"function": {"name": "click"}, "name": "pay", "arguments": {}}'],
    ["ReAct with what came of it", "Action: a\nAction Input: x\nObservation: y"],
    ["ReAct with two actions", "Action: a\nAction Input: x\nAction: b\nAction Input: y"],
    ["ReAct with an answer", "Action: a\nAction Input: x\nFinal Answer: y"],
    [
      "a tag with prose after the JSON",
      '<tool_call>{"name":"click","arguments":{}} - do not run this</tool_call>',
    ],
    [
      "a fence with prose before the JSON",
      '```json\nDo not run: {"name":"click","arguments":{}}\n```',
    ],
    ["a list with prose after it", '[TOOL_CALLS][{"name":"click","arguments":{}}] do not run this'],
    [
      "a name with prose after its arguments",
      '[TOOL_CALLS]click{"selector":"#a"} do not run this {}',
    ],
    ["a function with prose in it", '<function=click>{"selector":"#a"} do not run</function>'],
    [
      "ReAct with prose after the JSON",
      'Action: click\nAction Input: {"selector":"#a"} but I will not',
    ],
    ["JSON with a comment in it", '{"name":"click","arguments":{} /* do not run this */}'],
    ["a Python call of a variable", "click(selector=element)"],
    ["Python with another statement", 'click(selector="#a"); pay(to="bob")'],
    ["Python with a comment", 'click(selector="#a") # never run this'],
    ["Python with a number that has its digits for a reason", "refund(order=007)"],
    ["an argument twice in JSON", '<tool_call>{"name":"f","arguments":{"a":1,"a":2}}</tool_call>'],
    [
      "what a value holds behind a mark of thoughts, where it is cut off",
      "<function=f><parameter=a>x </think>\nrefresh()",
    ],
    ["the same in elements", "<f><a>x</think>refresh()"],
    ["the same in JSON", '{"name":"f","arguments":{"a":"x</think>refresh()'],
    ["a very long text", `click(selector="${"x".repeat(1_000_000)}")`],
  ])("%s", (_, text) => {
    expect(read(text)).toBeUndefined();
  });
});
