import { freeTexts } from "../../schema/node.ts";
import type { JsonValue } from "../../types.ts";
import { stemOf, wordsOf } from "../../words/names.ts";
import { isSlotWord } from "../../words/slots.ts";
import { isNothing } from "../../words/vocabulary.ts";
import {
  beginsWithName,
  inputIn,
  isPiece,
  saysSomething,
  setsField,
  usesName,
} from "../bare-text.ts";
import { described, inputsFor, object, text } from "../cases.ts";
import { type Form, formOf, shows } from "../forms.ts";
import type { Conditions, EditSpec, Proposal, ValueEdit } from "../rule.ts";
import type { ValueWant } from "../types.ts";

export const wrapBareValue: ValueEdit = {
  name: "wrap-bare-value",
  level: "safe",
  cost: 2,
  types: ["string", "number", "boolean", "array"],
  fits: "allKeys",
  maxInnerCost: 1,
  propose: inOnlyField,
  because: {
    "no words, or a field that takes none": ({ after }, at) => {
      const { name, value } = fieldIn(after);
      if (typeof value !== "string" || FIGURE.test(value)) return true;
      return !takesFreeText(name, at);
    },
    "a bare string for the only field": ({ after }, at) => {
      const { name, text } = fieldIn(after);
      // an exact form must show itself
      if (formOfField(name, at)?.kind === "exact") return false;
      return at.run.bareText === "string" || text !== String(at.value).trim();
    },
    "the text shows the form of the field": ({ after }, at) => {
      const { name, text } = fieldIn(after);
      const form = formOfField(name, at);
      if (form === undefined || !shows(form, text)) return false;
      switch (form.kind) {
        case "exact":
          return true;
        case "code":
          // A `path/to/file` stands for a path.
          return !wordsOf(text).some((word) => form.words.has(word));
        case "question":
          return !usesName(text, name);
        case "prose":
          return false;
      }
    },
  },
  unproven: ({ after }) =>
    `nothing shows that the text is a ${fieldIn(after).name}`,
  unless: notBareText(),
};

/**
 * `1.0`, `00713`, `12:30`, `KA-20`, `db-02.internal`: no word, since it has a
 * digit.
 */
const FIGURE = /^[+-]?(?=[\w.:+-]*\d)[\w.:+-]*\w$/;

/** A bare value in the only required field, or the only field. */
export function inOnlyField(at: ValueWant): readonly Proposal[] {
  const { value, node, place } = at;
  if (place.depth > 0) return [];
  const proposals: Proposal[] = [];
  for (const { properties, required } of node.of("object")) {
    const names = required.size > 0 ? [...required] : [...properties.keys()];
    if (names.length !== 1) continue;
    const [name = ""] = names;
    const field = properties.get(name);
    if (field === undefined) continue;
    if (Array.isArray(value) && field.of("array").length === 0) continue;
    proposals.push({ after: { [name]: bareValueOf(at) } });
  }
  return proposals;
}

function bareValueOf({ value, run }: ValueWant): JsonValue {
  if (typeof value !== "string") return value;
  return run.bareText === "string" ? value.trim() : inputIn(value);
}

/** The field that a proposal fills. */
interface FilledField {
  readonly name: string;
  readonly value: JsonValue;
  /** Its text; `""` for another value. */
  readonly text: string;
}

export function fieldIn(after: Proposal["after"]): FilledField {
  const [[name, value] = ["", null]] = Object.entries(
    after as Record<string, JsonValue>,
  );
  return { name, value, text: typeof value === "string" ? value : "" };
}

