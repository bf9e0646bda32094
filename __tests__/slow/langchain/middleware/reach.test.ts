import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { build } from "esbuild";

async function packagesOf(entry: string): Promise<readonly string[]> {
  const { metafile } = await build({
    entryPoints: [join(__dirname, "..", "..", "..", "..", "src", `${entry}.ts`)],
    bundle: true,
    write: false,
    metafile: true,
    platform: "node",
    format: "esm",
    packages: "external",
  });
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
  return imports.filter(({ external }) => external).map(({ path }) => path);
}

test.each(["index", "messages"])(
  "toolmend/%s does not need langchain, which has no main entry in 0.3",
  async (entry) => {
    const packages = await packagesOf(entry);
    expect(packages).not.toContain("langchain");
    expect(packages.some((name) => name.startsWith("@langchain/langgraph"))).toBe(false);
  },
);

test("the middleware needs langchain", async () => {
  expect(await packagesOf("middleware")).toContain("langchain");
});
