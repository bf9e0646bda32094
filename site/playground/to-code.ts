import type { Question } from "./question.ts";

/** Returns the code that does the same with `toolmend/core`. */
export function toCode(question: Question): string {
  const { input, schema, level, undeclared } = question;
  const lines = question.fixers.split("\n").filter((line) => line.trim() !== "");
  const calls = lines.map((line) => line.trim().replace(/[;,]$/, ""));
  const makers = [...new Set(calls.map((call) => call.slice(0, call.indexOf("("))))].sort();
  const hasFixers = calls.length > 0;
  const options = [
    ...(hasFixers ? ["fixers"] : []),
    ...(level === "safe" ? [] : [`level: ${JSON.stringify(level)}`]),
    ...(undeclared === "repair" ? [] : [`undeclaredKeys: ${JSON.stringify(undeclared)}`]),
  ];
  const name = JSON.stringify(question.name);
  return [
    'import { repairToolInput } from "toolmend/core";',
    ...(hasFixers ? [`import { ${makers.join(", ")} } from "toolmend/fixers";`] : []),
    "",
    `const schema = ${compact(schema)};`,
    `const tool = { name: ${name}, schema };`,
    ...(hasFixers ? [`const fixers = { ${name}: [${calls.join(", ")}] };`] : []),
    `const raw = ${JSON.stringify(input)};`,
    `const result = await repairToolInput(raw, tool${options.length > 0 ? `, { ${options.join(", ")} }` : ""});`,
    "console.log(result.ok ? result.toolInput : result.error.toModelMessage());",
  ].join("\n");
}

function compact(schema: string): string {
  try {
    return JSON.stringify(JSON.parse(schema));
  } catch {
    return "{}";
  }
}
