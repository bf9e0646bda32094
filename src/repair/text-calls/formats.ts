import {
  readBareCalls,
  readCallLines,
  readCallList,
  readCallsWithArguments,
  readKeyedCalls,
} from "./read-calls.ts";
import { readCommand } from "./read-command.ts";
import { readElements } from "./read-elements.ts";
import { readMarked } from "./read-marked.ts";
import { readPythonLines, readPythonList, readPythonMethod, readPythonOne } from "./read-python.ts";
import { readJsonArguments, readTagged } from "./read-tagged.ts";
import { readYaml } from "./read-yaml.ts";
import type { Piece, TextFormat } from "./text-format.ts";

const NAME: Piece = { name: /(?<name>[\w.-]+)/y };
const INVOKE: Piece = { name: /<invoke name="(?<name>[\w.-]+)">/y };
const FUNCTION: Piece = { name: /<function=(?<name>[\w.-]+)>/y };
const JSON_ARGS: Piece = { args: readJsonArguments };
const CALLS: Piece = { calls: readCallLines };

const PARAMETERS: Piece = {
  args: readTagged({
    open: /<parameter=([^<>\s]+)>/y,
    close: "</parameter>",
    never: "<parameter",
    padding: "lines",
  }),
};

const NAMED_PARAMETERS: Piece = {
  args: readTagged({
    open: /<parameter name="([^"<>]+)">/y,
    close: "</parameter>",
    never: "<parameter",
    padding: "lines",
  }),
};

const ARG_PAIRS: Piece = argPairs("arg_key", "arg_value");

/** Keys and values in turns, each in a tag. */
function argPairs(key: string, value: string): Piece {
  return {
    args: readTagged({
      open: new RegExp(`<${key}>\\s*([^<>\\s]+)\\s*</${key}>`, "y"),
      between: `<${value}>`,
      close: `</${value}>`,
      never: `<${key}>`,
    }),
  };
}

/** DeepSeek's markup: a parameter says itself whether its value is text. */
function dsml(mark: string, section: string): TextFormat {
  return {
    format: `${mark.toLowerCase()}-${section.replace("_", "-")}`,
    open: `<｜${mark}｜${section}>`,
    call: [
      { name: new RegExp(`<｜${mark}｜invoke name="(?<name>[\\w.-]+)">`, "y") },
      {
        args: readTagged({
          open: new RegExp(
            `<｜${mark}｜parameter name="([^"<>]+)"(?: string="(true|false)")?>`,
            "y",
          ),
          close: `</｜${mark}｜parameter>`,
          never: `<｜${mark}｜parameter`,
        }),
      },
      `</｜${mark}｜invoke>`,
    ],
    close: `</｜${mark}｜${section}>`,
    takesLead: true,
  };
}

/** An opening tag, calls in `<invoke>`, a closing tag. */
function invokesIn(tag: string, format: string): TextFormat {
  return {
    format,
    open: `<${tag}>`,
    call: [INVOKE, NAMED_PARAMETERS, "</invoke>"],
    close: `</${tag}>`,
    takesLead: true,
  };
}

/** Hunyuan: all tags may end in a suffix that names the release. */
function hunyuan(suffix: string): TextFormat {
  const tag = (name: string) => `<${name}${suffix}>`;
  const end = (name: string) => `</${name}${suffix}>`;
  return {
    format: `hunyuan${suffix.replace(":", "-")}`,
    open: tag("tool_calls"),
    call: [
      tag("tool_call"),
      NAME,
      { optional: tag("tool_sep") },
      argPairs(`arg_key${suffix}`, `arg_value${suffix}`),
      end("tool_call"),
    ],
    close: end("tool_calls"),
    takesLead: true,
  };
}

/** Calls as a JSON list between two tokens, or one call as an object. */
function jsonBetween(
  open: string,
  close: string | undefined,
  { calls = CALLS, ...entry }: Pick<TextFormat, "format"> & { calls?: Piece } & Partial<TextFormat>,
): TextFormat {
  return { takesLead: true, isStopToken: true, ...entry, open, call: [calls], close };
}

