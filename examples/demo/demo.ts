import { jsonlSink } from "toolmend/evidence";
import { judge, type Outcome, type Verdict } from "./outcome.ts";
import { changes, MARKS, toRow, toShortRow } from "./report.ts";
import { type MendedAgentOutcome, runAgent } from "./run-agent-scenario.ts";
import { type MendedOutcome, runBare, runMended } from "./run-scenario.ts";
import { type Scenario, scenarios } from "./scenarios.ts";
import { drawTable, paint } from "./table.ts";
import { clearOutput, OUTPUT, tellOfRuns } from "./tell-of-runs.ts";
import { clickedSelectors } from "./typed-steps.ts";

interface Result {
  readonly scenario: Scenario;
  readonly bare: Outcome;
  /** Bare, with LangChain's option to ask the model again. */
  readonly asking: Outcome;
  readonly mended: MendedOutcome;
}

interface AgentResult {
  readonly scenario: Scenario;
  readonly bare: Outcome;
  readonly mended: MendedAgentOutcome;
}

// LangChain advises an upgrade wherever arguments are no JSON; it would stand amid the tables.
console.warn = () => {};

// All that models wrote is in it: the demo has no secrets.
clearOutput();
const log = jsonlSink(OUTPUT.log, { content: "full" });

const results: Result[] = [];
for (const scenario of scenarios) {
  results.push({
    scenario,
    bare: await runBare(scenario),
    asking: await runBare(scenario, { handleParsingErrors: true }),
    mended: await runMended(scenario, log),
  });
}

const agentResults: AgentResult[] = [];
for (const scenario of scenarios) {
  agentResults.push({
    scenario,
    bare: await runAgent(scenario),
    mended: await runAgent(scenario, log),
  });
}

await log.flush();
const told = await tellOfRuns();

const agentTable = drawTable(
  [24, 35, 35],
  ["the model wrote", "createAgent, bare", "with toolInputMiddleware"],
  agentResults.map(({ scenario, bare, mended }) => toShortRow(scenario, bare, mended)),
);

const table = drawTable(
  [27, 34, 33],
  ["the model wrote", "bare LangChain", "with toolmend"],
  results.map(({ scenario, bare, mended }) => toRow(scenario, bare, mended)),
);
const legend = Object.entries(MARKS).map(([verdict, { mark, style }]) =>
  paint(`${mark} ${verdict}`, style),
);

console.log(`
The same ${results.length} model outputs, given to a web agent twice: LangChain's AgentExecutor, bare and wrapped.
The model is ChatOpenAI with scripted answers. What comes after it really runs.

${legend.join("   ")}

${table.join("\n")}
${typedSteps(results.map(({ mended }) => mended))}

${summary(results)}

The same outputs, given to LangChain 1's createAgent, bare and with toolmend's middleware:

${agentTable.join("\n")}

${paint(`Bare:     ${tally(agentResults, ({ bare }) => bare)}.`, "bold")}
${paint(`toolmend: ${tally(agentResults, ({ mended }) => mended)}.`, "bold")}

The wrapped runs have left a log: ${told.log}
This is what npx toolmend report says of it:

${toolsOf(told.lines).join("\n")}

The whole report, for a browser: ${told.page}
`);

/** Of what is printed, the table of the tools. */
function toolsOf(lines: readonly string[]): readonly string[] {
  const start = lines.indexOf("Tools") + 1;
  return lines.slice(start, lines.indexOf("", start)).map((line) => `  ${line}`);
}

function typedSteps(outcomes: readonly MendedOutcome[]): string {
  const steps = outcomes.flatMap((outcome) => outcome.steps);
  const example = steps.find(({ action }) => action.repairs.length > 0)?.action;
  if (example === undefined) throw new Error("No scenario was repaired.");
  return `
The steps are typed (langchainjs issue #2710). Over all of them, without a cast,

  if (action.tool === "click" && action.valid) selectors.push(action.toolInput.selector);

gives ${clickedSelectors(steps).join(" ")}; action.toolInput.selektor does not compile.
A step says what ran, what the model wrote and what was changed:

  tool          ${example.tool}
  toolInput     ${JSON.stringify(example.toolInput)}
  rawToolInput  ${JSON.stringify(example.rawToolInput)}
  repairs       ${changes(example).join(", ")}
  valid         ${example.valid}`;
}

function summary(all: readonly Result[]): string {
  const again = all.filter(({ bare, asking }) => bare.threw && asking.modelCalls > 1).length;
  const extra = all.reduce((sum, { mended }) => sum + mended.modelCalls - 2, 0);
  return paint(
    [
      `Bare:     ${tally(all, ({ bare }) => bare)}.`,
      `          (With handleParsingErrors: true, the ${again} that threw ask the model again instead.)`,
      `toolmend: ${tally(all, ({ mended }) => mended)}; ${extra || "no"} extra calls of the model.`,
    ].join("\n"),
    "bold",
  );
}

function tally<One extends { readonly scenario: Scenario }>(
  all: readonly One[],
  outcomeOf: (result: One) => Outcome,
): string {
  const verdicts = all.map((result) => judge(result.scenario, outcomeOf(result)).verdict);
  return (Object.keys(MARKS) as Verdict[])
    .map((verdict) => [verdict, verdicts.filter((one) => one === verdict).length] as const)
    .filter(([verdict, times]) => times > 0 || verdict !== "asked again")
    .map(([verdict, times]) => `${times} ${verdict}`)
    .join(", ");
}
