import { join } from "node:path";
import { main } from "#src/cli/main.ts";

export const root: string = join(__dirname, "..", "..", "..");
export const patches: string = join(root, "patches");

/**
 * Runs a command line in this process.
 *
 * @param project The working folder.
 * @param args The arguments.
 * @param input The contents of stdin, and the environment.
 */
export async function runCli(
  project: string,
  args: readonly string[],
  { input = "", env = {} }: { input?: string; env?: Record<string, string> } = {},
): Promise<{ code: number; out: string; err: string }> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await main(args, {
    folder: project,
    version: "0.0.0-test",
    patches,
    env,
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
    stdin: (async function* () {
      yield input;
    })(),
  });
  return { code, out: out.join("\n"), err: err.join("\n") };
}
