/**
 * The entry point with a side effect: importing it, as `import "toolmend/register"` or with
 * `node --import toolmend/register app.js`, registers toolmend for the process.
 *
 * It swaps `StructuredTool.prototype.call` in the ESM and the CommonJS build of every copy of
 * @langchain/core that the project reaches, the inner methods of AgentExecutor (@langchain/classic,
 * langchain 0.3) where that is installed, and `Symbol.hasInstance` of ToolInputParsingException and
 * OutputParserException. `unregister()` puts everything back; `toolmend/register/api` has the same functions
 * without the side effect.
 *
 * @module toolmend/register
 */

import { register } from "./register-api.ts";

export {
  globalFixers,
  type RegisterOptions,
  register,
  unregister,
} from "./register-api.ts";

register();
