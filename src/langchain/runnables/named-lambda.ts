import { type Runnable, type RunnableConfig, RunnableLambda } from "@langchain/core/runnables";

/**
 * Makes a Runnable of a function, with a name for the tracer. LangChain's own lambda does the rest:
 * batch, stream (in one chunk), callbacks, aborts.
 *
 * @param name The name of its runs.
 * @param run The function; its config has the callbacks for what it runs.
 */
export function namedLambda<Input, Output>(
  name: string,
  run: (input: Input, config: RunnableConfig) => Promise<Output>,
): Runnable<Input, Output> {
  const lambda = new RunnableLambda<Input, Output>({
    func: ((input: Input, options: RunnableConfig & { config?: unknown }) => {
      // In a stream, LangChain puts the config into itself.
      const { config: _, ...config } = options;
      return run(input, config);
    }) as never,
  });
  lambda.name = name;
  return lambda;
}
