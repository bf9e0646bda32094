import type { RepairEvent } from "toolmend";
import { judge, type Outcome, show, type Verdict } from "./outcome.ts";
import type { MendedAgentOutcome } from "./run-agent-scenario.ts";
import type { MendedOutcome } from "./run-scenario.ts";
import type { Scenario } from "./scenarios.ts";
import type { Row, StyledLine } from "./table.ts";

/** What an outcome looks like, by its verdict. */
export const MARKS = {
  "as meant": { mark: "✓", style: "green" },
  "asked again": { mark: "↻", style: "cyan" },
  threw: { mark: "✗", style: "red" },
  "silently wrong": { mark: "!", style: "yellow" },
} as const satisfies Record<Verdict, object>;

/** A scenario as a row: what the model wrote, and what came of it bare and mended. */
export function toRow(scenario: Scenario, bare: Outcome, mended: MendedOutcome): Row {
  return [
    [
      { text: scenario.name, style: "bold" },
      ...scenario.calls.map(({ tool, args }) => ({
        text: `${tool} ${args}`.replaceAll("\n", "\n  "),
      })),
    ],
    outcomeLines(scenario, bare),
    [
      ...outcomeLines(scenario, mended),
      ...mended.steps
        .flatMap(({ action }) => changes(action))
        .map((change) => ({ text: `  · ${change}`, style: "dim" as const })),
    ],
  ];
}

/** A scenario in createAgent as a row, in short. */
export function toShortRow(scenario: Scenario, bare: Outcome, mended: MendedAgentOutcome): Row {
  const made = mended.events.flatMap(changes).map((change) => ({
    text: `  · ${change}`,
    style: "dim" as const,
  }));
  return [
    [{ text: scenario.name, style: "bold" }],
    outcomeLines(scenario, bare),
    [...outcomeLines(scenario, mended), ...made],
  ];
}

/** What happened, each line with the mark of the verdict before the first. */
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
    ...(verdict === "as meant" && scenario.mustSay !== undefined ? outcome.told.map(toldLine) : []),
  ];
  return happened.map((text, index) => ({ text: `${index === 0 ? mark : " "} ${text}`, style }));
}

/** The class of an error, and the heart of its message. */
function describe(error: Error): string[] {
  const heart = error.message.match(/✖ (?:Invalid input: )?(.*)/)?.[1];
  return [`threw ${error.constructor.name}`, heart ?? error.message.split(/[.\n]/)[0] ?? ""];
}

/** What the model was told; of several lines, the one that says what is wrong. */
function toldLine(text: string): string {
  const heart = text.split("\n").find((line) => line.startsWith("- ")) ?? text;
  return `told the model: ${heart.replace(/^- /, "")}`;
}

/** What was changed, by what. */
export function changes({
  repairs,
  nameRepair,
}: Pick<RepairEvent, "repairs" | "nameRepair">): string[] {
  const renamed = nameRepair ? [`tool name ${nameRepair.before} → ${nameRepair.after}`] : [];
  const changed = repairs.map(({ fixer, path }) => (path === "" ? fixer : `${fixer} at ${path}`));
  return [...renamed, ...changed];
}
