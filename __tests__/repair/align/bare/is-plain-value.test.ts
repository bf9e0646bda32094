import { describe, expect, test } from "@jest/globals";
import { isPlainValue } from "../../../../src/repair/align/bare/is-plain-value.ts";

function isPlain(text: string, name: string, keys: readonly string[] = []): boolean {
  const field = { name, description: "", keys: [name, ...keys], toolName: "find_offers" };
  return isPlainValue(text, field);
}

const plain: Readonly<Record<string, readonly string[]>> = {
  selector: [
    "#buy",
    ".btn-primary",
    "button",
    'a[href="/cart"]',
    "a[href='/cart']",
    'a[title="x"]:hover',
    "div > span:nth-child(2)",
    "ul li:not(.done) a::before",
    ":root",
    "*",
    "text=Add to basket",
    'role=button[name="Buy"]',
    '//div[@class="price"]/span[1]',
    "//a[contains(text(), 'Next')]",
    "input[type=email]",
  ],
  query: [
    "SELECT * FROM orders",
    "SELECT name, total\nFROM orders\nWHERE status = 'open' AND total > 10\nORDER BY total;",
    "SELECT 'O''Brien'",
    "UPDATE t SET a = 1 WHERE b < 3;",
    'project = "ABC" AND status = Open',
    "how do I reset my password?",
    "What's the weather in Rome?",
    "red shoes",
    '"red shoes" -blue',
    "label:bug is:open",
    'label:"good first issue"',
    "cats & dogs",
    "C++ tutorial",
    "café près de moi",
    "天气 北京",
    '27" monitor under $300',
    "rock 'n' roll",
    "dogs' toys",
    "best 5' desk",
    "not working printer",
    "cannot connect to server",
    "why can't I log in",
    "no tomatoes recipe",
    "I feel tired all the time",
    "error: module not found",
    "list (all)",
    "call centre jobs",
    "input devices",
  ],
  command: [
    "ls -la",
    "grep -E '^(a|b' notes.txt",
    'echo "hello world" | wc -c',
    "x=1 make test",
    "cat $HOME/.bashrc",
    'for f in *.txt; do echo "$f"; done',
    'git commit -m "Don\'t panic"',
    "awk '{print $1}' data.csv",
    "cd /tmp && rm -rf build",
    "find . -name '*.ts' -exec wc -l {} +",
    "cut -d ',' -f 2 data.csv",
  ],
  path: [
    "/etc/hosts",
    "C:\\Users\\me\\notes.txt",
    "src/index.ts",
    ".",
    "..",
    "/",
    "~/notes (old).md",
    "./a b.txt",
  ],
  url: ["https://example.com/?q=a&b=[1]#top", "mailto:ada@example.com", "localhost:3000"],
  pattern: ["^\\d+$", '^"[^"]*"$', "[(]\\w+[)]", "(?:a|b)+", "\\bfoo\\(", "a{1,3}"],
  code: [
    "x = 1",
    'print("hi")',
    "const total = items.length;",
    "def f(a):\n    return a + 1",
    "for i in range(3): print(i)",
    "f(a=1)",
    "=SUM(A1:A3)",
  ],
  email: ["ada@example.com"],
  amount: ["42", "-3.5", "1,234.50 €"],
  date: ["2026-11-21", "21 Nov 2026, 10:30", "2024-10-18T18:35:22Z"],
  city: ["Paris", "St. John's", "New York, NY", "Saint-Étienne (Loire)"],
  message: [
    "I'll be there at 5.",
    "See you tomorrow :)",
    "Dear Ada,\n\nthe parcel has arrived. I can't pick it up today.\n\nBest,\nBob",
    "Don't forget the milk!",
    "Your order has shipped.",
    "Let me know when it's done",
    "Thanks a lot 👍",
    "Options: 1) tea 2) coffee",
    'She said "hello" and left.',
    "👍",
    "Meeting at 10:30, room 4 (second floor)",
  ],
};

describe("what is plainly a value", () => {
  const cases = Object.entries(plain).flatMap(([field, texts]) =>
    texts.map((text) => [field, text] as const),
  );
  test.each(cases)("%s: %j", (field, text) => {
    expect(isPlain(text, field)).toBe(true);
  });
});