/** A fence of another language shows a log, a test, an output. */
const FENCE =
  /(?:```|~~~)(?:json[5c]?|tool_?(?:calls?|code|use)?|function_?calls?|action)?[ \t]*\r?\n/iy;
const FENCE_END = /```|~~~/y;

/**
 * Every format in which calls are read from text. A new one is an entry here and its cases.
 *
 * Where a format's closing token is a stop token, its arguments show by themselves where they end:
 * then a call that was cut off is never taken for a whole one.
 */
export const textFormats: readonly TextFormat[] = [
  {
    format: "hermes",
    call: ["<tool_call>", CALLS, "</tool_call>"],
    isStopToken: true,
    takesLead: true,
  },
  {
    format: "qwen3-coder",
    open: "<tool_call>",
    call: [FUNCTION, PARAMETERS, "</function>"],
    close: "</tool_call>",
    isStopToken: true,
    takesLead: true,
  },
  {
    format: "qwen3-coder-open",
    call: ["<tool_call>", FUNCTION, PARAMETERS, "</tool_call>"],
    takesLead: true,
  },
  {
    format: "qwen3-coder-json",
    call: ["<tool_call>", FUNCTION, JSON_ARGS, "</function>", "</tool_call>"],
    isStopToken: true,
    takesLead: true,
  },
  {
    format: "function-tag",
    call: [FUNCTION, PARAMETERS, "</function>"],
  },
  {
    format: "function-tag-json",
    call: [FUNCTION, JSON_ARGS, "</function>"],
  },
  {
    format: "seed",
    open: "<seed:tool_call>",
    call: [FUNCTION, PARAMETERS, "</function>"],
    close: "</seed:tool_call>",
    takesLead: true,
  },
  {
    format: "llama-json",
    open: "<|python_tag|>",
    call: [CALLS],
    between: ";",
    takesLead: true,
  },
  {
    format: "llama-builtin",
    open: "<|python_tag|>",
    call: [{ calls: readPythonMethod }],
    between: ";",
    takesLead: true,
  },
  {
    format: "llama-python",
    open: "<|python_start|>",
    call: [{ calls: readPythonList }],
    close: "<|python_end|>",
    isStopToken: true,
    takesLead: true,
  },
  jsonBetween("[TOOL_CALLS]", undefined, {
    format: "mistral-list",
    calls: { calls: readCallList },
  }),
  {
    format: "mistral",
    call: ["[TOOL_CALLS]", NAME, { optional: "[ARGS]" }, JSON_ARGS],
    takesLead: true,
  },
  {
    format: "mistral-call-id",
    call: [
      "[TOOL_CALLS]",
      { name: /(?<name>[\w.-]+)\[CALL_ID\](?<id>[\w-]+)/y },
      "[ARGS]",
      JSON_ARGS,
    ],
    takesLead: true,
  },
  {
    format: "deepseek-v3",
    open: "<｜tool▁calls▁begin｜>",
    call: [
      "<｜tool▁call▁begin｜>",
      "function",
      "<｜tool▁sep｜>",
      NAME,
      "```json",
      JSON_ARGS,
      "```",
      "<｜tool▁call▁end｜>",
    ],
    close: "<｜tool▁calls▁end｜>",
    takesLead: true,
  },
  {
    format: "deepseek-v3.1",
    open: "<｜tool▁calls▁begin｜>",
    call: ["<｜tool▁call▁begin｜>", NAME, "<｜tool▁sep｜>", JSON_ARGS, "<｜tool▁call▁end｜>"],
    close: "<｜tool▁calls▁end｜>",
    takesLead: true,
  },
  dsml("DSML", "function_calls"),
  dsml("DSML", "tool_calls"),
  dsml("GCML", "tool_calls"),
  {
    format: "kimi-k2",
    open: "<|tool_calls_section_begin|>",
    call: [
      { name: /<\|tool_call_begin\|>\s*(?<id>(?:functions\.)?(?<name>[\w.-]+):\d+)/y },
      "<|tool_call_argument_begin|>",
      JSON_ARGS,
      "<|tool_call_end|>",
    ],
    close: "<|tool_calls_section_end|>",
    takesLead: true,
  },
  {
    format: "kimi-k2-bare",
    call: [
      "<|tool_call_begin|>",
      { name: /(?<id>(?:functions\.)?(?<name>[\w.-]+):\d+)/y },
      "<|tool_call_argument_begin|>",
      JSON_ARGS,
      "<|tool_call_end|>",
    ],
    takesLead: true,
  },
  {
    format: "kimi-k3",
    open: "<|open|>tools<|sep|>",
    call: [
      { name: /<\|open\|>call tool="(?<name>[\w.-]+)"(?: index="\d{1,6}")?<\|sep\|>/y },
      {
        args: readTagged({
          open: /<\|open\|>argument key="([^"<>&]+)"(?: type="(\w+)")?<\|sep\|>/y,
          close: "<|close|>argument<|sep|>",
          never: "<|open|>argument",
        }),
      },
      "<|close|>call<|sep|>",
    ],
    close: "<|close|>tools<|sep|>",
    takesLead: true,
    lead: { open: /<\|open\|>response<\|sep\|>/y, close: "<|close|>response<|sep|>" },
  },
  {
    format: "plamo",
    open: "<|plamo:begin_tool_requests:plamo|>",
    call: [
      "<|plamo:begin_tool_request:plamo|>",
      "<|plamo:begin_tool_name:plamo|>",
      NAME,
      "<|plamo:end_tool_name:plamo|>",
      "<|plamo:begin_tool_arguments:plamo|>",
      { optional: "<|plamo:msg|>" },
      JSON_ARGS,
      "<|plamo:end_tool_arguments:plamo|>",
      "<|plamo:end_tool_request:plamo|>",
    ],
    close: "<|plamo:end_tool_requests:plamo|>",
    takesLead: true,
  },
  {
    format: "solar",
    call: [
      "<|tool_call:start|>",
      NAME,
      {
        args: readTagged({
          open: /<\|tool_arg:start\|>([\w.-]+)/y,
          between: "<|tool_arg:value|>",
          close: "<|tool_arg:end|>",
          never: "<|tool_arg:start|>",
        }),
      },
      "<|tool_call:end|>",
    ],
    takesLead: true,
  },
  {
    format: "inkling",
    call: [
      {
        token: /(?:<\|message_model\|>[\w.-]{0,100})?<\|content_invoke_tool_json\|>/y,
      },
      { calls: readCallLines },
      "<|end_message|>",
    ],
    isStopToken: true,
  },
  {
    format: "k2-json",
    open: "<ifm|tool_calls>",
    call: ["<ifm|tool_call>", CALLS, "</ifm|tool_call>"],
    close: "</ifm|tool_calls>",
    takesLead: true,
  },
  {
    format: "k2-xml",
    open: "<ifm|tool_calls>",
    call: [
      "<ifm|tool_call>",
      NAME,
      {
        args: readTagged({
          open: /<ifm\|arg_key>\s*([^<>\s]+)\s*<\/ifm\|arg_key>(?:\s*<ifm\|arg_type>(\w+)<\/ifm\|arg_type>)?/y,
          between: "<ifm|arg_value>",
          close: "</ifm|arg_value>",
          never: "<ifm|arg_key>",
        }),
      },
      "</ifm|tool_call>",
    ],
    close: "</ifm|tool_calls>",
    takesLead: true,
  },
  {
    format: "iquest",
    call: ["<iquest_tool_call>", NAME, ARG_PAIRS, "</iquest_tool_call>"],
    takesLead: true,
  },
  {
    format: "iquest-coder",
    call: ["<iquestcoder_tool_call>", NAME, ARG_PAIRS, "</iquestcoder_tool_call>"],
    takesLead: true,
  },
  {
    format: "step-audio",
    call: [
      "<tool_call>",
      { name: /function\s*\n\s*(?<name>[\w.-]+)[ \t]*\n/y },
      JSON_ARGS,
      "</tool_call>",
    ],
    isStopToken: true,
    takesLead: true,
  },
  {
    format: "hyperclova",
    call: ["-> tool/function_call", { calls: readCallList }],
  },
  {
    format: "rwkv",
    call: ["**Tool Call:**", { token: /```(?:json)?[ \t]*\n/y }, CALLS, "```"],
  },
  {
    format: "glm",
    call: ["<tool_call>", NAME, ARG_PAIRS, "</tool_call>"],
    takesLead: true,
  },
  {
    format: "harmony",
    call: [
      {
        name: /(?:<\|start\|>(?:assistant)?)?\s?(?:<\|channel\|>(?:commentary|analysis))?\s?to=(?:functions\.)?(?<name>[\w.-]+)\s?(?:<\|channel\|>(?:commentary|analysis))?\s?(?:<\|constrain\|>)?(?:json)?\s?<\|message\|>/y,
      },
      JSON_ARGS,
      "<|call|>",
    ],
    isStopToken: true,
    lead: {
      open: /(?:<\|start\|>assistant)?<\|channel\|>(?:commentary|final)<\|message\|>/y,
      close: "<|end|>",
    },
  },
  {
    format: "tool-calls",
    open: "<tool_calls>",
    call: [{ calls: readCallLines }],
    close: "</tool_calls>",
    takesLead: true,
  },
  invokesIn("minimax:tool_call", "minimax-m2"),
  invokesIn("dots_function_call", "dots"),
  {
    format: "minimax-m3",
    open: "]<]minimax[>[<tool_call>",
    call: [
      { name: /\]<\]minimax\[>\[\s*<invoke name="(?<name>[\w.-]+)">/y },
      { args: readElements("]<]minimax[>[") },
      "]<]minimax[>[</invoke>",
    ],
    close: "]<]minimax[>[</tool_call>",
    takesLead: true,
  },
  invokesIn("function_calls", "invoke"),
  invokesIn("tool_call", "invoke-tool-call"),
  {
    format: "invoke-bare",
    call: [INVOKE, NAMED_PARAMETERS, "</invoke>"],
  },
  {
    format: "atem",
    open: "<atem:function_calls>",
    call: [
      { name: /<atem:invoke name="(?<name>[\w.-]+)">/y },
      {
        args: readTagged({
          open: /<atem:parameter name="([^"<>]+)">/y,
          close: "</atem:parameter>",
          never: "<atem:parameter",
          padding: "lines",
        }),
      },
      "</atem:invoke>",
    ],
    close: "</atem:function_calls>",
    takesLead: true,
  },
  {
    format: "gemma-function",
    call: [
      "<start_function_call>",
      { name: /call:(?<name>[\w.-]+)/y },
      { args: readMarked("<escape>") },
      "<end_function_call>",
    ],
    isStopToken: true,
    takesLead: true,
  },
  {
    format: "gemma",
    call: [
      "<|tool_call>",
      { name: /call:(?<name>[\w.-]+)/y },
      { args: readMarked('<|"|>') },
      "<tool_call|>",
    ],
    isStopToken: true,
    takesLead: true,
  },
  {
    format: "gemma-python",
    call: ["<|tool_call>", "call:", { calls: readPythonOne }, "<tool_call|>"],
    isStopToken: true,
    takesLead: true,
  },
  {
    format: "gemma-bare",
    call: [{ name: /call:(?<name>[\w.-]+)/y }, { args: readMarked('<|"|>') }],
    isCommon: true,
  },
  {
    format: "lfm2",
    open: "<|tool_call_start|>",
    call: [{ calls: readPythonList }],
    close: "<|tool_call_end|>",
    takesLead: true,
  },
  {
    format: "minicpm",
    open: "<|tool_call_start|>",
    call: ["```python", { calls: readPythonLines }, "```"],
    close: "<|tool_call_end|>",
    takesLead: true,
  },
  {
    format: "minicpm-xml",
    call: [
      { name: /<function name="(?<name>[\w.-]+)">/y },
      {
        args: readTagged({
          open: /<param name="([^"<>]+)">/y,
          close: "</param>",
          never: "<param name=",
          padding: "xml",
        }),
      },
      "</function>",
    ],
  },
  jsonBetween("<|tool_call|>", "<|/tool_call|>", {
    format: "granite",
  }),
  jsonBetween("<function_call>", undefined, {
    format: "granite-20b",
  }),
  hunyuan(""),
  hunyuan(":opensource"),
  jsonBetween("<|function_call|>", undefined, {
    format: "gigachat-3.1",
  }),
  jsonBetween("<|message_sep|>\n\nfunction call<|role_sep|>", undefined, {
    format: "gigachat",
  }),
  jsonBetween("function call<|role_sep|>", undefined, {
    format: "gigachat-bare",
    takesLead: false,
  }),
  {
    format: "olmo",
    open: "<function_calls>",
    call: [{ calls: readPythonLines }],
    close: "</function_calls>",
    takesLead: true,
  },
  jsonBetween("functools", undefined, {
    format: "phi",
    calls: { calls: readCallList },
    takesLead: false,
  }),
  jsonBetween("<|START_ACTION|>", "<|END_ACTION|>", {
    format: "cohere",
    lead: { open: /<\|START_RESPONSE\|>/y, close: "<|END_RESPONSE|>" },
  }),
  jsonBetween("<|action_start|><|plugin|>", "<|action_end|>", {
    format: "internlm",
  }),
  jsonBetween("<|tool_call_start|>", "<|tool_call_end|>", {
    format: "pangu",
    calls: { calls: readCallList },
  }),
  {
    format: "qwen-tools",
    call: ["<tools>", { calls: readCallsWithArguments }, "</tools>"],
    takesLead: true,
  },
  {
    format: "cohere-action",
    call: ["Action:", { token: /```json[ \t]*\n/y }, { calls: readCallList }, "```"],
  },
  jsonBetween("<TOOLCALL>", "</TOOLCALL>", { format: "nemotron" }),
  jsonBetween("<|tools_prefix|>", "<|tools_suffix|>", {
    format: "apertus",
    calls: { calls: readKeyedCalls },
  }),
  jsonBetween("<longcat_tool_call>", "</longcat_tool_call>", {
    format: "longcat",
  }),
  {
    format: "longcat-pairs",
    call: [
      "<longcat_tool_call>",
      NAME,
      argPairs("longcat_arg_key", "longcat_arg_value"),
      "</longcat_tool_call>",
    ],
    takesLead: true,
  },
  {
    format: "cwm",
    call: [
      { token: /<tool:\s?function>/y },
      { name: /(?<name>[\w.-]+)(?=\s)/y },
      { args: readCommand("</tool>") },
      "</tool>",
    ],
  },
  {
    format: "step",
    open: "<｜tool_calls_begin｜>",
    call: [
      "<｜tool_call_begin｜>",
      "function",
      "<｜tool_sep｜>",
      { name: /<steptml:invoke name="(?<name>[\w.-]+)">/y },
      {
        args: readTagged({
          open: /<steptml:parameter name="([^"<>]+)">/y,
          close: "</steptml:parameter>",
          never: "<steptml:parameter",
          padding: "lines",
        }),
      },
      "</steptml:invoke>",
      "<｜tool_call_end｜>",
    ],
    close: "<｜tool_calls_end｜>",
    takesLead: true,
  },
  {
    format: "react",
    call: [
      {
        name: /(?:Thought:(?<thought>[^\n]*)\n+)?Action:[ \t]*[`"'[]?(?<name>[\w.-]+)[`"'\]]?[ \t]*\n/y,
      },
      "Action Input:",
      JSON_ARGS,
    ],
  },
  {
    format: "fenced-json",
    call: [{ token: FENCE }, { calls: readBareCalls }, { token: FENCE_END }],
    isCommon: true,
  },
  {
    format: "fenced-python",
    call: [{ token: /```(?:python|py|tool_code)?[ \t]*\r?\n/y }, { calls: readPythonLines }, "```"],
    isCommon: true,
  },
  {
    format: "json",
    call: [{ calls: readBareCalls }],
    between: ";",
    isCommon: true,
  },
  {
    format: "python-list",
    call: [{ calls: readPythonList }],
    isCommon: true,
  },
  {
    format: "python",
    call: [{ calls: readPythonLines }],
    isCommon: true,
  },
  {
    format: "elements",
    call: [
      { name: /<(?<name>[A-Za-z_][\w.-]*)>/y },
      { args: readElements() },
      { closingTag: true },
    ],
    isCommon: true,
  },
  {
    format: "yaml",
    call: [
      { name: /<(?<name>[A-Za-z_][\w.-]*)>[ \t]*\r?\n/y },
      { args: readYaml },
      { closingTag: true },
    ],
    isCommon: true,
  },
];

/**
 * The forms in which a chat agent of LangChain writes its action: JSON in a fence, in one that is
 * not closed, or bare.
 */
export const blobFormats: readonly TextFormat[] = [
  ...textFormats.filter(({ format }) => format === "fenced-json" || format === "json"),
  {
    format: "open-fence",
    call: [{ token: FENCE }, { calls: readBareCalls }],
  },
];
