import type { ModelOutput } from "../demo/scripted-model.ts";

/** What the model writes, turn by turn: hardly anything is as the tools want it. */
export const outputs: readonly ModelOutput[] = [
  // A code fence, single quotes, a comma too many, and null for an optional.
  { calls: [{ tool: "open", args: "```json\n{'url': 'shop.html', 'newTab': null,}\n```" }] },
  // A number where text is wanted, and text where a number is.
  { calls: [{ tool: "type", args: '{"selector":"#qty","text":2,"delay":"10"}' }] },
  // Cut off in the middle of the address: refused, and the model is told. It writes it again.
  { calls: [{ tool: "type", args: '{"selector":"#email","text":"ann@exam' }], cutOff: true },
  { calls: [{ tool: "type", args: '{"selector":"#email","text":"ann@example.org"}' }] },
  // Another key, and two calls at once; another case, and the bare selector.
  {
    calls: [
      { tool: "click", args: '{"element":"#gift"}' },
      { tool: "Click", args: '"#terms"' },
    ],
  },
  // The place on the screen: the handler asks the page what is there.
  { calls: [{ tool: "click", args: '{"x":220,"y":352}' }] },
];
