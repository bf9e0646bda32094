import { all } from "./all.mjs";

console.log(JSON.stringify(await all()));
process.exit(0);
