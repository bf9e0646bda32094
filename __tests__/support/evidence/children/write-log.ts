// Writes a log of many calls: run-ts write-log.ts FILE COUNT HOW, where HOW is how the process ends.
import { repairToolCall } from "toolmend/core";
import { jsonlSink } from "toolmend/evidence";

const [file = "", count = "0", how = ""] = process.argv.slice(2);
const log = jsonlSink(file, { content: "full" });
const tools = [
  { name: "click", schema: { type: "object", properties: { n: { type: "integer" } } } },
];
for (let index = 0; index < Number(count); index++) {
  await repairToolCall({ name: "click", args: { n: `${index}` }, id: `c${index}` }, tools, {
    onToolCall: [log],
  });
}
if (how === "flush") await log.flush();
if (how !== "end") process.exit(0);
