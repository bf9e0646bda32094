import { isUnspaced } from "../../text.ts";
import { usesName } from "../bare-text.ts";
import { object, text } from "../cases.ts";
import { isPhrase } from "../forms.ts";
import type { EditSpec, ValueEdit } from "../rule.ts";
import {
  fieldIn,
  formOfField,
  inOnlyField,
  notBareText,
  takesFreeText,
} from "./wrap-bare-value.ts";

export const wrapBarePhrase: ValueEdit = {
  name: "wrap-bare-phrase",
  level: "eager",
  cost: 3,
  types: ["string"],
  fits: "allKeys",
  maxInnerCost: 1,
  propose(at) {
    return inOnlyField(at).filter(({ after }) =>
      takesFreeText(fieldIn(after).name, at),
    );
  },
  because: {
    "a phrase for a field of text": ({ after }) =>
      isPhrase(fieldIn(after).text),
  },
  unless: {
    ...notBareText(),
    "the field asks for a form that the text does not show": (
      { after },
      at,
    ) => {
      const kind = formOfField(fieldIn(after).name, at)?.kind;
      return kind !== undefined && kind !== "prose";
    },
    "it uses the field's name, and may speak of it": ({ after }) => {
      const { name, text } = fieldIn(after);
      return usesName(text, name);
    },
    "it begins as a sentence does": ({ after }) =>
      BEGINS_SENTENCE.test(fieldIn(after).text),
    "in a script without spaces it may be a sentence": ({ after }) => {
      const { text } = fieldIn(after);
      return isUnspaced(text) && text.length > 4;
    },
  },
};

/**
 * A capital and small words: `Please wait a moment`, but not `New York City` or
 * `Bad Tölz`.
 */
const BEGINS_SENTENCE = /^\p{Lu}[\p{Ll}'’]*,? [\p{Ll}'’]+ \S/u;

export function wrapBarePhraseSpec(): EditSpec {
  const place = object({ town: text });
  return {
    does: "A bare text of an agent that writes inputs as text becomes the only required text field, or the only one, without a known form.",
    evidence:
      "it is a phrase of up to eight words, no sentence, and does not use the field's own name.",
    example: {
      schema: place,
      input: "New York City",
      after: { town: "New York City" },
    },
    proofs: {
      "a phrase for a field of text": {
        schema: place,
        input: "São Paulo",
        after: { town: "São Paulo" },
      },
    },
    witnesses: {
      "a call's arguments are never bare text": {
        schema: place,
        input: "Ulm",
        isToolCall: true,
      },
      "it says nothing": { schema: place, input: "n/a" },
      "it is a placeholder": { schema: place, input: "TODO" },
      "it is a piece of JSON or of a call": {
        schema: place,
        input: "Ulm (old",
      },
      "it names a field or the tool": { schema: place, input: "run_step" },
      "the field asks for a form that the text does not show": {
        schema: object({ path: text }),
        input: "siehe oben",
      },
      "it uses the field's name, and may speak of it": {
        schema: place,
        input: "no town given",
      },
      "it begins as a sentence does": {
        schema: place,
        input: "Please wait a moment",
      },
      "in a script without spaces it may be a sentence": {
        schema: place,
        input: "我不知道是哪里",
      },
    },
    notFor: [
      { schema: place, input: "It is not known." },
      { schema: object({ from: text, to: text }), input: "Ulm" },
    ],
  };
}
