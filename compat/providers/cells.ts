import type { Api, OutputVersion } from "./api.ts";
import { anthropic } from "./apis/anthropic.ts";
import { bedrock } from "./apis/bedrock.ts";
import { google, googleGenai } from "./apis/google.ts";
import { mistral } from "./apis/mistral.ts";
import { ollama } from "./apis/ollama.ts";
import { completions, responses } from "./apis/openai.ts";
import type { Way } from "./run.ts";

/** A provider, the way it is asked, and the format that LangChain keeps its answers in. */
export interface Cell {
  readonly name: string;
  readonly api: Api;
  readonly way: Way;
  readonly outputVersion: OutputVersion;
  /** Whether the model's arguments are text on this wire. */
  readonly isText: boolean;
  /** LangChain's own faults with valid calls, without toolmend. */
  readonly own: string | undefined;
}

/** LangChain's events are always in the newer format. */
const WAYS: readonly (readonly [Way, OutputVersion])[] = [
  ["whole", "v0"],
  ["whole", "v1"],
  ["streamed", "v0"],
  ["streamed", "v1"],
  ["events", "v1"],
];

const TWICE = "each call is sent twice";
const RUN_TWICE = "each call is run twice";
const THROWS = "the second request throws";
const DROPPED = "calls are left out, and their answers are not";

/** The faults of LangChain 1.5 itself, with core 1.4. A test fails once one is fixed. */
const OWN: Readonly<Record<string, string>> = {
  "Anthropic streamed v1": TWICE,
  "google whole v1": RUN_TWICE,
  "google streamed v1": RUN_TWICE,
  "google-genai whole v1": TWICE,
  "google-genai streamed v1": RUN_TWICE,
  "google-genai events v1": TWICE,
  "mistralai whole v1": THROWS,
  "mistralai streamed v1": THROWS,
  "mistralai events v1": THROWS,
  "ollama whole v1": DROPPED,
  "ollama streamed v1": DROPPED,
  "ollama events v1": DROPPED,
};

/** How often LangChain runs each call in a cell. */
export function runsOf({ own }: Cell): number {
  return own === RUN_TWICE ? 2 : 1;
}

/** Every provider, in every way. */
export const CELLS: readonly Cell[] = [
  ...[completions, responses, anthropic, google, googleGenai, bedrock, mistral, ollama],
].flatMap((api) =>
  WAYS.map(([way, outputVersion]) => {
    const name = `${api.name} ${way} ${outputVersion}`;
    const isText = way === "whole" ? api.text.whole : api.text.streamed;
    return { name, api, way, outputVersion, isText, own: OWN[name] };
  }),
);
