import { agent, wrapped } from "./agents.mjs";
import { core } from "./core.mjs";

/** All of it, as one JSON value. */
export async function all() {
  return { core: await core(), wrapped: await wrapped(), agent: await agent() };
}
