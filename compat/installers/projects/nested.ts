import assert from "node:assert/strict";
import { diagnose, install, makeFolder, manifest, node, toolmend } from "../work.ts";

/** A package that has its own core, and a tool made with it. */
const DEP = {
  "package.json": {
    name: "dep",
    version: "1.0.0",
    type: "module",
    exports: "./index.js",
    dependencies: { "@langchain/core": "0.3.80" },
  },
  "index.js": `
import { tool } from "@langchain/core/tools";
export { ToolInputParsingException } from "@langchain/core/tools";
const schema = { type: "object", properties: { selector: { type: "string" } }, required: ["selector"], additionalProperties: false };
export const click = tool(async (input) => JSON.stringify(input), { name: "click", description: "", schema });
`,
};
const APP = `
import { click, ToolInputParsingException as Theirs } from "dep";
import { ToolInputParsingException } from "@langchain/core/tools";
console.log(new Theirs("x") instanceof ToolInputParsingException, await click.invoke({ input: { selector: "#a" } }).catch(() => "refused"));
`;

/** A dependency's nested core: register reaches it, doctor reports it, and patch patches both. */
export async function nested(): Promise<void> {
  for (const program of ["npm", "pnpm"] as const) {
    const dep = makeFolder(`dep-of-${program}`, DEP);
    const project = makeFolder(`nested-${program}`, {
      "package.json": manifest({ "@langchain/core": "1.2.13", dep: `file:${dep}` }),
      "app.mjs": APP,
      ...(program === "npm" && { ".npmrc": "install-links=true\n" }),
    });
    await install(program, project);
    assert.equal((await node(project, "app.mjs")).out, "false refused\n");
    const registered = await node(project, "--import", "toolmend/register", "app.mjs");
    assert.equal(registered.out, 'true {"selector":"#a"}\n', program);
    assert.deepEqual(await diagnose(project), ["duplicate-core"]);
    const { code, out } = await toolmend(project, "patch");
    assert.equal(code, 0, out);
    assert.match(
      out,
      /core 1\.2\.13: applied\n@langchain\/core 0\.3\.80 in node_modules\/.+: applied/,
    );
    assert.equal((await node(project, "app.mjs")).out, "true refused\n");
  }
}