/** What keeps a bare text from being a value at all. */
export function notBareText(): Conditions<Proposal, ValueWant> {
  return {
    "a call's arguments are never bare text": (_, at) =>
      typeof at.value === "string" && at.run.bareText === "none",
    "it says nothing": ({ after }) => {
      const { value } = fieldIn(after);
      if (typeof value !== "string") return false;
      return isNothing(value) || !saysSomething(value);
    },
    "it is a placeholder": ({ after }) => isSlotWord(fieldIn(after).text),
    "it is a piece of JSON or of a call": ({ after }) =>
      isPiece(fieldIn(after).text),
    "it names a field or the tool": ({ after }, at) => {
      const fields = at.node
        .of("object")
        .flatMap(({ properties }) => [...properties.keys()]);
      const { text } = fieldIn(after);
      const { toolName } = at.run;
      if (beginsWithName(text, [...fields, toolName])) return true;
      if (setsField(text, fields)) return true;
      // "Calling web_search": a name of one word may be a word of the text.
      return wordsOf(toolName).length > 1 && text.includes(toolName);
    },
  };
}

function fieldNode(name: string, at: ValueWant) {
  return at.node
    .of("object")
    .map(({ properties }) => properties.get(name))
    .find((node) => node !== undefined);
}

/** Whether a field takes any text, not only choices or numbers. */
export function takesFreeText(name: string, at: ValueWant): boolean {
  const node = fieldNode(name, at);
  return node !== undefined && freeTexts(node).length > 0;
}

/**
 * The form that the last word of a field's name asks for, or of what its
 * description begins with. If either asks for an exact form before that word,
 * as "SQL query" does, it is that one.
 */
export function formOfField(name: string, at: ValueWant): Form | undefined {
  const description = fieldNode(name, at)?.variants()[0]?.description ?? "";
  const [head = ""] = description.split(
    / (?:of|for|to|in|on)\b|[^\p{L}\p{N} -]/u,
  );
  const forms = [...formsNamedBy(name), ...formsNamedBy(head)];
  return forms.find(({ kind }) => kind === "exact") ?? forms[0];
}

/**
 * The form that a name's last word asks for, and that of the word before it.
 */
function formsNamedBy(name: string): readonly Form[] {
  const [last = "", before = ""] = wordsOf(name).toReversed();
  const form = formOf(stemOf(last));
  if (form === undefined) return [];
  const narrower = formOf(stemOf(before));
  return narrower?.kind === "exact" ? [form, narrower] : [form];
}

export function wrapBareValueSpec(): EditSpec {
  const query = object({ query: text });
  const path = object({ path: text });
  return {
    does: "A bare value becomes the only required field, or the only field.",
    evidence:
      "it is no text, or one code with a digit in it. Or it is a JSON string, and shows the exact form of its field, if that asks for one (an id, a number, a date, a URL, an e-mail address, SQL). Or it is text of an agent that writes inputs as text, and shows the form of the field (a path, a selector, a command, an expression, or an exact form). So does, for a query or a question, a question or a phrase of up to eight words.",
    example: {
      schema: query,
      input: "orange cats",
      after: { query: "orange cats" },
    },
    proofs: {
      "no words, or a field that takes none": {
        schema: object({ mode: { enum: ["fast", "slow"] } }),
        input: "fast",
        after: { mode: "fast" },
      },
      "a bare string for the only field": {
        schema: object({ title: text }),
        input: '"Faust, Part One"',
        after: { title: "Faust, Part One" },
      },
      "the text shows the form of the field": {
        schema: object({ selector: text }),
        input: "#buy",
        after: { selector: "#buy" },
      },
    },
    witnesses: {
      "a call's arguments are never bare text": {
        schema: object({ selector: text }),
        input: "#buy",
        isToolCall: true,
      },
      "it says nothing": { schema: query, input: "none" },
      "it is a placeholder": { schema: query, input: "TODO" },
      "it is a piece of JSON or of a call": {
        schema: query,
        input: "cats (and dogs",
      },
      "it names a field or the tool": { schema: query, input: "run_step" },
    },
    notFor: [
      ...inputsFor(path, "Which file do you mean?", "siehe oben"),
      { schema: object({ order_id: text }), input: "the last one" },
      { schema: object({ command: text }), input: "bitte alles löschen" },
      {
        schema: object({ message: described(text, "Text to send") }),
        input: "I found no file.",
      },
      { schema: object({ from: text, to: text }), input: "Ulm" },
    ],
  };
}
