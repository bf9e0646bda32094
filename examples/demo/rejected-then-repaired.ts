import { readFileSync } from "node:fs";
import { createFixerRegistry, type Fixer, repairToolInput } from "toolmend";
import { createFakePage } from "./fake-page.ts";
import { createWebTools } from "./web-tools.ts";

/** A mistake of this model: it adds how it found the element, and what it found. */
const byCss: Fixer = (input) => {
  const { by, value } = Object(input);
  return by === "css" ? { selector: value } : undefined;
};

/** Shows a rejected input, the error for the model, and the fixer that repairs it. */
export async function rejectedThenRepaired(): Promise<string> {
  const tools = createWebTools(createFakePage());
  const [click] = tools;
  const input = '{"by": "css", "value": "#buy"}';
  const rejected = await repairToolInput(input, click);
  const fixers = createFixerRegistry(tools);
  fixers.register("click", byCss);
  const repaired = await repairToolInput(input, click, { fixers });
  if (rejected.ok || !repaired.ok) throw new Error("The example is out of date.");
  return `
What cannot be proved is rejected. For click ${input}
the model reads:

${indent(rejected.error.toModelMessage())}

Three lines make it a repair, if this model means it so every time:

${indent(`${sourceOf("byCss")}\nfixers.register("click", byCss);`)}

Now it runs ${JSON.stringify(repaired.toolInput)}, repaired by ${repaired.repairs[0]?.fixer}.`;
}

function indent(text: string): string {
  return text.replace(/^/gm, "  ");
}

/** Returns the declaration of a constant in this file. */
function sourceOf(name: string): string {
  const source = readFileSync(new URL("rejected-then-repaired.ts", import.meta.url), "utf8");
  return new RegExp(`^const ${name}[^]*?^};$`, "m").exec(source)?.[0] ?? "";
}
