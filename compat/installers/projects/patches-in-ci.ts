import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder, manifest, PROBE, root, shell } from "../work.ts";

const page = readFileSync(join(root, "docs/patches.md"), "utf8");
const blocks = (language: string): readonly string[] =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))].map(
    ([, text = ""]) => text,
  );
const [project = "", resolutions = ""] = blocks("json");
const [printing = ""] = blocks("sh");

/** The additional needs of each row of the page's table. */
const ROWS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  npm: {},
  pnpm: {},
  "yarn, `nodeLinker: node-modules`": {
    ".yarnrc.yml": "nodeLinker: node-modules\n",
    "yarn.lock": "",
  },
  "yarn, Plug'n'Play": { ".yarnrc.yml": "nodeLinker: pnp\n", "yarn.lock": "" },
};

/**
 * The unchanged steps of docs/patches.md with each package manager: the project, its CI job, and patched at the
 * end.
 */
export async function patchesInCi(): Promise<void> {
  for (const [row, files] of Object.entries(ROWS)) {
    const [, install = "", check = ""] =
      page
        .split("\n")
        .find((line) => line.startsWith(`| ${row} |`))
        ?.match(/`([^`]+)` \| `([^`]+)`[^`]*\|$/) ?? [];
    const described = JSON.parse(project);
    const { dependencies } = manifest({}) as { dependencies: { toolmend: string } };
    Object.assign(described.dependencies, { toolmend: dependencies.toolmend });
    const isPlugged = row.includes("Plug");
    if (isPlugged) Object.assign(described.scripts, { postinstall: undefined });
    const cwd = makeFolder(`patches-in-ci-${row.replace(/\W+/g, "-")}`, {
      ...files,
      "package.json": described,
      "probe.mjs": PROBE,
    });
    const [manager = ""] = install.split(" ");
    await shell(cwd, `${manager} install`);
    if (isPlugged) {
      await shell(cwd, printing);
      writeFileSync(
        join(cwd, "package.json"),
        JSON.stringify({ ...described, ...JSON.parse(resolutions) }),
      );
      await shell(cwd, "yarn install");
    }
    // A CI checkout: the project without installed packages.
    for (const made of ["node_modules", ".pnp.cjs", ".pnp.loader.mjs"]) {
      rmSync(join(cwd, made), { recursive: true, force: true });
    }
    await shell(cwd, install);
    await shell(cwd, check);
    const probe = isPlugged ? "yarn node probe.mjs" : "node probe.mjs";
    await shell(cwd, `${probe} | grep -x patched`);
    assert.ok(check.endsWith("--check"), row);
  }
}
