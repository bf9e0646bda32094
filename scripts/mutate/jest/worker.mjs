// Runs one test file after another, in one process that stays warm, each with some mutants or none.
//
// It receives { config, sources } once, then { test, mutants, only }, and answers each with { isGreen,
// failure, reachedOutside, reachedByTest, rss }.
import { runCLI } from "jest";
import { state } from "./state.mjs";

let config = "";

process.on("message", async (message) => {
  if (message.config !== undefined) {
    config = JSON.stringify(message.config);
    state.sources = message.sources;
    return;
  }
  state.active = new Set(message.mutants);
  state.only = message.only && new Set(message.only);
  state.reachedByTest = [];
  state.reachedOutside = new Set();
  const flags = { runInBand: true, runTestsByPath: true, silent: true, watchman: false };
  const { results } = await runCLI({ config, ...flags, _: [message.test] }, [process.cwd()]);
  process.send({
    isGreen: results.success && results.numTotalTests > 0,
    failure: failureOf(results.testResults[0]),
    reachedOutside: [...state.reachedOutside],
    reachedByTest: state.reachedByTest.map((reached) => [...reached]),
    rss: process.memoryUsage().rss,
  });
});

// The main process decides when a worker ends: at Ctrl-C it still prints what is known.
process.on("SIGINT", () => {});
process.on("disconnect", () => process.exit());

/** The first test that failed, or the error that kept the file from running. */
function failureOf(result) {
  const failed = result?.testResults.find(({ status }) => status === "failed");
  if (failed !== undefined) return failed.fullName;
  return result?.failureMessage
    ?.split("\n")
    .find((line) => line.trim() !== "")
    ?.trim();
}
