import { fileURLToPath } from "node:url";

export default {
  turbopack: { root: fileURLToPath(new URL("..", import.meta.url)) },
  // The repository is type-checked and linted, not this page.
  typescript: { ignoreBuildErrors: true },
};
