import {
  hasMixedCase,
  hasOtherBreaks,
  hasSameCase,
  lettersOf,
  mayDifferByCase,
} from "../../words/names.ts";
import { wordIn } from "../bare-text.ts";
import { choiceOf, inputsFor, object } from "../cases.ts";
import { choicesLike, choicesOf } from "../choices.ts";
import type { EditSpec, ValueEdit } from "../rule.ts";
import type { ValueWant } from "../types.ts";

export const respellChoice: ValueEdit = {
  name: "respell-choice",
  level: "safe",
  cost: 1,
  isRespelling: true,
  types: ["string"],
  propose({ value, node }) {
    const word = wordIn(value);
    if (word === undefined) return [];
    const choices = choicesOf(node);
    // Without its quotes it is one of them.
    const alike = choices.texts.includes(word)
      ? [word]
      : choicesLike(word, choices);
    return alike.map((after) => ({
      after,
      why: "the same but for case or separators",
    }));
  },
  unless: {
    "the only choice, in capitals, must be typed exactly": (_, { node }) => {
      const { texts } = choicesOf(node);
      const [choice = ""] = texts;
      return texts.length < 2 && /^\P{Ll}*\p{Lu}{3}\P{Ll}*$/u.test(choice);
    },
    "the choice has no break there": ({ after }, at) =>
      hasOtherBreaks(written(at), String(after)),
    "case tells short words of the choices apart": ({ after }, at) => {
      if (hasSameCase(written(at), String(after))) return false;
      const areCased = choicesOf(at.node).texts.some(hasMixedCase);
      return areCased || mayDifferByCase(written(at), String(after));
    },
    "case counts in a word of up to two letters": ({ after }, at) =>
      lettersOf(String(after)).length < 3 && !hasCaseOf(at, String(after)),
    "case counts beside other signs": ({ after }, at) =>
      OTHER_SIGN.test(String(after)) && !hasCaseOf(at, String(after)),
  },
};

/** A sign that parts no words: `HH:mm`, `-d`, `C++`, but not `full-time`. */
const OTHER_SIGN = /^[.-]|[^\p{L}\p{M}\p{N}\s_.-]/u;

function written({ value }: ValueWant): string {
  return wordIn(value) ?? "";
}

/**
 * Whether a text has a choice's case, or writes in small letters what all
 * choices write in capitals.
 */
function hasCaseOf(at: ValueWant, meant: string): boolean {
  const text = written(at);
  if (hasSameCase(text, meant)) return true;
  const { texts } = choicesOf(at.node);
  if (text !== text.toLowerCase()) return false;
  return texts.every((choice) => choice === choice.toUpperCase());
}

export function respellChoiceSpec(): EditSpec {
  const sizes = choiceOf("S", "M", "L", "XL");
  return {
    does: "Text that equals exactly one choice but for case and separators becomes that choice. Case counts in a choice of up to two letters, and beside other signs (`HH:mm`, `-d`), unless small letters stand for choices that are all capitals (`xl`); it also counts where any choice mixes case in a word of up to four letters (`mW`, `kHz`, but not `High`). A space or hyphen must stand where the choice has a break (`in active` is not `inactive`). Accents count.",
    example: {
      schema: object({
        size: sizes,
        unit: choiceOf("degrees_celsius", "kelvin"),
      }),
      input: { size: "xl", unit: "Degrees Celsius" },
      after: { size: "XL", unit: "degrees_celsius" },
    },
    witnesses: {
      "the only choice, in capitals, must be typed exactly": {
        schema: object({ confirm: choiceOf("DELETE") }),
        input: { confirm: "delete" },
      },
      "the choice has no break there": {
        schema: object({ state: choiceOf("active", "inactive") }),
        input: { state: "in active" },
      },
      "case tells short words of the choices apart": {
        schema: object({ unit: choiceOf("kHz", "MHz") }),
        input: { unit: "mhz" },
      },
      "case counts in a word of up to two letters": {
        schema: object({ grade: choiceOf("a", "B") }),
        input: { grade: "b" },
      },
      "case counts beside other signs": {
        schema: object({ flag: choiceOf("-quiet", "-verbose") }),
        input: { flag: "-Verbose" },
      },
    },
    notFor: [
      ...inputsFor(object({ size: sizes }), { size: "XL?" }, { size: "not L" }),
      {
        schema: object({ power: choiceOf("mW", "kW") }),
        input: { power: "MW" },
      },
      {
        schema: object({ format: choiceOf("HH:mm", "HH:mm:ss") }),
        input: { format: "HH:MM" },
      },
      { schema: object({ size: sizes }), input: { size: "extra large" } },
      {
        schema: object({ day: choiceOf("mañana", "hoy") }),
        input: { day: "manana" },
      },
      {
        schema: object({ dose: choiceOf("dose_5mg", "dose_9mg") }),
        input: { dose: "dose_.5mg" },
      },
    ],
  };
}
