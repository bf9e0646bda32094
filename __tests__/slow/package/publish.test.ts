import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import { expect, test } from "@jest/globals";

const root = join(__dirname, "..", "..", "..");
const read = (file: string) => readFileSync(join(root, file), "utf8");

function npm(cwd: string, ...args: readonly string[]) {
  return spawnSync("npm", args, { cwd, encoding: "utf8" });
}

/** The files that npm publishes, as paths from the repository's folder. */
function packedFiles(): readonly string[] {
  const { stdout } = npm(root, "pack", "--dry-run", "--json", "--ignore-scripts");
  const [{ files }] = JSON.parse(stdout);
  return files.map(({ path }: { path: string }) => path);
}

/** The anchors that GitHub gives to the headings of a page. */
function anchorsOf(page: string): ReadonlySet<string> {
  const headings = page.replace(/```[\s\S]*?```/g, "").matchAll(/^#+ (.+)$/gm);
  const seen = new Map<string, number>();
  return new Set(
    [...headings].map(([, text = ""]) => {
      const slug = text
        .toLowerCase()
        .replace(/[^\p{L}\p{N}_ -]/gu, "")
        .replaceAll(" ", "-");
      const again = seen.get(slug) ?? 0;
      seen.set(slug, again + 1);
      return again === 0 ? slug : `${slug}-${again}`;
    }),
  );
}

/** The targets of a page's links and images in this repository, as [file, anchor]. */
function targetsOf(file: string): readonly (readonly [file: string, anchor: string])[] {
  const text = read(file).replace(/```[\s\S]*?```|`[^`\n]*`/g, "");
  return [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].map(
    ([, path = "", anchor = ""]) => [
      path === "" ? file : posix.join(posix.dirname(file), path),
      anchor,
    ],
  );
}

test("every link in the published package leads to a file in it, and to a heading of that file", () => {
  const packed = new Set(packedFiles());
  const pages = [...packed].filter((file) => file.endsWith(".md"));
  const links = pages.flatMap((page) =>
    targetsOf(page).map((target) => [page, ...target] as const),
  );
  expect(links.length).toBeGreaterThan(50);
  const dead = links.filter(
    ([, file, anchor]) =>
      !packed.has(file) || (anchor !== "" && !anchorsOf(read(file)).has(anchor)),
  );
  expect(dead.map(([page, file, anchor]) => `${page} → ${file}#${anchor}`)).toEqual([]);
});

test("npm publish fails until the repository's address is set", () => {
  const folder = mkdtempSync(join(tmpdir(), "toolmend-publish-"));
  try {
    cpSync(join(root, "scripts/set-repository.mjs"), join(folder, "scripts/set-repository.mjs"));
    cpSync(join(root, "package.json"), join(folder, "package.json"));
    const { status, stderr } = npm(folder, "publish", "--dry-run");
    expect([status, stderr]).toEqual([1, expect.stringContaining("has no repository yet")]);
    execFileSync("node", ["scripts/set-repository.mjs", "someone/toolmend"], { cwd: folder });
    expect(npm(folder, "run", "prepublishOnly").status).toBe(0);
    const written = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    expect(written.repository.url).toBe("git+https://github.com/someone/toolmend.git");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("workflows pin actions by commit", () => {
  const folder = ".github/workflows";
  const used = readdirSync(join(root, folder)).flatMap((file) =>
    [...read(`${folder}/${file}`).matchAll(/uses: (.+)/g)].map(([, action]) => action),
  );
  expect(used.length).toBeGreaterThan(5);
  expect(used.filter((action) => !/@[\da-f]{40} # v\d/.test(`${action}`))).toEqual([]);
});
