import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { PATCHES, parsePatch, patchFileOf, patchState, readPatch } from "#src/cli/patch.ts";

const root = join(__dirname, "..", "..", "..");
const patches = join(root, "patches");

const KNOWN_PATCHES = Object.entries(PATCHES).flatMap(([name, versions]) =>
  versions.map((version) => ({ name, version })),
);
const folderOf = (known: (typeof KNOWN_PATCHES)[number]) => dirname(patchFileOf(known));

test("every folder of patches/ is known, and holds one patch and its README", () => {
  const folders = readdirSync(patches, { withFileTypes: true }).filter((one) => one.isDirectory());
  expect(folders.map(({ name }) => name).sort()).toEqual(KNOWN_PATCHES.map(folderOf).sort());
  for (const known of KNOWN_PATCHES) {
    const file = patchFileOf(known).split("/").at(-1);
    expect(readdirSync(join(patches, folderOf(known))).sort()).toEqual([file, "README.md"].sort());
  }
});

describe.each(KNOWN_PATCHES.map((known) => [`${known.name} ${known.version}`, known] as const))(
  "the patch of %s",
  (_, known) => {
    const files = parsePatch(readFileSync(join(patches, patchFileOf(known)), "utf8"));
    const hunksOf = new Map(files.map(({ path, hunks }) => [path, hunks.length]));

    test("changes built files of that package only, in all its builds", () => {
      const inPackage = `node_modules/${known.name}/dist/`;
      for (const path of hunksOf.keys()) expect(path.startsWith(inPackage)).toBe(true);
      for (const path of hunksOf.keys()) {
        if (path.endsWith(".js")) expect([...hunksOf.keys()]).toContain(path.replace(/js$/, "cjs"));
      }
      expect(files.length).toBeGreaterThan(0);
    });

    test("has a README line for every hunk, and no other line", () => {
      const readme = readFileSync(join(patches, folderOf(known), "README.md"), "utf8");
      const lines = [...readme.matchAll(/^\| `(.+?)` \| (\d+) \| .+ \|$/gm)];
      const documented = lines.map(([, file, hunk]) => `${file} ${hunk}`);
      const expected = [...hunksOf]
        .filter(([path]) => /\.(d\.ts|js)$/.test(path))
        .flatMap(([path, count]) => {
          const file = path.slice(`node_modules/${known.name}/`.length).replace(/\.(ts|js)$/, "");
          return Array.from({ length: count }, (_, i) => `${file} ${i + 1}`);
        });
      expect(documented.sort()).toEqual(expected.sort());
    });

    const installed = join(root, "node_modules", known.name, "package.json");
    const isInstalled =
      existsSync(installed) &&
      JSON.parse(readFileSync(installed, "utf8")).version === known.version;
    if (isInstalled) {
      test("fits the installed package, which is not patched", () => {
        const folder = join(root, "node_modules", known.name);
        expect(patchState(parsePatch(readPatch(known, patches)), folder)).toBe("not applied");
      });
    }
  },
);
