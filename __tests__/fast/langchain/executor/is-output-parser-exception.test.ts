import { expect, test } from "@jest/globals";
import { OutputParserException } from "@langchain/core/output_parsers";
import { isOutputParserException } from "#src/langchain/executor/run.ts";

test("an OutputParserException of any install is recognized by its code or by its class", () => {
  const byCode = Object.assign(new Error(), { lc_error_code: "OUTPUT_PARSING_FAILURE" });
  // Core before 0.3 sets no code.
  const copy = { OutputParserException: class OutputParserException extends Error {} };
  const byClass = new (class extends copy.OutputParserException {})();
  for (const error of [new OutputParserException(""), byCode, byClass]) {
    expect(isOutputParserException(error)).toBe(true);
  }
  const others = [new Error(""), Object.assign(new Error(), { lc_error_code: "X" }), {}, null];
  for (const other of others) expect(isOutputParserException(other)).toBe(false);
});
