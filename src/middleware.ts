export {
  type ToolInputMiddleware,
  type ToolInputMiddlewareOptions,
  toolInputMiddleware,
} from "./langchain/middleware.ts";
