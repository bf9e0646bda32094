// Writes src/repair/align/names/near-words.ts: node scripts/words/near-words.mjs WORDS.txt
// WORDS.txt has one word a line: SCOWL, sizes 10 to 50, American (https://wordlist.aspell.net, free to use and copy).
import { readFileSync, writeFileSync } from "node:fs";

/** Bits for each word, and how many of them are set: one text in four hundred is taken for one of these. */
const [BITS, HASHES] = [13, 8];
const ROWS = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];

/** What a word may end in without its last letter: there, none is taken for lost. */
const ENDING = /(?:ed|er|or|ee|s)$/;

const words = new Set(
  readFileSync(process.argv[2], "utf8")
    .split("\n")
    .filter((word) => /^[a-z]{4,}$/.test(word)),
);

/** Words that one slip of the keyboard makes of another word. */
const near = new Set();
for (const word of words) {
  for (let at = 1; at < word.length; at++) {
    const [before, letter, next, after] = [
      word.slice(0, at),
      word[at],
      word[at + 1],
      word.slice(at + 1),
    ];
    if (after !== "" || (before.length >= 6 && !ENDING.test(word))) add(before + after);
    add(before + letter + letter + after);
    if (next !== undefined && next !== letter) add(before + next + letter + after.slice(1));
    for (const beside of neighboursOf(letter)) {
      add(before + beside + letter + after);
      if (after !== "") add(before + letter + beside + after);
    }
    if (letter === "c") add(`${before}s${after}`);
    if (letter === "s") add(`${before}c${after}`);
  }

  function add(slip) {
    if (words.has(slip) && slip !== word && slip !== `${word}s`) near.add(slip);
  }
}

// Neither a key nor a choice is misspelt into a plural or a superlative.
const listed = [...near].filter((word) => !/(?:s|est)$/.test(word)).sort();
const size = Math.ceil((listed.length * BITS) / 8);
const filter = new Uint8Array(size);
for (const word of listed) {
  for (const bit of bitsOf(word)) filter[bit >> 3] |= 1 << (bit & 7);
}

writeFileSync(
  "src/repair/align/names/near-words.ts",
  `// Made by scripts/words/near-words.mjs of ${listed.length} words from SCOWL (Copyright 2000-2024 Kevin Atkinson).
/** A Bloom filter of words that one slip makes of another word, as base64: "county", "trial", "casual". */
export const NEAR_WORDS =
  "${Buffer.from(filter).toString("base64")}";

/** How many bits of the filter each word sets. */
export const HASHES = ${HASHES};
`,
);
console.log(listed.length, "words,", size, "bytes");

function neighboursOf(letter) {
  const row = ROWS.find((keys) => keys.includes(letter)) ?? "";
  const at = row.indexOf(letter);
  return [row[at - 1], row[at + 1]].filter((beside) => beside !== undefined);
}

function* bitsOf(word) {
  let [one, other] = [0x811c9dc5, 0];
  for (const letter of word) {
    one = Math.imul(one ^ letter.charCodeAt(0), 0x01000193) >>> 0;
    other = (Math.imul(other, 31) + letter.charCodeAt(0)) >>> 0;
  }
  for (let index = 0; index < HASHES; index++) {
    yield ((one + Math.imul(index, other | 1)) >>> 0) % (size * 8);
  }
}
