import { createFixerRegistry, type FixerRegistry, repairToolInput } from "toolmend/core";
import type { JsonSchema } from "#src/repair/types.ts";
import { LEVELS } from "../../src/repair/edit-switches.ts";
import { findSchemaFault } from "../../src/repair/schema/part.ts";
import { drawSteps, drawVerdict } from "./draw.ts";
import { element } from "./element.ts";
import { EXAMPLES } from "./examples.ts";
import { fromLink, type Question, toLink, UNDECLARED_POLICIES } from "./question.ts";
import { readFixers } from "./read-fixers.ts";
import { toCode } from "./to-code.ts";

/** A level, described in a line. */
const LEVEL_NOTES: Readonly<Record<Question["level"], string>> = {
  strict: "strict: only the fixers below, and text that is JSON.",
  safe: "safe: and repairs whose meaning is not in doubt.",
  eager: "eager: and repairs that are nearly always right, each with evidence.",
};

/** The delay after the last keystroke before a repair, in milliseconds. */
const PAUSE = 150;

/** The time limit of a repair, which blocks the page, in milliseconds. */
const LIMITS = { timeoutMs: 5_000 };

const texts = {
  input: field<HTMLTextAreaElement>("input"),
  schema: field<HTMLTextAreaElement>("schema"),
  fixers: field<HTMLTextAreaElement>("fixers"),
  name: field<HTMLInputElement>("name"),
};
const undeclared = field<HTMLSelectElement>("undeclared");
const example = field<HTMLSelectElement>("example");
const radios = LEVELS.map((level) => {
  const radio = document.createElement("input");
  return Object.assign(radio, { type: "radio", name: "level", value: level });
});

/** The number of the newest question: an answer to an older one is not shown. */
let newest = 0;
let pause: ReturnType<typeof setTimeout> | undefined;

function field<Kind extends HTMLElement>(id: string): Kind {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no ${id}.`);
  return found as Kind;
}

function option(title: string, value: string): HTMLOptionElement {
  return Object.assign(document.createElement("option"), { textContent: title, value });
}

/** Puts a question into the form, and answers it. */
function fill(question: Question): void {
  for (const name of ["input", "schema", "fixers", "name"] as const) {
    texts[name].value = question[name];
  }
  undeclared.value = question.undeclared;
  for (const radio of radios) radio.checked = radio.value === question.level;
  void answer(question);
}

/** The question in the form. */
function read(): Question {
  return {
    input: texts.input.value,
    schema: texts.schema.value,
    fixers: texts.fixers.value,
    name: texts.name.value || "tool",
    level: LEVELS.find((_, index) => radios[index]?.checked) ?? "safe",
    undeclared: UNDECLARED_POLICIES.find((one) => one === undeclared.value) ?? "repair",
  };
}

async function answer(question: Question): Promise<void> {
  newest += 1;
  const turn = newest;
  const link = toLink(question);
  const known = EXAMPLES.findIndex((one) => toLink(one.question) === link);
  example.value = String(known);
  field("level-note").textContent = LEVEL_NOTES[question.level];
  const schema = tryIn("schema-fault", () => readSchema(question.schema));
  const fixers = tryIn("fixers-fault", () => readFixers(question.fixers, question.name));
  const tool = { name: question.name, schema };
  const options = {
    level: question.level,
    undeclaredKeys: question.undeclared,
    limits: LIMITS,
    fixers: fixers ?? (createFixerRegistry() as FixerRegistry),
    explain: true,
  };
  const explained =
    schema === undefined ? undefined : await repairToolInput(question.input, tool, options);
  if (turn !== newest) return;
  field("result").classList.toggle("stale", explained === undefined);
  if (explained === undefined) return;
  field("verdict").replaceChildren(...drawVerdict(explained));
  field("steps").replaceChildren(...drawSteps(explained));
  // Fixers with errors may come from a link, and so from anyone.
  const shown = fixers === undefined ? { ...question, fixers: "" } : question;
  field("code").replaceChildren(element("code", toCode(shown)));
}

/** Returns a function's result; an error is shown below the field. */
function tryIn<Value>(faultId: string, make: () => Value): Value | undefined {
  const note = field(faultId);
  try {
    const made = make();
    note.textContent = "";
    return made;
  } catch (error) {
    note.replaceChildren(...element("p", (error as Error).message).childNodes);
    return undefined;
  }
}

function readSchema(text: string): JsonSchema {
  let schema: unknown;
  try {
    schema = JSON.parse(text);
  } catch (error) {
    throw new TypeError(`This is not JSON: ${(error as Error).message}`, { cause: error });
  }
  const fault = findSchemaFault(schema);
  if (fault !== undefined) throw new TypeError(`This is not a JSON Schema: ${fault}`);
  return schema as JsonSchema;
}

async function share(): Promise<void> {
  const url = new URL(location.href);
  url.hash = toLink(read());
  history.replaceState(null, "", url);
  const note = field("shared");
  try {
    await navigator.clipboard.writeText(url.href);
    note.textContent = "Copied.";
  } catch {
    note.textContent = "The link is in the address bar.";
  }
}

function fromAddress(): Question | undefined {
  return fromLink(location.hash.slice(1));
}

example.append(
  option("your own", "-1"),
  ...EXAMPLES.map(({ title }, index) => option(title, String(index))),
);
undeclared.append(...UNDECLARED_POLICIES.map((policy) => option(policy, policy)));
field("level").append(
  ...radios.map((radio) => element("label", radio, element("span", radio.value))),
);

field("question").addEventListener("submit", (event) => event.preventDefault());
field("question").addEventListener("input", () => {
  clearTimeout(pause);
  pause = setTimeout(() => {
    history.replaceState(null, "", `#${toLink(read())}`);
    field("shared").textContent = "";
    void answer(read());
  }, PAUSE);
});
example.addEventListener("change", () => {
  const chosen = EXAMPLES[Number(example.value)];
  if (chosen === undefined) return;
  history.replaceState(null, "", `#${toLink(chosen.question)}`);
  fill(chosen.question);
});
field("share").addEventListener("click", () => void share());
field("skip").addEventListener("click", (event) => {
  // The part of the address after # is the question.
  event.preventDefault();
  field("result").focus();
});
addEventListener("hashchange", () => {
  const asked = fromAddress();
  if (asked !== undefined) fill(asked);
});

const question = fromAddress() ?? EXAMPLES[0]?.question;
if (question !== undefined) fill(question);
