// Lints prose; part of `npm run check`: every page in Markdown, and the comments and test names of
// `CODE`. Inline code, examples and tables of code are left out. Fails on a banned construction, and on
// a page with a sentence that is too long to read in one breath.
//
//   node scripts/check-prose.mjs [FILE…]
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** The code that is linted. */
const CODE = /^(?:(?:__tests__|bench|examples|compat|scripts|site|src)\/.*|[^/]+)\.(?:ts|mjs)$/;

/** Pages made from docstrings or by the benchmark. */
const LEFT_OUT = /^docs\/reference\/|RESULTS/;
const MOST_WORDS = 40;

/** A block comment, a run of line comments, or the name of a test. */
const SPOKEN =
  /\/\*\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*(?:\n\s*\/\/.*)*|(?<=\b(?:test|describe)(?:\.\w+)*\(\s*|\)\(\s*)(["`]).*?[^\\]\1/gm;

/** Stilted constructions and private vocabulary, and what to write. */
const BANNED = [
  [
    /\b(?:is|are|was|were|be|been|being|gets?) (?:told|heard|heeded)\b(?! apart)/,
    "say who reports what to whom",
  ],
  [/\b(?:told of|told once|told by|heard of|hears? of)\b/, "reported, receives"],
  [/\bof (?:yours|mine|one's own)\b/, "your, its, before the noun"],
  [/\bone (?:can|cannot|may|must|has to)\b|\bone's\b/, "you can, you must"],
  [/\b(?:whoever|whatever|whosoever|somebody|nobody|what else|whichever)\b/i, "name who or what"],
  [/\bas (?:it|they) (?:is|are|was|were|stands?)(?=[.,;:)]|$)/, "unchanged"],
  [/\b(?:of|by|in|to|from|for) which\b/, "two sentences, or where, whose, that"],
  [
    /\b(?:whereby|wherein|therein|thereof|therefrom|hence|thus|herein|anew|afresh|besides|stead)\b/,
    "plain words",
  ],
  [/\b(?:is|are|was|were) to (?:be|become|have|do|say)\b/, "must, should, will, or the present"],
  [
    /\b(?:mend(?:s|ed|ing)?|heed(?:s|ed|ing)?|strays?|melts?|hand(?:s|ed)? (?:on|over)|made right|put right|way in(?! which))\b/,
    "repair, apply, undeclared, merge, pass, entry",
  ],
  [/\b(?:(?:all|anything|everything|nothing) that|what) there (?:is|are)\b/, "all, none"],
  [/\bthere (?:is|are) (?:none|not|no others?)\b/, "say what is missing"],
  [
    /\b(?:in order to|utili[sz]e|in case of|with regard to|due to the fact)\b/i,
    "to, use, if, about, because",
  ],
  [/\b(?:simply|obviously|of course|easily|basically|just works)\b/i, "leave it out"],
  [/\b(?:e\.g\.|i\.e\.)/, "for example, that is"],
  [
    /(?:^|[.:;] )(?:Of|To|By) (?:a|an|the|all|each|what|these|those|such)\b[^.]*\b(?:is|are) \w+ed\b/,
    "subject first",
  ],
  [/\bwhere (?:there|it) is not\b|\bwhere that\b/, "if, unless"],
  [/\b(?:refuse[sd]|refusing|unfixable)\b/, "reject, as GLOSSARY.md says"],
];

/** The prose of a file, and the line that each piece begins in: a page, a comment, or a test name. */
function* proseOf(file, text) {
  if (file.endsWith(".md")) yield [pageOf(text), 1];
  else
    for (const { 0: found, index } of text.matchAll(SPOKEN))
      yield [
        found
          .replace(/@example[\s\S]*?(?=\n\s*\* @|$)/, "")
          .replace(/^\s*(?:\/\*\*|\*\/|\*|\/\/)|\*\/$|^["`]|["`]$/gm, "")
          .replace(/`[^`\n]*`/g, "code"),
        text.slice(0, index).split("\n").length,
      ];
}

/** A page without front matter, fenced or inline code, comments and links' targets. */
function pageOf(text) {
  const blank = (found) => found.replace(/[^\n]/g, " ");
  return text
    .replace(/```[\s\S]*?```|<!--[\s\S]*?-->|<code>[\s\S]*?<\/code>|^ {4}.*$/gm, blank)
    .replace(/`[^`\n]*`/g, "code")
    .replace(/\]\([^)]*\)/g, "]");
}

/** Sentences with the line that they begin in. A row of a table, an item and a heading are sentences by themselves. */
function* sentencesOf(prose, first) {
  let line = first;
  for (const block of prose.split(/(?<=\n)(?=\s*(?:\n|[-*|#]|\d+\. ))/)) {
    let at = line;
    for (const sentence of block.split(/(?<=[.:;?!] )|(?<=[.:;?!]\n)|\|/)) {
      yield [sentence.trim(), at];
      at += sentence.split("\n").length - 1;
    }
    line += block.split("\n").length - 1;
  }
}

const tracked = execFileSync("git", ["ls-files"], { encoding: "utf8" }).split("\n");
const all = tracked.filter(
  (file) => CODE.test(file) || (/\.md$/.test(file) && !LEFT_OUT.test(file)),
);
const files = process.argv.length > 2 ? process.argv.slice(2) : all;
let count = 0;
const report = (file, line, fault) => {
  count += 1;
  console.error(`${file}:${line}: ${fault}`);
};
for (const file of files) {
  for (const [prose, first] of proseOf(file, readFileSync(file, "utf8"))) {
    for (const [sentence, line] of sentencesOf(prose, first)) {
      for (const [pattern, advice] of BANNED) {
        const found = pattern.exec(sentence.replace(/\s+/g, " "));
        if (found !== null) report(file, line, `"${found[0].slice(0, 60)}": ${advice}`);
      }
      const words = sentence.split(/\s+/).length;
      if (file.endsWith(".md") && words > MOST_WORDS)
        report(file, line, `${words} words in a sentence`);
    }
  }
}
if (count > 0) process.exitCode = 1;
