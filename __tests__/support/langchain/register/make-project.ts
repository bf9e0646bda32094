import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/**
 * Makes a project in a temporary folder.
 *
 * @param files The content of each file, by its path; objects become JSON.
 */
export function makeProject(files: Readonly<Record<string, string | object>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolmend-project-")));
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content, null, 2));
  }
  return folder;
}

/** A package with the hooked parts of @langchain/core, in both builds. */
export function fakeCore(version: string, at = "node_modules/@langchain/core") {
  const source = `
class StructuredTool {
  async invoke(input) { return this.call(input); }
  async call(input) {
    if (typeof input?.selector !== "string") throw new ToolInputParsingException("Received tool input did not match expected schema", JSON.stringify(input));
    return "ran " + JSON.stringify(input);
  }
}
class ToolInputParsingException extends Error { constructor(message, output) { super(message); this.output = output; } }
`;
  const entry = { import: "./tools.js", require: "./tools.cjs" };
  return {
    [`${at}/package.json`]: {
      name: "@langchain/core",
      version,
      type: "module",
      exports: { "./tools": entry, "./package.json": "./package.json" },
    },
    [`${at}/tools.cjs`]: `${source}exports.StructuredTool = StructuredTool; exports.ToolInputParsingException = ToolInputParsingException;`,
    [`${at}/tools.js`]: `${source}export { StructuredTool, ToolInputParsingException };`,
  };
}
