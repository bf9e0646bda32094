// Logs are written even without LangChain and OpenTelemetry installed.
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repairToolInput } from "toolmend/core";
import { jsonlSink } from "toolmend/evidence";
import { z } from "zod";

async function main(): Promise<void> {
  const file = join(tmpdir(), `toolmend-consumer-${process.pid}.jsonl`);
  const log = jsonlSink(file);
  const tool = { name: "click", schema: z.object({ count: z.number() }) };
  await repairToolInput({ count: "5" }, tool, { onToolCall: [log] });
  await log.flush();
  const [, line = ""] = readFileSync(file, "utf8").split("\n");
  const { outcome } = JSON.parse(line);
  if (outcome !== "repaired") throw new Error(`logged ${line}`);
}

void main();