const fragments = [
  'a", "r": "b"}',
  'a", "r": "b',
  '", "r": "b"',
  "a', 'r': 'b'}",
  "a', 'r': 'b'",
  '("query": "a")',
  '(query="a")',
  '"query": "a"',
  'query: "a"',
  "query: a",
  "query = a",
  'query = "a"',
  '$query = "a"',
  'let query = "a";',
  "const query = `a`",
  "--query a",
  "-query=a",
  'query "a"',
  "- query: a\n- limit: 5",
  "Query: tents\nLimit: 5",
  'dict(query="a")',
  "dict(query='a')",
  "Map(query: a)",
  'find_offers("tents")',
  "find_offers(query='tents')",
  "find_offers tents",
  "FindOffers(query=tents)",
  "find_offers",
  "query",
  "<query>",
  "$query",
  "{query}",
  "%query%",
  "}",
  "]",
  '"',
  "'",
  "...",
  "…",
  "?",
  "-",
  '"tents',
  'tents"',
  "'tents",
  "tents',",
  "tents}",
  "tents]",
  "tents)",
  "(tents",
  "tents,",
  "tents:",
  ', "limit": 5',
  ": tents",
  "search(tents",
  "{tents",
  "tents\\",
  "'tents'",
  "`tents`",
  "“tents”",
];

const scaffold = [
  "Thought: I need tents",
  "Action: find_offers",
  "Action: find_offers\nAction Input: tents",
  "Action Input: tents",
  "Observation: 5 tents",
  "Final Answer: tents",
  "**Thought:** tents",
  "tents\nObservation: 5 found",
  "assistant: tents",
  "User: tents",
  "Human: tents",
  "Tool: find_offers",
  "Reasoning: tents are cheap",
  "Step 1: find tents",
  "<think",
  "<think>tents",
  "tents</think>",
  "<tool_call",
  "<tool_call>tents</tool_call>",
  "tents <tool_ca",
  "<|im_start|>tents",
  "tents<|im_end|>",
  "[INST] tents [/INST]",
  "``",
  "```",
  "```json",
  "``json",
  "Here is the JSON",
  "Here is the JSON:",
  "Sure! Here is the input you asked for",
  "Here are the arguments",
  "I will call the tool",
  "Calling the tool with these arguments",
  "JSON output",
];

const refusals = [
  "I'm sorry, I can't help with that.",
  "I’m sorry, but that is not allowed.",
  "I am unable to do this.",
  "I cannot assist with that request.",
  "I can't.",
  "I won't run this command.",
  "I don't know.",
  "I do not have access to that.",
  "I must decline.",
  "We are not able to proceed.",
  "Unfortunately, I cannot do this.",
  "Sorry, that's not possible.",
  "Apologies, this went wrong",
  "My apologies",
  "As an AI language model, I have no preferences",
  "As a language model I lack a body",
  "That looks dangerous. I won't do it.",
  "Unable to comply with this request",
  "I need more information",
  "Could you please clarify?",
  "Please provide a location",
  "What would you like to look for?",
  "No tool call is needed",
  "The user did not say what to look for",
  "Nothing to do",
  "I refuse to look this up",
  "It is not possible to do this",
  "Lo siento, no puedo ayudar",
  "Es tut mir leid, das geht nicht",
  "Je suis désolé",
  "申し訳ありません",
  "对不起，我不能",
];

const intentions = [
  "I'll look for tents",
  "Let me search",
  "I need to find tents",
  "I will now click it",
];

const nothing = [
  "",
  "  ",
  "N/A",
  "none",
  "None.",
  "null",
  "unknown",
  "(unknown)",
  "TODO",
  "TBD",
  "not specified",
  "not provided",
  "No query",
  "your query",
  "Your query here",
  "YOUR_QUERY",
  "insert query here",
  "string",
  "<string>",
  "placeholder",
];

describe("what is no value, or not plainly one", () => {
  const cases = [...fragments, ...scaffold, ...refusals, ...intentions, ...nothing];
  test.each(cases)("%j", (text) => {
    expect(isPlain(text, "query", ["limit"])).toBe(false);
  });

  test.each([
    ...scaffold,
    ...refusals.filter((text) => text !== "That looks dangerous. I won't do it."),
  ])("not even as a message: %j", (text) => {
    expect(isPlain(text, "message")).toBe(false);
  });

  test.each(["city = Rome", "location=Rome", "city: Rome", "get_place('Rome')"])(
    "a field that takes no code: %j",
    (text) => {
      expect(isPlain(text, "place", ["city"])).toBe(false);
    },
  );
});

test("takes time linear in the length", () => {
  const hard = [
    "(",
    "'",
    '"',
    "a'",
    "a=",
    "I ",
    "\n",
    "- a: b\n",
    "'a' ",
    "[",
    "\\",
    "<a",
    "A".repeat(4),
  ];
  const started = performance.now();
  for (const part of hard) isPlain(part.repeat(200_000 / part.length), "query");
  expect(performance.now() - started).toBeLessThan(3_000);
});
