import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

/** The code of a page, or of a part of it, that is one program. */
export interface Program {
  readonly title: string;
  readonly code: string;
  /** What it prints, line by line, where its comments say so. */
  readonly says: readonly string[];
  /** Whether it can be run: code marked as `js` needs a key, a server or a file that is not there. */
  readonly isRunnable: boolean;
}

/** Its packages are installed in integration/deepagents alone. */
const OWN_PACKAGES = ["deepagents.md"];

/** Its own test compares what it prints. */
const OWN_LINES = ["handle-tool-errors"];

/** It imports a file that the command before it writes; the command's own test runs it. */
const WRITTEN = 'from "./fixers.suggested.ts"';

/**
 * Reads the programs of README and docs/. The blocks of a page that are marked as `ts` are one program, in
 * their order; a hidden set-up, an HTML comment that begins with "set-up", begins another. A line that prints
 * says in a comment what it prints. Each block that is marked as `js` is a program of its own.
 *
 * @param root The folder with README.md.
 */
export function readPrograms(root: string): readonly Program[] {
  return readPages(root).flatMap(({ title, text }) => programsOf(title, text));
}

/** Reads README and docs/, without pages whose packages are not installed here. */
export function readPages(
  root: string,
): readonly { readonly title: string; readonly text: string }[] {
  const docs = readdirSync(join(root, "docs"))
    .filter((file) => file.endsWith(".md") && !OWN_PACKAGES.includes(file))
    .map((file) => join("docs", file));
  return ["README.md", ...docs].map((file) => ({
    title: basename(file, ".md"),
    text: readFileSync(join(root, file), "utf8"),
  }));
}

const BLOCK = /<!-- set-up\n([\s\S]*?)-->|```(ts|js)\n([\s\S]*?)```/g;

function programsOf(title: string, page: string): readonly Program[] {
  const programs: { code: string; language: string | undefined }[] = [];
  for (const [, setUp, language = "", shown = ""] of page.matchAll(BLOCK)) {
    const last = programs.at(-1);
    const isSetUp = last?.language === undefined;
    const begun = isSetUp ? last : programs.findLast((program) => program.language === language);
    if (setUp !== undefined) programs.push({ code: setUp, language: undefined });
    else if (begun === undefined || (language === "js" && !isSetUp)) {
      programs.push({ code: shown, language });
    } else Object.assign(begun, { code: `${begun.code}\n${shown}`, language });
  }
  return programs
    .filter(({ code }) => !code.includes(WRITTEN))
    .map(({ code, language }, index) => ({
      title: `${title}-${index + 1}`,
      code: `${code}\nexport {};\n`,
      says: OWN_LINES.includes(title) ? [] : linesSaid(code),
      isRunnable: language === "ts",
    }));
}

function linesSaid(code: string): readonly string[] {
  const lines = code.matchAll(/^ *(?:if .*)?console\.log\(.*\); \/\/ (.*)$/gm);
  return [...lines].map(([, text = ""]) => text);
}
