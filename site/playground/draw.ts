import type {
  ExplainedStep,
  JsonValue,
  Repair,
  RepairExplanation,
  RepairResult,
} from "toolmend/core";
import { element } from "./element.ts";

/** The longest text shown of one value, in characters. */
const LONGEST = 5_000;

/** What a step is called. */
const STEPS: Readonly<Record<ExplainedStep["step"], string>> = {
  read: "Model",
  schema: "Schema",
  fixer: "Fixer",
  edit: "Repair",
  level: "Level",
  result: "Result",
};

/** Draws what came of it: a word, the input that is run or what the model is told. */
export function drawVerdict(result: RepairResult): readonly HTMLElement[] {
  if (!result.ok) {
    const { reason, candidates = [] } = result.error;
    return [
      element("p.word.refused", "Refused", element("span", reason.replaceAll("_", " "))),
      element("p.note", "The tool is not run. The model can be told:"),
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
    element("p.note", "The tool is run with:"),
    element("pre.code", show(toolInput)),
    ...undeclared.map((path) =>
      element("p.note", `${cut(path)} is not declared: the tool may not hear it.`),
    ),
  ];
}

/** Draws the steps, each repair with its record. */
export function drawSteps({ steps, result }: RepairExplanation): readonly HTMLElement[] {
  const records = [...result.repairs];
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
