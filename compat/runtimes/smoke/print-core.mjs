import { core } from "./core.mjs";

console.log(JSON.stringify({ core: await core() }));
