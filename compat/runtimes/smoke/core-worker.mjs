import { core } from "./core.mjs";

export default { fetch: async () => Response.json({ core: await core() }) };
