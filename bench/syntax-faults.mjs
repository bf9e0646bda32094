// Faults of the text, in the form of __tests__/support/faults/catalogue.ts, which has faults of
// values: the model's text is not JSON. The text is split into tokens and joined wrongly.

/** Half of the texts are written in JavaScript's JSON style, half in Python's. */
const SPACED = { ",": ", ", ":": ": " };
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** @param {(tokens: string[], pick: (count: number) => number) => string | undefined} change */
function atTokens(name, change, level = "safe") {
  return {
    name,
    level,
    inject({ input }, pick) {
      const tokens = JSON.stringify(input).match(TOKENS) ?? [];
      const written = pick(2) === 0 ? tokens : tokens.map((token) => SPACED[token] ?? token);
      const raw = change(written, pick);
      if (raw === undefined || raw === written.join("")) return undefined;
      return { raw, meant: level === "never" ? undefined : input };
    },
  };
}

/** Replaces one token, chosen among the matching ones. */
function atOne(name, test, replace, level) {
  return atTokens(
    name,
    (tokens, pick) => {
      const spots = tokens.flatMap((token, index) => (test(token, index, tokens) ? [index] : []));
      if (spots.length === 0) return undefined;
      return tokens.with(spots[pick(spots.length)], replace).join("");
    },
    level,
  );
}

function atEvery(name, test, replace) {
  return atTokens(name, (tokens) =>
    tokens.map((token, index) => (test(token, index, tokens) ? replace(token) : token)).join(""),
  );
}

/** Around the whole text of a non-empty object. */
function around(name, wrap, level) {
  return atTokens(name, (tokens) => (tokens.length > 2 ? wrap(tokens.join("")) : undefined), level);
}

const isString = (token) => token.startsWith('"');
const isKey = (token, index, tokens) => isString(token) && tokens[index + 1]?.startsWith(":");
const isPlainString = (token) => isString(token) && !/[\\'“”]/.test(token);
const isComma = (token) => token.trim() === ",";
const PYTHON = { true: "True", false: "False", null: "None" };

/** @type {readonly import("../__tests__/support/faults/catalogue.ts").Fault[]} */
export const syntaxFaults = [
  atTokens("trailing comma", (tokens) =>
    tokens.length > 2 ? [...tokens.slice(0, -1), ",", "}"].join("") : undefined,
  ),
  atOne("missing comma", isComma, "\n"),
  atOne("semicolon for a comma", isComma, ";"),
  atOne("missing colon", (token) => token.trim() === ":", " "),
  atOne("comment", isComma, ", // --\n"),
  atOne("comment that says something", isComma, ", // and\n", "never"),
  atEvery("single quotes", isPlainString, (token) => `'${token.slice(1, -1)}'`),
  atEvery("curly quotes", isPlainString, (token) => `“${token.slice(1, -1)}”`),
  atEvery("backticks", isPlainString, (token) => `\`${token.slice(1, -1)}\``),
  atEvery(
    "keys without quotes",
    (token, index, tokens) => isKey(token, index, tokens) && /^"[A-Za-z_]\w*"$/.test(token),
    (token) => token.slice(1, -1),
  ),
  atEvery(
    "Python literals",
    (token) => Object.hasOwn(PYTHON, token),
    (token) => PYTHON[token],
  ),
  atEvery(
    "inner quotes not escaped",
    (token) => isString(token) && /\w \\"\w/.test(token),
    (token) => token.replaceAll('\\"', '"'),
  ),
  atEvery(
    "lone backslashes",
    (token) => isString(token) && /\\\\[^\\"/bfnrtu]/.test(token),
    (token) => token.replaceAll("\\\\", "\\"),
  ),
  around("code fence", (text) => `\`\`\`json\n${text}\n\`\`\``),
  around("lead-in before", (text) => `Here is the input:\n${text}`, "eager"),
  around("prose behind", (text) => `${text}\n\nI hope this helps.`, "never"),
  around("thoughts before", (text) => `<think>The user wants {x}.</think>\n${text}`),
  around("doubled braces", (text) => `{${text}}`),
  around("one bracket too many", (text) => `${text}}`),
  around("opening brace missing", (text) => text.slice(1)),
  around("control token behind", (text) => `${text}<|call|>`),
  atTokens(
    "closing brackets missing",
    (tokens) => {
      const end = tokens.findLastIndex((token) => token !== "}" && token !== "]");
      // After a string: a number or a word may itself have been cut off.
      return isString(tokens[end] ?? "") ? tokens.slice(0, end + 1).join("") : undefined;
    },
    "eager",
  ),
  atTokens(
    "list with an ellipsis",
    (tokens) => {
      const end = tokens.findIndex((token, index) => token === "]" && tokens[index - 1] !== "[");
      return end < 0
        ? undefined
        : [...tokens.slice(0, end), ", ...", ...tokens.slice(end)].join("");
    },
    "never",
  ),
];
