import { existsSync } from "node:fs";
import module from "node:module";
import { dirname, join } from "node:path";

/**
 * Says where a command finds LangChain, when it found none.
 *
 * @param project The folder that it was run in.
 * @param command The command.
 */
export function whereToRun(project: string, command: string): string {
  if (!("findPnpApi" in module) && hasAbove(project, ".pnp.cjs")) {
    return `This project uses Yarn Plug'n'Play, which only yarn's own processes can read: \`yarn toolmend ${command}\`.`;
  }
  if (existsSync(join(project, "pnpm-workspace.yaml"))) {
    return `Run ${command} in the members of the workspace, after pnpm install: \`pnpm -r exec toolmend ${command}\`.`;
  }
  return `Run ${command} where the project's package.json is, after npm install.`;
}

function hasAbove(from: string, name: string): boolean {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, name))) return true;
    if (dirname(folder) === folder) return false;
  }
}
