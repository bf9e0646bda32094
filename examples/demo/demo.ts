import { jsonlSink } from "toolmend/evidence";
import { judge, type Outcome, type Verdict } from "./outcome.ts";
import { rejectedThenRepaired } from "./rejected-then-repaired.ts";
import { changes, MARKS, toRow, toShortRow, usesOwnCode } from "./report.ts";
import { clearOutput, OUTPUT, reportRuns } from "./report-runs.ts";
import { runAgent, type WrappedAgentOutcome } from "./run-agent-scenario.ts";
import { runBare, runWrapped, type WrappedOutcome } from "./run-scenario.ts";
import { type Scenario, scenarios } from "./scenarios.ts";
import { drawTable, paint } from "./table.ts";
import { clickedSelectors } from "./typed-steps.ts";

interface Result {
  readonly scenario: Scenario;
  readonly bare: Outcome;
  /** Bare, with LangChain's option to ask the model again. */
  readonly asking: Outcome;
  readonly wrapped: WrappedOutcome;
}

interface AgentResult {
  readonly scenario: Scenario;
  readonly bare: Outcome;
  readonly wrapped: WrappedAgentOutcome;
}

// LangChain suggests an upgrade when arguments are not JSON; the message would split the tables.
console.warn = () => {};

// The log holds all model output, as the demo has no secrets.
clearOutput();
const log = jsonlSink(OUTPUT.log, { content: "full" });

const results: Result[] = [];
for (const scenario of scenarios) {
  results.push({
    scenario,
    bare: await runBare(scenario),
    asking: await runBare(scenario, { handleParsingErrors: true }),
    wrapped: await runWrapped(scenario, log),
  });
}

const agentResults: AgentResult[] = [];
for (const scenario of scenarios) {
  agentResults.push({
    scenario,
    bare: await runAgent(scenario),
    wrapped: await runAgent(scenario, log),
  });
}

await log.flush();
const reported = await reportRuns();
const explained = await rejectedThenRepaired();

const agentTable = drawTable(
  [24, 35, 35],
  ["the model wrote", "createAgent, bare", "with toolInputMiddleware"],
  agentResults.map(({ scenario, bare, wrapped }) => toShortRow(scenario, bare, wrapped)),
);

const table = drawTable(
  [27, 34, 33],
  ["the model wrote", "bare LangChain", "with toolmend"],
  results.map(({ scenario, bare, wrapped }) => toRow(scenario, bare, wrapped)),
);
const legend = Object.entries(MARKS).map(([verdict, { mark, style }]) =>
  paint(`${mark} ${verdict}`, style),
);

console.log(`
The same ${results.length} model outputs, run by a web agent twice: on LangChain's AgentExecutor, bare and wrapped.
The model is ChatOpenAI with scripted answers. Everything after the model is real code.

${legend.join("   ")}
·  repaired by toolmend   *  by your own code: a fixer or a handler that this demo registers

${table.join("\n")}
${typedSteps(results.map(({ wrapped }) => wrapped))}

${summary(results)}

The same outputs, given to LangChain 1's createAgent, bare and with toolmend's middleware:

${agentTable.join("\n")}

${paint(`Bare:     ${tally(agentResults, ({ bare }) => bare)}.`, "bold")}
${paint(`toolmend: ${tally(agentResults, ({ wrapped }) => wrapped)}.`, "bold")}
${explained}

The wrapped runs left a log: ${reported.log}
npx toolmend report prints, of the ${results.length + agentResults.length} wrapped runs above (both agents, ${results.length} outputs each):

${toolsOf(reported.lines).join("\n")}

The whole report, for a browser: ${reported.page}
`);

/** Returns the table of tools from the report's lines. */
function toolsOf(lines: readonly string[]): readonly string[] {
  const start = lines.indexOf("Tools") + 1;
  return lines.slice(start, lines.indexOf("", start)).map((line) => `  ${line}`);
}

function typedSteps(outcomes: readonly WrappedOutcome[]): string {
  const steps = outcomes.flatMap((outcome) => outcome.steps);
  const example = steps.find(({ action }) => action.repairs.length > 0)?.action;
  if (example === undefined) throw new Error("No scenario was repaired.");
  return `
The steps are typed (langchainjs issue #2710). Over all of them, without a cast,

  if (action.tool === "click" && action.valid) selectors.push(action.toolInput.selector);

gives ${clickedSelectors(steps).join(" ")}; action.toolInput.selektor does not compile.
A step records the input that ran, the model's input and the repairs:

  tool          ${example.tool}
  toolInput     ${JSON.stringify(example.toolInput)}
  rawToolInput  ${JSON.stringify(example.rawToolInput)}
  repairs       ${changes(example).join(", ")}
  valid         ${example.valid}`;
}

function summary(all: readonly Result[]): string {
  const again = all.filter(({ bare, asking }) => bare.threw && asking.modelCalls > 1).length;
  const extra = all.reduce((sum, { wrapped }) => sum + wrapped.modelCalls - 2, 0);
  const byOwnCode = all.filter(({ wrapped }) =>
    wrapped.steps.flatMap(({ action }) => changes(action)).some(usesOwnCode),
  );
  return paint(
    [
      `Bare:     ${tally(all, ({ bare }) => bare)}.`,
      `          (With handleParsingErrors: true, the ${again} that threw ask the model again instead.)`,
      `toolmend: ${tally(all, ({ wrapped }) => wrapped)}; ${extra || "no"} extra calls of the model.`,
      `          (${byOwnCode.length} of these by your own code: ${byOwnCode.map(({ scenario }) => scenario.name).join(", ")}.)`,
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
