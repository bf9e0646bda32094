import type { InputEvent, Repair } from "toolmend";
import { judge, type Outcome, show, type Verdict } from "./outcome.ts";
import type { WrappedAgentOutcome } from "./run-agent-scenario.ts";
import type { WrappedOutcome } from "./run-scenario.ts";
import type { Scenario } from "./scenarios.ts";
import type { Row, StyledLine } from "./table.ts";
import { OWN_CODE } from "./web-fixers.ts";

type NameRepair = NonNullable<Extract<InputEvent, { kind: "call" }>["nameRepair"]>;

/** The mark of an outcome, by its verdict. */
export const MARKS = {
  "as meant": { mark: "✓", style: "green" },
  "asked again": { mark: "↻", style: "cyan" },
  threw: { mark: "✗", style: "red" },
  "silently wrong": { mark: "!", style: "yellow" },
} as const satisfies Record<Verdict, object>;

/** A scenario as a row: the model's output, and its outcome bare and wrapped. */
export function toRow(scenario: Scenario, bare: Outcome, wrapped: WrappedOutcome): Row {
  return [
    [
      { text: scenario.name, style: "bold" },
      ...scenario.calls.map(({ tool, args }) => ({
        text: `${tool} ${args}`.replaceAll("\n", "\n  "),
      })),
    ],
    outcomeLines(scenario, bare),
    [
      ...outcomeLines(scenario, wrapped),
      ...wrapped.steps.flatMap(({ action }) => changes(action)).map(changeLine),
    ],
  ];
}

/** A scenario in createAgent as a row, in short. */
export function toShortRow(scenario: Scenario, bare: Outcome, wrapped: WrappedAgentOutcome): Row {
  const changeLines = wrapped.events
    .flatMap((event) => (event.kind === "call" ? changes(event) : []))
    .map(changeLine);
  return [
    [{ text: scenario.name, style: "bold" }],
    outcomeLines(scenario, bare),
    [...outcomeLines(scenario, wrapped), ...changeLines],
  ];
}

/** A change as a line: a star marks the application's own code, a point toolmend's. */
function changeLine(change: string): StyledLine {
  const mark = usesOwnCode(change) ? "*" : "·";
  return { text: `  ${mark} ${change}`, style: "dim" };
}

/** Whether a change was made by a fixer or handler of the application. */
export function usesOwnCode(change: string): boolean {
  const [fixer = ""] = change.split(" at /");
  return OWN_CODE.has(fixer);
}

/** The events of a run, with the mark of the verdict before the first line. */
function outcomeLines(scenario: Scenario, outcome: Outcome): StyledLine[] {
  const { verdict, faults } = judge(scenario, outcome);
  const { mark, style } = MARKS[verdict];
  const happened = [
    ...outcome.ran.map((run) => `ran ${show(run)}`),
    ...(outcome.ran.length === 0 && outcome.threw === undefined && verdict !== "asked again"
      ? ["ran nothing"]
      : []),
    ...(outcome.threw === undefined ? [] : describe(outcome.threw)),
    ...faults,
    ...(verdict === "as meant" && scenario.mustSay !== undefined
      ? outcome.answers.map(answerLine)
      : []),
  ];
  return happened.map((text, index) => ({ text: `${index === 0 ? mark : " "} ${text}`, style }));
}

/** The class of an error, and the core of its message. */
function describe(error: Error): string[] {
  const heart = error.message.match(/✖ (?:Invalid input: )?(.*)/)?.[1];
  return [`threw ${error.constructor.name}`, heart ?? error.message.split(/[.\n]/)[0] ?? ""];
}

/** The error that the model got; of several lines, the one with the fault. */
function answerLine(text: string): string {
  const heart = text.split("\n").find((line) => line.startsWith("- ")) ?? text;
  return `told the model: ${heart.replace(/^- /, "")}`;
}

/** The repairs and their fixers. */
export function changes({
  repairs,
  nameRepair,
}: {
  readonly repairs: readonly Repair[];
  readonly nameRepair?: NameRepair | undefined;
}): string[] {
  const renamed = nameRepair ? [`tool name ${nameRepair.before} → ${nameRepair.after}`] : [];
  const changed = repairs.map(({ fixer, path }) => (path === "" ? fixer : `${fixer} at ${path}`));
  return [...renamed, ...changed];
}
