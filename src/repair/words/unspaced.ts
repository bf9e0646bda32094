/** Scripts that write no space between words. */
const UNSPACED_SCRIPTS = [
  "Han",
  "Hiragana",
  "Katakana",
  "Thai",
  "Lao",
  "Khmer",
  "Myanmar",
];

/** Whether a text is in a script that writes no space between words. */
export function isUnspaced(text: string): boolean {
  unspaced ??= new RegExp(
    UNSPACED_SCRIPTS.map((name) => `\\p{Script=${name}}`).join("|"),
    "u",
  );
  return unspaced.test(text);
}

/** Made when it is used: a class of scripts takes milliseconds to compile. */
let unspaced: RegExp | undefined;
