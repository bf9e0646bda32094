import { fileURLToPath } from "node:url";

export default {
  turbopack: { root: fileURLToPath(new URL("..", import.meta.url)) },
  // What is type-checked and linted is the repository, not this page.
  typescript: { ignoreBuildErrors: true },
};
