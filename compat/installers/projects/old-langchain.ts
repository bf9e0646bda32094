import assert from "node:assert/strict";
import { install, makeFolder, manifest, node, toolmend } from "../work.ts";

/** What the issues ask for: an exception with the causing data, and JSON as the handler's answer. */
const APP = `
import { ToolInputParsingException, StructuredTool } from "langchain/tools";
import { z } from "zod";
class Click extends StructuredTool {
  name = "click";
  description = "";
  schema = z.object({ selector: z.string() });
  async _call(input) { return JSON.stringify(input); }
}
const error = await new Click().call({ element: "#a" }).catch((error) => error);
console.log(error instanceof ToolInputParsingException, error.toolName, JSON.stringify(error.toolInput));
`;

/** langchain 0.0.153, as docs/patches.md says: no flag, and the zod that npm picks. */
export async function oldLangChain(): Promise<void> {
  const { zod, ...others } = (manifest({}) as { dependencies: Record<string, string> })
    .dependencies;
  assert.equal(typeof zod, "string");
  const project = makeFolder("old-langchain", {
    "package.json": { type: "module", dependencies: { langchain: "0.0.153", ...others } },
    "app.mjs": APP,
  });
  await install("npm", project, "--no-audit", "--no-fund", "--ignore-scripts");
  const { code, out } = await toolmend(project, "patch");
  assert.equal(code, 0, out);
  assert.equal((await toolmend(project, "patch", "--check")).code, 0);
  assert.equal((await node(project, "app.mjs")).out, 'true click {"element":"#a"}\n');
  const { findings } = JSON.parse((await toolmend(project, "doctor", "--json")).out);
  assert.deepEqual(findings, []);
}
