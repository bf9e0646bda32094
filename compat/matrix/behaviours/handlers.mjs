import { match, same, thrownBy } from "./expect.mjs";
import { inBothWays } from "./ways.mjs";

const stop = () => {
  throw new Error("STOP");
};

/**
 * What `handleParsingErrors` may be, and what becomes of a tool input that nothing corrects: the model goes on with
 * an observation, or the run ends with an error. LangChain's bare executor is held to it, too.
 */
export const handlers = [
  { title: "absent", ends: /did not match expected schema/ },
  {
    title: "true",
    handler: true,
    observation: "Invalid or incomplete tool input. Please try again.",
  },
  { title: "a string", handler: "look first", observation: "look first" },
  { title: "a function", handler: () => "look first", observation: "look first" },
  { title: "a function that throws", handler: stop, ends: /^STOP$/ },
].flatMap(toBehaviours);

/** Those that LangChain's bare executor does not await. */
export const asyncHandlers = [
  { title: "an async function", handler: async () => "look first", observation: "look first" },
  { title: "an async function that throws", handler: async () => stop(), ends: /^STOP$/ },
].flatMap(toBehaviours);

function toBehaviours({ title, handler, observation, ends }) {
  return inBothWays(`an unfit input where handleParsingErrors is ${title}`, async (lab, run) => {
    const executor = lab.executor({
      actions: [[{ tool: "click", toolInput: { nothing: 5 }, log: "" }]],
      ...(handler !== undefined && { handleParsingErrors: handler }),
    });
    if (ends !== undefined) {
      match((await thrownBy(run(executor))).message, ends);
      return;
    }
    const steps = await run(executor);
    same(steps.length, 1);
    same(steps[0].observation, observation);
  });
}
