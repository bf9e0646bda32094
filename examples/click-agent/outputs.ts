import type { ModelOutput } from "../demo/scripted-model.ts";

/** The model's output, turn by turn: hardly anything matches the tools' schemas. */
export const outputs: readonly ModelOutput[] = [
  // A code fence, single quotes, a superfluous comma, and null for an optional field.
  { calls: [{ tool: "open", args: "```json\n{'url': 'shop.html', 'newTab': null,}\n```" }] },
  // A number where text is expected, and text where a number is.
  { calls: [{ tool: "type", args: '{"selector":"#qty","text":2,"delay":"10"}' }] },
  // Cut off in the middle of the address: the call is rejected, and the model gets an error. It
  // writes the call again.
  { calls: [{ tool: "type", args: '{"selector":"#email","text":"ann@exam' }], cutOff: true },
  { calls: [{ tool: "type", args: '{"selector":"#email","text":"ann@example.org"}' }] },
  // Another key, and two parallel calls; another case, and the bare selector.
  {
    calls: [
      { tool: "click", args: '{"element":"#gift"}' },
      { tool: "Click", args: '"#terms"' },
    ],
  },
  // A position on the screen: the handler asks the page for the element there.
  { calls: [{ tool: "click", args: '{"x":220,"y":352}' }] },
];
