export { type ToolInputMiddlewareOptions, toolInputMiddleware } from "./langchain/middleware.ts";
