import { perTool, REFUSED } from "./per-tool.mjs";
import { readText } from "./read-text.mjs";
import { toCoercingZod } from "./to-coercing-zod.mjs";

/** The tool's schema written with z.coerce for every scalar. */
export const zodCoerce = perTool("zod with z.coerce", "zod", ({ schema }) => {
  const zod = toCoercingZod(schema);
  return (args) => {
    const parsed = zod.safeParse(readText(args, JSON.parse));
    return parsed.success ? parsed.data : REFUSED;
  };
});
