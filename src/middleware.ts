/**
 * Repair as a middleware of `createAgent`.
 *
 * @module toolmend/middleware
 */

export {
  type ToolInputMiddleware,
  type ToolInputMiddlewareOptions,
  toolInputMiddleware,
} from "./langchain/middleware/tool-input-middleware.ts";
