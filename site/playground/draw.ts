import type { JsonValue, Repair, RepairResult } from "toolmend/core";
import { element } from "./element.ts";

/** The longest text shown of one value, in characters. */
const LONGEST = 5_000;

type Step = NonNullable<RepairResult["steps"]>[number];

/** The name of a step. */
const STEPS: Readonly<Record<Step["step"], string>> = {
  read: "Model",
  schema: "Schema",
  fixer: "Fixer",
  edit: "Repair",
  objection: "Not made",
  level: "Level",
  result: "Result",
};

/** Draws the outcome: a word, and the input that runs or the message for the model. */
export function drawVerdict(result: RepairResult): readonly HTMLElement[] {
  const fault = result.steps?.find(
    ({ step, says }) =>
      step === "schema" && says.startsWith("/") && !says.includes("is not declared"),
  );
  const bare =
    fault === undefined
      ? []
      : [element("p.note", `Without toolmend, the schema rejects it: ${cut(fault.says)}`)];
  if (!result.ok) {
    const { reason, candidates = [] } = result.error;
    return [
      element("p.word.refused", "Rejected", element("span", reason.replaceAll("_", " "))),
      ...bare,
      element("p.note", "The tool is not run. The model reads:"),
      element("pre.code", cut(result.error.toModelMessage())),
      ...candidates.map((candidate) => element("p.note", `It could mean ${cut(candidate)}`)),
    ];
  }
  const { repairs, undeclared, toolInput } = result;
  const isTouched = repairs.length > 0;
  const count = repairs.length === 1 ? "1 repair" : `${repairs.length} repairs`;
  return [
    isTouched
      ? element("p.word.repaired", "Repaired", element("span", count))
      : element("p.word.valid", "Valid", element("span", "not touched")),
    ...bare,
    element("p.note", "The tool is run with:"),
    element("pre.code", show(toolInput)),
    ...undeclared.map((path) =>
      element("p.note", `${cut(path)} is not declared: the tool may ignore it.`),
    ),
  ];
}

/** Draws the steps, each repair with its record. */
export function drawSteps({ steps = [], repairs }: RepairResult): readonly HTMLElement[] {
  const records = [...repairs];
  return steps.map(({ step, says }) => {
    const record = step === "edit" ? records.shift() : undefined;
    const what = record === undefined ? [element("p", cut(says))] : drawRecord(record);
    return element(`li.${step}`, element("b", STEPS[step]), element("div", ...what));
  });
}

function drawRecord({ fixer, path, before, after, level, reason }: Repair): HTMLElement[] {
  const place = path === "" ? "the whole input" : path;
  return [
    element(
      "p",
      element("code", fixer),
      element("span.tag", level),
      " at ",
      element("code", place),
    ),
    element(
      "div.change",
      element("pre.code.before", element("span.hidden", "before: "), show(before)),
      element("pre.code.after", element("span.hidden", "after: "), show(after)),
    ),
    ...(reason === undefined ? [] : [element("p.note", cut(reason))]),
  ];
}

function show(value: JsonValue | undefined): string {
  return value === undefined ? "(nothing)" : cut(JSON.stringify(value, null, 2));
}

function cut(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}
