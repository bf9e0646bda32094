// A run that stops for a human's approval, is kept in a SQLite file, and resumes in another
// process.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const folder = mkdtempSync(join(tmpdir(), "toolmend-sqlite-"));
after(() => rmSync(folder, { recursive: true }));

function runStep(database: string, step: "start" | "approve" | "edit") {
  const runner = fileURLToPath(new URL("../../scripts/run-ts.mjs", import.meta.url));
  const file = fileURLToPath(new URL("step.ts", import.meta.url));
  const output = execFileSync(process.execPath, [runner, file, join(folder, database), step]);
  return JSON.parse(output.toString());
}

const byId = (one: { id: string }, other: { id: string }) => one.id.localeCompare(other.id);
const REFUSED = /^The input of tool "click" was not accepted, and the tool was not run:\n.*cut off/;
const NOTE = /^clicked (#\w+)$/;

test("the human sees the repaired call, and another process runs it", () => {
  const started = runStep("approve.db", "start");
  assert.deepEqual(started.asked, [{ selector: "#buy" }]);
  assert.deepEqual(started.ran, []);

  const { ran, contents, calls } = runStep("approve.db", "approve");
  assert.deepEqual(ran, [{ selector: "#buy" }]);
  assert.equal(contents.length, 5);
  // LangChain puts calls without approval before the others.
  assert.match(contents[2], REFUSED);
  assert.match(contents[3], NOTE);
  assert.equal(contents[4], "done");
  assert.deepEqual(calls.sort(byId), [
    {
      id: "call_a",
      toolInput: { selector: "#buy" },
      rawToolInput: { element: "#buy" },
      fixers: ["renameKey(element → selector)"],
      valid: true,
    },
    {
      id: "call_b",
      toolInput: '{"element": "#cut',
      rawToolInput: '{"element": "#cut',
      fixers: [],
      valid: false,
    },
  ]);
});

test("a call that the human edits is repaired in the other process", () => {
  runStep("edit.db", "start");
  const { ran, contents } = runStep("edit.db", "edit");
  assert.deepEqual(ran, [{ selector: "#other" }]);
  assert.match(contents[3], NOTE);
  assert.equal(contents[4], "done");
});

test("the database holds the raw call only as the original of its repair", () => {
  const text = readFileSync(join(folder, "approve.db"), "latin1");
  const raw = text.match(/"args":\s*\{"element"/g) ?? [];
  assert.equal(raw.length, 0);
  assert.ok(text.includes('"selector"'));
});
