import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

/** The code of a page, or of a part of it, that is one program. */
export interface Program {
  readonly title: string;
  readonly code: string;
  /** Its expected output, line by line, from its comments. */
  readonly says: readonly string[];
  /** Whether it can run: code marked as `js` needs a key, a server or a missing file. */
  readonly isRunnable: boolean;
}

/**
 * Reads the programs of README and docs/. The `ts` blocks of a page are one program, in their order. A
 * comment states the output of a printing line; or a block of text after the code states the output of that
 * whole block. Each `js` block is a separate program.
 *
 * @param root The folder with README.md.
 */
export function readPrograms(root: string): readonly Program[] {
  return readPages(root).flatMap(({ title, text }) => programsOf(title, text));
}

/** Reads README and docs/. */
export function readPages(
  root: string,
): readonly { readonly title: string; readonly text: string }[] {
  const docs = readdirSync(join(root, "docs"))
    .filter((file) => file.endsWith(".md"))
    .map((file) => join("docs", file));
  return ["README.md", ...docs].map((file) => ({
    title: basename(file, ".md"),
    text: readFileSync(join(root, file), "utf8"),
  }));
}

const BLOCK = /```(ts|js)\n([\s\S]*?)```(?:\n\n```text\n([\s\S]*?)```)?/g;

function programsOf(title: string, page: string): readonly Program[] {
  const blocks = [...page.matchAll(BLOCK)].map(([, language, code = "", printed]) => ({
    code,
    says: printed === undefined ? linesSaid(code) : printed.trimEnd().split("\n"),
    isRunnable: language === "ts",
  }));
  const shown = blocks.filter(({ isRunnable }) => isRunnable);
  const whole = {
    code: shown.map(({ code }) => code).join("\n"),
    says: shown.flatMap(({ says }) => says),
    isRunnable: true,
  };
  const programs = [
    ...(shown.length > 0 ? [whole] : []),
    ...blocks.filter((block) => !block.isRunnable),
  ];
  return programs.map((program, index) => ({
    ...program,
    title: `${title}-${index + 1}`,
    code: `${program.code}\nexport {};\n`,
  }));
}

function linesSaid(code: string): readonly string[] {
  const lines = code.matchAll(/^ *(?:if .*)?console\.log\(.*\); \/\/ (.*)$/gm);
  return [...lines].map(([, text = ""]) => text);
}
