import type { StandardSchema } from "../../repair/schema/compile-schema.ts";
import { compileSchema } from "../../repair/schema/compile-schema.ts";
import type { ToolLike } from "../../repair/types.ts";

/**
 * Tells whether LangChain refuses an input by a tool's schema. Where it does not, the tool has run, and
 * what it answered came from within: from another tool that it called.
 *
 * @param args The input.
 * @param tool The tool.
 */
export async function isRefusedBySchema(args: unknown, { schema }: ToolLike): Promise<boolean> {
  // A string tool's own schema: LangChain runs it with nothing where toolmend would refuse a wrong key.
  if (!("~standard" in Object(schema))) return !(await compileSchema(schema).validate(args)).ok;
  try {
    const verdict = await (schema as StandardSchema)["~standard"].validate(args);
    return verdict.issues !== undefined;
  } catch {
    return true;
  }
}
