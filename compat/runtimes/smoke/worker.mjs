import { all } from "./all.mjs";

export default { fetch: async () => Response.json(await all()) };
