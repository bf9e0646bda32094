/** A behaviour of an executor that is invoked, and the same of one that streams. */
export function inBothWays(name, test) {
  return [
    { name, area: "executor", run: (lab) => test(lab, (executor) => invoked(executor)) },
    {
      name: `${name}, streamed`,
      area: "streaming",
      needs: "streaming",
      run: (lab) => test(lab, (executor) => streamed(executor)),
    },
  ];
}

/** The steps of a run. */
export async function invoked(executor) {
  return (await executor.invoke({ input: "go" })).intermediateSteps;
}

async function streamed(executor) {
  const steps = [];
  for await (const chunk of await executor.stream({ input: "go" })) {
    // The last chunk holds all the steps again.
    if (!("output" in chunk)) steps.push(...(chunk.intermediateSteps ?? []));
  }
  return steps;
}
