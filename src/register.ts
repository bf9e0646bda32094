/**
 * The entry point with a side effect: importing it, as
 * `import "toolmend/register"` or with
 * `node --import toolmend/register app.js`, registers toolmend for the process.
 *
 * It swaps `StructuredTool.prototype.call` in the ESM and the CommonJS build of
 * every copy of @langchain/core that the project reaches, the inner methods of
 * AgentExecutor (@langchain/classic, langchain 0.3) if installed, and
 * `Symbol.hasInstance` of ToolInputParsingException and OutputParserException.
 * `unregister()` puts everything back.
 *
 * @module toolmend/register
 */

import { register } from "./langchain/register/register.ts";

export { register, unregister } from "./langchain/register/register.ts";
export type { RegisterOptions } from "./langchain/register/registrations.ts";
export { globalFixers } from "./langchain/register/registrations.ts";

register();
