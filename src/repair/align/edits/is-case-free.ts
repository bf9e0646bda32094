/** The most letters of a code or a unit. */
const MAX_SHORT = 4;

/**
 * Tells whether a choice may be written in another case. Of words it may; of units and codes the
 * case can be the meaning (`mW` and `MW`, `Gb` and `GB`), unless all of them are written in
 * capitals and the input without any.
 *
 * @param text What was written.
 * @param choice What it differs from in case alone.
 * @param choices All that there are.
 */
export function isCaseFree(text: string, choice: string, choices: readonly string[]): boolean {
  const { alike, shorts } = facts.get(choices) ?? gather(choices);
  if (alike.has(choice.toLowerCase())) return false;
  if (!shorts.includes(lettersOf(choice))) return true;
  const letters = lettersOf(choice);
  // `mmol` beside `mol`, `mW` beside `kW`: the first letter is a prefix, and `M` another one.
  const isPrefixed = shorts.some(
    (each) => each !== letters && (isPrefixOf(letters, each) || each.slice(1) === letters),
  );
  if (isPrefixed && text !== choice) {
    const differs =
      lettersOf(text)[0] !== letters[0] || lettersOf(text).slice(1) !== letters.slice(1);
    return !differs || (shorts.every(isUpper) && isLower(lettersOf(text)));
  }
  const areAllShort = shorts.length === choices.length;
  const areCodes = shorts.some((each) => isCode(each) || (areAllShort && isMixed(each)));
  if (!areCodes) return true;
  // `chf` is CHF, but NM is not nm: in capitals, a unit may be another one.
  const written = lettersOf(text);
  // `JSON` is json: no unit is written in three capitals.
  if (shorts.every(isLower) && isUpper(written) && shorts.every((each) => each.length > 2)) {
    return true;
  }
  return shorts.every(isUpper) && written.length > 1 && isLower(written);
}

/** What is asked of a list of choices for each value that is matched with it. */
interface Facts {
  /** In lower case, those that differ in case alone. */
  readonly alike: ReadonlySet<string>;
  /** The letters of the short ones. */
  readonly shorts: readonly string[];
}

const facts = new WeakMap<readonly string[], Facts>();

function gather(choices: readonly string[]): Facts {
  const seen = new Set<string>();
  const alike = new Set<string>();
  for (const choice of choices) {
    const lower = choice.toLowerCase();
    if (seen.has(lower)) alike.add(lower);
    seen.add(lower);
  }
  const letters = choices.map(lettersOf);
  const shorts = letters.filter(({ length }) => length > 0 && length <= MAX_SHORT);
  const gathered = { alike, shorts };
  facts.set(choices, gathered);
  return gathered;
}

function lettersOf(text: string): string {
  return text.replace(/[^\p{L}]/gu, "");
}

/** Whether letters are no word: there is no vowel in them. */
function isCode(letters: string): boolean {
  return /^[a-z]+$/i.test(letters) && (letters.length === 1 || !/[aeiouy]/i.test(letters));
}

function isUpper(letters: string): boolean {
  return letters === letters.toUpperCase();
}

function isLower(letters: string): boolean {
  return letters === letters.toLowerCase();
}

/** Whether two units are the same but for what is before them: `mW`, `kW`, `W`. */
function isPrefixOf(one: string, other: string): boolean {
  return (
    one.length > 1 &&
    (one.slice(1) === other || (one.length < 4 && one.slice(1) === other.slice(1)))
  );
}

/** Neither in one case nor with a capital in front. */
function isMixed(letters: string): boolean {
  return !isUpper(letters) && !isLower(letters) && !isLower(letters.slice(1));
}
