import {
  foldName,
  hasOtherBreaks,
  inFull,
  isPlainName,
  mayDifferByCase,
  wordsOf,
} from "../../words/names.ts";
import { FULL_WORDS } from "../../words/vocabulary.ts";
import { integer, listed, object, text } from "../cases.ts";
import type { Edit, EditSpec, KeyRename } from "../rule.ts";
import type { KeyWant } from "../types.ts";
import { likeKeys, unlessOneOfSeveral } from "./like-keys.ts";

export const respellKey: Edit<KeyRename, KeyWant> = {
  name: "respell-key",
  level: "safe",
  cost: 1,
  isRespelling: true,
  isForIgnored: true,
  propose: (at) =>
    likeKeys(at, (key, declared) =>
      isRespelt(key, declared) ? "" : undefined,
    ),
  unless: {
    ...unlessOneOfSeveral(isRespelt),
    "a short form may stand for another word, too": ({ from, to }, at) =>
      isShortForm(from, to) &&
      at.unknown.some((key) => !hasDeclaredForm(key, at)),
    "the declared key has no break there": ({ from, to }) =>
      hasOtherBreaks(from, to),
    "case tells short words of the names apart": ({ from, to }) =>
      mayDifferByCase(from, to),
  },
};

function isRespelt(key: string, declared: string): boolean {
  const fold = foldName(key);
  if (fold === "") return false;
  return fold === foldName(declared) || isShortForm(key, declared);
}

/**
 * Whether a key is a short form of an absent one, as all of them may be: `lat`
 * and `lon`.
 */
function hasDeclaredForm(key: string, { absent }: KeyWant): boolean {
  return absent.some((name) => isShortForm(key, name));
}

/**
 * Whether two names are one with their short words in full: `cmd`,
 * `target_lang`.
 */
function isShortForm(key: string, declared: string): boolean {
  if (!isPlainName(key) || inFull(key) !== inFull(declared)) return false;
  return wordsOf(key).join() !== wordsOf(declared).join();
}

export function respellKeySpec(): EditSpec {
  return {
    does: `A key that equals exactly one absent key but for case and separators becomes that key. Case counts where either name mixes it in a word of up to four letters (\`power_mW\` is not \`power_MW\`; \`High\` mixes nothing), unless the declared one is all in small letters. A space or hyphen must stand where the declared key has a break (\`re-sign\` is not \`resign\`). Accents count. If all undeclared keys are such, a short form of a word counts as the word: ${listed(FULL_WORDS.keys())}, and \`no\`, \`nr\`, \`num\` at the end of a name.`,
    example: {
      schema: object({ freq_mhz: integer, file_path: text }),
      input: { FreqMHz: 5, filePath: "a.txt" },
      after: { freq_mhz: 5, file_path: "a.txt" },
    },
    witnesses: {
      "that key is there already": {
        schema: object({ selector: text }),
        input: { selector: "#buy", Selector: "#sell" },
      },
      "it is like several declared keys": {
        schema: object({ "user_id?": text, "userid?": text }),
        input: { userID: "7" },
      },
      "another key is like it, too": {
        schema: object({ user_id: text }),
        input: { userId: "7", UserID: "8" },
      },
      "a short form may stand for another word, too": {
        schema: object({ command: text }),
        input: { cmd: "ls", comment: "Lists the files" },
      },
      "the declared key has no break there": {
        schema: object({ resign: text }),
        input: { "re-sign": "now" },
      },
      "case tells short words of the names apart": {
        schema: object({ power_MW: integer }),
        input: { power_mW: 5 },
      },
    },
    notFor: [
      { schema: object({ dose_5: integer }), input: { "dose_.5": 5 } },
      { schema: object({ amount: integer }), input: { "-amount": 5 } },
      {
        schema: object({ file_path: text }),
        input: { old_file_path: "a.txt" },
      },
      { schema: object({ año: integer }), input: { ano: 5 } },
    ],
  };
}
