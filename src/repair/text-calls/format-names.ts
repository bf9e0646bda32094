import { arrayOf, type Check, oneOf } from "../usage.ts";
import { wordsIn } from "../words/vocabulary.ts";

/**
 * How models write calls as text: docs/text-calls.md lists them with the models
 * that write them.
 */
export type TextFormatName =
  // opened by a token
  | (
      | "hermes"
      | "qwen3-coder"
      | "glm"
      | "laguna"
      | "invoke-tool-call"
      | "seed"
      | "tool-calls"
    )
  | (
      | "llama"
      | "llama-python"
      | "mistral"
      | "deepseek-v3"
      | "deepseek-v3.1"
      | "dsml"
      | "harmony"
    )
  | (
      | "kimi-k2"
      | "kimi-k3"
      | "plamo"
      | "solar"
      | "inkling"
      | "k2-horizon"
      | "iquest"
      | "atem"
    )
  | (
      | "minimax-m2"
      | "minimax-m3"
      | "dots"
      | "gemma-function"
      | "gemma"
      | "lfm2"
      | "minicpm"
    )
  | (
      | "granite"
      | "granite-20b"
      | "hunyuan"
      | "gigachat"
      | "cohere"
      | "internlm"
      | "apertus"
    )
  | (
      | "longcat"
      | "step"
      | "sarashina"
      | "lm-studio"
      | "tool-call-marks"
      | "function-element"
    )
  // by text that prose may hold
  | (
      | "function-tag"
      | "invoke"
      | "minicpm-xml"
      | "olmo"
      | "phi"
      | "qwen-tools"
      | "nemotron"
    )
  | ("cohere-action" | "cwm" | "hyperclova" | "rwkv" | "react")
  // by nothing
  | (
      | "fenced-json"
      | "fenced-python"
      | "json"
      | "python-list"
      | "python"
      | "elements"
    )
  | "gemma-bare";

const NAMES = `hermes qwen3-coder glm laguna invoke-tool-call seed tool-calls llama llama-python mistral
  deepseek-v3 deepseek-v3.1 dsml harmony kimi-k2 kimi-k3 plamo solar inkling k2-horizon iquest
  atem minimax-m2 minimax-m3 dots gemma-function gemma lfm2 minicpm granite granite-20b hunyuan
  gigachat cohere internlm apertus longcat step sarashina lm-studio
  tool-call-marks function-element function-tag invoke minicpm-xml olmo
  phi qwen-tools nemotron cohere-action cwm hyperclova rwkv react fenced-json fenced-python json
  python-list python elements gemma-bare`;

/** Checks a list of formats without loading them. */
export const aFormatList: Check = arrayOf({
  ...oneOf(...wordsIn(NAMES)),
  must: "a name of docs/text-calls.md",
});
