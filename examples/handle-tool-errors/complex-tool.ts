import { tool } from "@langchain/core/tools";
import { z } from "zod";

/** The tool of LangChain's guide "How to handle tool errors". */
export const complexTool = tool(({ int_arg, float_arg }) => int_arg * float_arg, {
  name: "complex_tool",
  description: "Do something complex with a complex tool.",
  schema: z.object({
    int_arg: z.number().int(),
    float_arg: z.number(),
    dict_arg: z.record(z.string(), z.unknown()),
  }),
});

/** The guide's question. */
export const question =
  "use complex tool. the args are 5, 2.1, empty dictionary. don't forget dict_arg";
