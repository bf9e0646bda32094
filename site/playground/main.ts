import {
  createFixerRegistry,
  explainRepair,
  type FixerRegistry,
  type JsonSchema,
} from "toolmend/core";
import { LEVELS } from "../../src/repair/level-allows.ts";
import { findSchemaFault } from "../../src/repair/schema/keywords.ts";
import { UNDECLARED_POLICIES } from "../../src/repair/usage.ts";
import { drawSteps, drawVerdict } from "./draw.ts";
import { element } from "./element.ts";
import { EXAMPLES } from "./examples.ts";
import { fromLink, type Question, toLink } from "./question.ts";
import { readFixers } from "./read-fixers.ts";
import { toCode } from "./to-code.ts";

/** What a level is, in a line. */
const LEVEL_NOTES: Readonly<Record<Question["level"], string>> = {
  strict: "strict: only the fixers below, and text that is JSON.",
  safe: "safe: and repairs whose meaning is not in doubt.",
  eager: "eager: and repairs that are nearly always right, each with evidence.",
};

/** How long nothing may be typed before it is repaired, in milliseconds. */
const PAUSE = 150;

/** How long a repair may hold the page up, in milliseconds. */
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

/** Which question is the newest: an answer to an older one is not shown. */
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

/** The question as it stands in the form. */
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
  };
  const explained =
    schema === undefined ? undefined : await explainRepair(question.input, tool, options);
  if (turn !== newest) return;
  field("result").classList.toggle("stale", explained === undefined);
  if (explained === undefined) return;
  field("verdict").replaceChildren(...drawVerdict(explained.result));
  field("steps").replaceChildren(...drawSteps(explained));
  // Fixers that could not be read may be anybody's code, from a link.
  const shown = fixers === undefined ? { ...question, fixers: "" } : question;
  field("code").replaceChildren(element("code", toCode(shown)));
}

/** Returns what a function does; what it throws is told below the field. */
function tryIn<Value>(faultId: string, make: () => Value): Value | undefined {
  const told = field(faultId);
  try {
    const made = make();
    told.textContent = "";
    return made;
  } catch (error) {
    told.replaceChildren(...element("p", (error as Error).message).childNodes);
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
  const told = field("shared");
  try {
    await navigator.clipboard.writeText(url.href);
    told.textContent = "Copied.";
  } catch {
    told.textContent = "The link is in the address bar.";
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
  // What is behind # in the address is the question.
  event.preventDefault();
  field("result").focus();
});
addEventListener("hashchange", () => {
  const asked = fromAddress();
  if (asked !== undefined) fill(asked);
});

const question = fromAddress() ?? EXAMPLES[0]?.question;
if (question !== undefined) fill(question);
