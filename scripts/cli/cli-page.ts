import { writeFileSync } from "node:fs";
import { COMMANDS, type CommandName, helpOf } from "../../src/cli/commands.ts";

/** Where each command is described, and the meaning of its exit code. */
const ABOUT: Readonly<Record<CommandName, { readonly page: string; readonly codes: string }>> = {
  patch: {
    page: "patches",
    codes:
      "0 done · 1 with `--check`: one is not applied, or does not fit; else: one could not be applied",
  },
  doctor: { page: "errors", codes: "0 nothing is wrong · 1 there is a problem" },
  repair: {
    page: "errors",
    codes: "0 valid or repaired · 2 rejected · 1 a wrong use, a bad schema",
  },
  record: { page: "improve", codes: "0 done · 1 no call was found, or a wrong use" },
  report: { page: "observe", codes: "0 done · 1 a wrong use, or a log that cannot be read" },
  suggest: {
    page: "improve",
    codes: "0 done · 2 the log says too little, or a wrong use",
  },
  replay: {
    page: "improve",
    codes:
      "0 done · 1 too many calls are lost, changed or contradicted · 2 a wrong use, or a log without inputs",
  },
  mcp: {
    page: "mcp",
    codes:
      "1 a wrong use, or the host no longer reads · 127 the server cannot be started · else the server's",
  },
  schemas: { page: "improve", codes: "0 done · 1 no tools, or a wrong use" },
};

/** Renders docs/reference/cli.md: the help of every command, and the exit codes. */
export function renderCliPage(): string {
  const names = Object.keys(COMMANDS) as CommandName[];
  const rows = names.map((name) => {
    const { page, codes } = ABOUT[name];
    return `| [\`${name}\`](../${page}.md) | ${codes} |`;
  });
  return `# The command line

\`npx toolmend COMMAND\`. Results go to standard output, everything else to standard error. \`--help\` after a command prints its
part of this page.

\`\`\`text
${names.map(helpOf).join("\n\n")}
\`\`\`

| command | exit codes |
|---|---|
${rows.join("\n")}

Output has no colours. Control characters in what a model wrote are printed as escapes. An unknown command exits with 1.

\`npm run docs\` makes this page from the code.
`;
}

if (process.argv.includes("--write")) writeFileSync("docs/reference/cli.md", renderCliPage());
