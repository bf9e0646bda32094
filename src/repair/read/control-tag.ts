import { namesTool } from "./names-tool.ts";

/** What a tag at some place of a model's output is. */
export interface ControlTag {
  /** The index after it. */
  readonly end: number;
  readonly kind: "opening" | "closing";
}

/**
 * Reads a tag of a model's own chat template, as it stands around a call: `<tool_call>`,
 * `<function=click>`, `<|im_end|>`, `[TOOL_CALLS]`. A tag that quotes something (`<document>`,
 * `<tool_response>`) or names another tool is none.
 *
 * @param text The text.
 * @param at The index of its bracket.
 * @param toolName The tool that the text was given to; unknown where there is none.
 */
export function readControlTag(
  text: string,
  at: number,
  toolName: string | undefined,
): ControlTag | undefined {
  MARKER.lastIndex = at;
  const marker = MARKER.exec(text);
  if (marker) return { end: MARKER.lastIndex, kind: marker[1] ? "closing" : "opening" };
  TOKEN.lastIndex = at;
  const token = TOKEN.exec(text)?.[1]?.toLowerCase();
  if (token !== undefined) {
    const isOurs = TOKEN_WORD.test(token) && !QUOTING_WORD.test(token) && token !== "tool";
    const kind = CLOSING_WORD.test(token) ? "closing" : "opening";
    return isOurs ? { end: TOKEN.lastIndex, kind } : undefined;
  }
  TAG.lastIndex = at;
  const [tag, slash, name = "", attributes = ""] = TAG.exec(text) ?? [];
  if (tag === undefined) return undefined;
  const end = TAG.lastIndex;
  const folded = name
    .toLowerCase()
    .replace(/^antml:/, "")
    .replace(/[_-]/g, "");
  if (slash) return CLOSING.has(folded) ? { end, kind: "closing" } : undefined;
  if (STOPS.has(folded)) return { end, kind: "closing" };
  if (!OPENING.has(folded)) return undefined;
  const named = /^\s*(?:=|\bname\s*=)\s*["']?([\w.:-]+)["']?\s*$/.exec(attributes)?.[1];
  if (named === undefined) return attributes.trim() === "" ? { end, kind: "opening" } : undefined;
  return namesTool(named, toolName) ? { end, kind: "opening" } : undefined;
}

const MARKER = /\[(\/)?(?:TOOL_CALLS?|ARGS)\]/y;
const TOKEN = /<[|｜]([^<>|｜\n]{1,60})[|｜]>(?:assistant\n)?/y;
const TAG = /<(\/?)([A-Za-z][\w:.-]{0,40})((?:\s|=)[^<>\n]{0,200})?>/y;

const TOKEN_WORD =
  /tool|function|call|python_tag|im_|eot|eom|end|start|begin|sep|assistant|message|constrain|plugin|action|args/;
const QUOTING_WORD =
  /user|system|human|respon|observ|result|output|ipython|document|context|quot|example|search/;
const CLOSING_WORD = /end|eot|eom/;

const OPENING: ReadonlySet<string> = new Set(
  "toolcall toolcalls functioncall functioncalls function invoke tooluse toolinput actioninput arguments args json answer".split(
    " ",
  ),
);
/** A value's own tag leaks into the text behind it, too. */
const CLOSING: ReadonlySet<string> = new Set([
  ...OPENING,
  ..."parameter parameters params argument s think".split(" "),
]);
const STOPS: ReadonlySet<string> = new Set(["eos", "endofturn", "s"]);
