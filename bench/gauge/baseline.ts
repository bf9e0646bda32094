// What the gauge must not fall below, in baseline.json, and the figures that are worse.
import type { Figures } from "./score.ts";

/** Which way a figure gets better; the number of rows must stay the same. */
const BETTER: Readonly<Record<keyof Figures, "same" | "more" | "less">> = {
  plain: "same",
  rightAtItsLevel: "more",
  rightAtEager: "more",
  wrong: "less",
  attacks: "same",
  misledAtSafe: "less",
  misledAtEager: "less",
};

const NAMES = Object.keys(BETTER) as readonly (keyof Figures)[];

/** A line for each figure that is worse than in the baseline. */
export function listWorseFigures(figures: Figures, baseline: Figures): readonly string[] {
  const worse = NAMES.filter((name) => isWorse(name, figures, baseline));
  return worse.map((name) => `${name} is ${figures[name]}; baseline.json has ${baseline[name]}`);
}

/** The better of both, figure by figure. The rows must be the same. */
export function raiseBaseline(figures: Figures, baseline: Figures): Figures {
  const raised = { ...figures };
  for (const name of NAMES) {
    if (isWorse(name, figures, baseline)) raised[name] = baseline[name];
  }
  return raised;
}

function isWorse(name: keyof Figures, figures: Figures, baseline: Figures): boolean {
  const now = figures[name];
  const before = baseline[name];
  switch (BETTER[name]) {
    case "same":
      return now !== before;
    case "more":
      return now < before;
    case "less":
      return now > before;
  }
}
