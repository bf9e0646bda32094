import type { ModelOutput } from "./scripted-model.ts";

/** A tool, and the input that it runs with. */
export interface ToolRun {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** One model output, and its intended calls. */
export interface Scenario extends ModelOutput {
  readonly name: string;
  /** The calls that should run. */
  readonly meant: readonly ToolRun[];
  /** What the error for the model must contain, if a call cannot run. */
  readonly mustSay?: RegExp;
}

const BUY: ToolRun = { tool: "click", input: { selector: "#buy" } };

/** Model outputs: a valid one, and the usual mistakes. */
export const scenarios: readonly Scenario[] = [
  {
    name: "right",
    calls: [{ tool: "click", args: '{"selector":"#buy"}' }],
    meant: [BUY],
  },
  {
    name: "wrong key",
    calls: [{ tool: "click", args: '{"element":"#buy"}' }],
    meant: [BUY],
  },
  {
    name: "bare string",
    calls: [{ tool: "click", args: '"#buy"' }],
    meant: [BUY],
  },
  {
    name: "stringified JSON",
    calls: [{ tool: "click", args: '"{\\"selector\\":\\"#buy\\"}"' }],
    meant: [BUY],
  },
  {
    name: "fenced and broken JSON",
    calls: [{ tool: "click", args: "```json\n{'selector': '#buy',}\n```" }],
    meant: [BUY],
  },
  {
    name: "null for an optional",
    calls: [{ tool: "open", args: '{"url":"/cart","newTab":null}' }],
    meant: [{ tool: "open", input: { url: "/cart" } }],
  },
  {
    name: "number as string",
    calls: [{ tool: "type", args: '{"selector":"#qty","text":"2","delay":"50"}' }],
    meant: [{ tool: "type", input: { selector: "#qty", text: "2", delay: 50 } }],
  },
  {
    name: "tool name in other case",
    calls: [{ tool: "Click", args: '{"selector":"#buy"}' }],
    meant: [BUY],
  },
  {
    name: "two calls, one broken",
    calls: [
      { tool: "type", args: '{"selector":"#qty" "text":"2"}' },
      { tool: "click", args: '{"selector":"#buy"}' },
    ],
    meant: [{ tool: "type", input: { selector: "#qty", text: "2" } }, BUY],
  },
  {
    name: "cut off",
    calls: [{ tool: "type", args: '{"selector":"#email","text":"ann@exam' }],
    cutOff: true,
    meant: [],
    mustSay: /cut off/,
  },
  {
    name: "no such tool",
    calls: [{ tool: "scroll", args: '{"to":"#buy"}' }],
    meant: [],
    mustSay: /scroll/,
  },
  {
    name: "only the page knows what",
    calls: [{ tool: "click", args: '{"x":412,"y":96}' }],
    meant: [BUY],
  },
];
