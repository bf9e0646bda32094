import { nested } from "./projects/nested.ts";
import { npmWorkspace } from "./projects/npm-workspace.ts";
import { oldLangChain } from "./projects/old-langchain.ts";
import { patchesInCi } from "./projects/patches-in-ci.ts";
import { pnpmLinks } from "./projects/pnpm-links.ts";
import { pnpmStore } from "./projects/pnpm-store.ts";
import { pnpmWorkspace } from "./projects/pnpm-workspace.ts";
import { yarnModules } from "./projects/yarn-modules.ts";
import { yarnPnp } from "./projects/yarn-pnp.ts";
import { packToolmend } from "./work.ts";

const AT_ONCE = 2;
const only = process.argv.slice(2);

packToolmend();
/** One after another if they share a store. */
const tests: readonly (readonly (() => Promise<void>)[])[] = [
  [oldLangChain],
  [pnpmStore, pnpmLinks, pnpmWorkspace],
  [nested],
  [patchesInCi],
  [npmWorkspace],
  [yarnModules, yarnPnp],
];
const queue = tests.map((all) =>
  all.filter(({ name }) => only.length === 0 || only.includes(name)),
);
let failed = 0;
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      for (const test of next) await runTest(test);
    }
  }),
);
process.exitCode = failed === 0 ? 0 : 1;

async function runTest(test: () => Promise<void>): Promise<void> {
  const start = performance.now();
  try {
    await test();
    console.log(`✓ ${test.name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed++;
    console.error(`✗ ${test.name}\n${error instanceof Error ? error.stack : String(error)}`);
  }
}
