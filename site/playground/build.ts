// npm run playground: writes site/dist/playground.html.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { buildPlayground } from "./build-playground.ts";

const file = fileURLToPath(new URL("../dist/playground.html", import.meta.url));
const page = await buildPlayground(fileURLToPath(new URL("../..", import.meta.url)));
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, page);
console.log(`${file}: ${Math.ceil(Buffer.byteLength(page) / 1000)} kB`);
