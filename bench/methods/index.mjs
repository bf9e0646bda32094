import { aiSdkToolParser } from "./ai-sdk-tool-parser.mjs";
import { ajvCoerce } from "./ajv-coerce.mjs";
import { baml } from "./baml.mjs";
import { jsonParse, langchain } from "./json-parse.mjs";
import { jsonrepairAjv, jsonrepairValidate } from "./jsonrepair.mjs";
import { mastra } from "./mastra.mjs";
import { toolmend } from "./toolmend.mjs";
import { typia } from "./typia.mjs";
import { zodCoerce } from "./zod-coerce.mjs";

/** Every compared method, in the order of the tables. */
export const methods = [
  langchain,
  jsonParse,
  jsonrepairValidate,
  ajvCoerce,
  jsonrepairAjv,
  zodCoerce,
  mastra,
  typia,
  aiSdkToolParser,
  baml,
  toolmend("safe"),
  toolmend("eager"),
];
