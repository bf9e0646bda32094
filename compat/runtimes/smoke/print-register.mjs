// The parts that use the process or the disk: toolmend/register, and a log.
import "toolmend/register";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tool } from "@langchain/core/tools";
import { repairToolInput } from "toolmend";
import { jsonlSink } from "toolmend/evidence";
import { z } from "zod";

const schema = z.object({ count: z.number() });
const bare = tool(async ({ count }) => `counts to ${count + 1}`, { name: "count", schema });
const registered = await bare.invoke({ count: "5" });

const folder = mkdtempSync(join(tmpdir(), "toolmend-runtimes-"));
const log = jsonlSink(join(folder, "log.jsonl"));
await repairToolInput('{"count": "5"}', { name: "count", schema }, { onToolCall: [log] });
await log.flush();
const lines = readFileSync(join(folder, "log.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));
rmSync(folder, { recursive: true });
console.log(
  JSON.stringify({ registered, logged: lines.find(({ kind }) => kind === "call")?.outcome }),
);
process.exit(0);
