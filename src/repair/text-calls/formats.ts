import { readBareCalls, readCallLines, readCallList, readKeyedCalls } from "./read-calls.ts";
import { readElements } from "./read-elements.ts";
import { readMarked } from "./read-marked.ts";
import { readPythonLines, readPythonList } from "./read-python.ts";
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
    never: "<parameter=",
    padding: "lines",
  }),
};

const NAMED_PARAMETERS: Piece = {
  args: readTagged({
    open: /<parameter name="([^"<>]+)">/y,
    close: "</parameter>",
    never: "<parameter name=",
    padding: "lines",
  }),
};

const ARG_PAIRS: Piece = argPairs("");

/** Keys and values in turns, in tags whose names may have a suffix. */
function argPairs(suffix: string): Piece {
  return {
    args: readTagged({
      open: new RegExp(`<arg_key${suffix}>\\s*([^<>\\s]+)\\s*</arg_key${suffix}>`, "y"),
      between: `<arg_value${suffix}>`,
      close: `</arg_value${suffix}>`,
      never: `<arg_key${suffix}>`,
    }),
  };
}

/** DeepSeek's markup: a parameter says itself whether its value is text. */
function dsml(mark: string, section: string, models: string): TextFormat {
  return {
    format: `${mark.toLowerCase()}-${section.replace("_", "-")}`,
    models,
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
    example: [
      `<｜${mark}｜${section}>`,
      `<｜${mark}｜invoke name="get_weather">`,
      `<｜${mark}｜parameter name="city" string="true">Paris</｜${mark}｜parameter>`,
      `<｜${mark}｜parameter name="days" string="false">3</｜${mark}｜parameter>`,
      `</｜${mark}｜invoke>`,
      `</｜${mark}｜${section}>`,
    ].join("\n"),
  };
}

/** An opening tag, calls in `<invoke>`, a closing tag. */
function invokesIn(tag: string, entry: Pick<TextFormat, "format" | "models">): TextFormat {
  return {
    ...entry,
    open: `<${tag}>`,
    call: [INVOKE, NAMED_PARAMETERS, "</invoke>"],
    close: `</${tag}>`,
    takesLead: true,
    example: `<${tag}>\n<invoke name="get_weather">\n${NAMED_TAGS}\n</invoke>\n</${tag}>`,
  };
}

/** Hunyuan: all tags may end in a suffix that names the release. */
function hunyuan(suffix: string): TextFormat {
  const tag = (name: string) => `<${name}${suffix}>`;
  const end = (name: string) => `</${name}${suffix}>`;
  return {
    format: `hunyuan${suffix.replace(":", "-")}`,
    models: "Hunyuan 3 and 4",
    open: tag("tool_calls"),
    call: [
      tag("tool_call"),
      NAME,
      { optional: tag("tool_sep") },
      argPairs(suffix),
      end("tool_call"),
    ],
    close: end("tool_calls"),
    takesLead: true,
    example: [
      tag("tool_calls"),
      `${tag("tool_call")}get_weather${tag("tool_sep")}`,
      `${tag("arg_key")}city${end("arg_key")}`,
      `${tag("arg_value")}Paris${end("arg_value")}`,
      `${tag("arg_key")}days${end("arg_key")}`,
      `${tag("arg_value")}3${end("arg_value")}`,
      end("tool_call"),
      end("tool_calls"),
    ].join("\n"),
  };
}

/** Calls as a JSON list between two tokens, or one call as an object. */
function jsonBetween(
  open: string,
  close: string | undefined,
  {
    calls = CALLS,
    ...entry
  }: Pick<TextFormat, "format" | "models"> & { calls?: Piece } & Partial<TextFormat>,
): TextFormat {
  const example = `${open}[${CALL}]${close ?? ""}`;
  return { example, takesLead: true, isStopToken: true, ...entry, open, call: [calls], close };
}

const FENCE = /(?:```|~~~)\w{0,20}[ \t]*\r?\n/y;
const FENCE_END = /```|~~~/y;

const CALL = '{"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}';
const LLAMA = '{"name": "get_weather", "parameters": {"city": "Paris", "days": 3}}';
const ARGS = '{"city": "Paris", "days": 3}';
const PYTHON = 'get_weather(city="Paris", days=3)';
const PAIRS = [
  "<arg_key>city</arg_key>",
  "<arg_value>Paris</arg_value>",
  "<arg_key>days</arg_key>",
  "<arg_value>3</arg_value>",
].join("\n");
const TAGS = "<parameter=city>\nParis\n</parameter>\n<parameter=days>\n3\n</parameter>";
const NAMED_TAGS = '<parameter name="city">Paris</parameter>\n<parameter name="days">3</parameter>';

/**
 * Every format in which calls are read from text. A new one is an entry here and its cases.
 *
 * Where a format's closing token is a stop token, its arguments show by themselves where they end:
 * then a call that was cut off is never taken for a whole one.
 */
export const textFormats: readonly TextFormat[] = [
  {
    format: "hermes",
    models: "Hermes, Qwen 2.5 and 3, Granite 4, ERNIE 4.5, MiMo, many fine-tunes",
    call: ["<tool_call>", CALLS, "</tool_call>"],
    isStopToken: true,
    takesLead: true,
    example: `<tool_call>\n${CALL}\n</tool_call>`,
  },
  {
    format: "qwen3-coder",
    models: "Qwen3-Coder, Qwen 3.5, Nemotron 3, Step 3.5",
    call: ["<tool_call>", FUNCTION, PARAMETERS, "</function>", "</tool_call>"],
    isStopToken: true,
    takesLead: true,
    example: `<tool_call>\n<function=get_weather>\n${TAGS}\n</function>\n</tool_call>`,
  },
  {
    format: "function-tag",
    models: "Qwen3-Coder without its outer tag",
    call: [FUNCTION, PARAMETERS, "</function>"],
    example: `<function=get_weather>\n${TAGS}\n</function>`,
  },
  {
    format: "function-tag-json",
    models: "Llama 3.1 with tools of one's own",
    call: [FUNCTION, JSON_ARGS, "</function>"],
    example: `<function=get_weather>${ARGS}</function>`,
  },
  {
    format: "seed",
    models: "Seed-OSS",
    open: "<seed:tool_call>",
    call: [FUNCTION, PARAMETERS, "</function>"],
    close: "</seed:tool_call>",
    takesLead: true,
    example: `<seed:tool_call>\n<function=get_weather>\n${TAGS}\n</function>\n</seed:tool_call>`,
  },
  {
    format: "llama-json",
    models: "Llama 3.1, 3.2 and 3.3",
    open: "<|python_tag|>",
    call: [CALLS],
    between: ";",
    takesLead: true,
    example: `<|python_tag|>${LLAMA}`,
  },
  {
    format: "llama-python",
    models: "Llama 4",
    open: "<|python_start|>",
    call: [{ calls: readPythonList }],
    close: "<|python_end|>",
    isStopToken: true,
    takesLead: true,
    example: `<|python_start|>[${PYTHON}]<|python_end|>`,
  },
  jsonBetween("[TOOL_CALLS]", undefined, {
    format: "mistral-list",
    models: "Mistral up to tokenizer v7",
    calls: { calls: readCallList },
  }),
  {
    format: "mistral",
    models: "Mistral from tokenizer v11, Magistral, Devstral",
    call: ["[TOOL_CALLS]", NAME, { optional: "[ARGS]" }, JSON_ARGS],
    takesLead: true,
    example: `[TOOL_CALLS]get_weather[ARGS]${ARGS}`,
  },
  {
    format: "mistral-call-id",
    models: "Mistral Small 3.2",
    call: [
      "[TOOL_CALLS]",
      { name: /(?<name>[\w.-]+)\[CALL_ID\](?<id>[\w-]+)/y },
      "[ARGS]",
      JSON_ARGS,
    ],
    takesLead: true,
    example: `[TOOL_CALLS]get_weather[CALL_ID]VvvODy9mT[ARGS]${ARGS}`,
  },
  {
    format: "deepseek-v3",
    models: "DeepSeek V3, R1",
    open: "<｜tool▁calls▁begin｜>",
    call: [
      "<｜tool▁call▁begin｜>function<｜tool▁sep｜>",
      NAME,
      "```json",
      JSON_ARGS,
      "```",
      "<｜tool▁call▁end｜>",
    ],
    close: "<｜tool▁calls▁end｜>",
    takesLead: true,
    example: `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n\`\`\`json\n${ARGS}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  },
  {
    format: "deepseek-v3.1",
    models: "DeepSeek V3.1",
    open: "<｜tool▁calls▁begin｜>",
    call: ["<｜tool▁call▁begin｜>", NAME, "<｜tool▁sep｜>", JSON_ARGS, "<｜tool▁call▁end｜>"],
    close: "<｜tool▁calls▁end｜>",
    takesLead: true,
    example: `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>${ARGS}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  },
  dsml("DSML", "function_calls", "DeepSeek V3.2"),
  dsml("DSML", "tool_calls", "DeepSeek V4"),
  dsml("GCML", "tool_calls", "GigaChat 3.5"),
  {
    format: "kimi-k2",
    models: "Kimi K2",
    open: "<|tool_calls_section_begin|>",
    call: [
      { name: /<\|tool_call_begin\|>\s*(?<id>(?:functions\.)?(?<name>[\w.-]+):\d+)/y },
      "<|tool_call_argument_begin|>",
      JSON_ARGS,
      "<|tool_call_end|>",
    ],
    close: "<|tool_calls_section_end|>",
    takesLead: true,
    example: `<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>${ARGS}<|tool_call_end|><|tool_calls_section_end|>`,
  },
  {
    format: "kimi-k3",
    models: "Kimi K3",
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
    example:
      '<|open|>tools<|sep|><|open|>call tool="get_weather" index="1"<|sep|><|open|>argument key="city" type="string"<|sep|>Paris<|close|>argument<|sep|><|open|>argument key="days" type="number"<|sep|>3<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
  },
  {
    format: "plamo",
    models: "PLaMo 3",
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
    example: `<|plamo:begin_tool_requests:plamo|><|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>get_weather<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|>${ARGS}<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|><|plamo:end_tool_requests:plamo|>`,
  },
  {
    format: "solar",
    models: "Solar Open 2",
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
    example:
      "<|tool_call:start|>get_weather\n<|tool_arg:start|>city<|tool_arg:value|>Paris<|tool_arg:end|>\n<|tool_arg:start|>days<|tool_arg:value|>3<|tool_arg:end|>\n<|tool_call:end|>",
  },
  {
    format: "inkling",
    models: "Inkling",
    call: [
      {
        token: /(?:<\|message_model\|>[\w.-]{0,100})?<\|content_invoke_tool_json\|>/y,
      },
      { calls: readCallLines },
      "<|end_message|>",
    ],
    isStopToken: true,
    example: `<|message_model|>get_weather<|content_invoke_tool_json|>{"name": "get_weather", "args": ${ARGS}}<|end_message|>`,
  },
  {
    format: "k2-json",
    models: "K2 Horizon",
    open: "<ifm|tool_calls>",
    call: ["<ifm|tool_call>", CALLS, "</ifm|tool_call>"],
    close: "</ifm|tool_calls>",
    takesLead: true,
    example: `<ifm|tool_calls><ifm|tool_call>${CALL}</ifm|tool_call></ifm|tool_calls>`,
  },
  {
    format: "k2-xml",
    models: "K2 Horizon",
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
    example:
      "<ifm|tool_calls><ifm|tool_call>get_weather<ifm|arg_key>city</ifm|arg_key><ifm|arg_value>Paris</ifm|arg_value><ifm|arg_key>days</ifm|arg_key><ifm|arg_value>3</ifm|arg_value></ifm|tool_call></ifm|tool_calls>",
  },
  {
    format: "iquest",
    models: "IQuest Q1",
    call: ["<iquest_tool_call>", NAME, ARG_PAIRS, "</iquest_tool_call>"],
    takesLead: true,
    example: `<iquest_tool_call>get_weather\n${PAIRS}\n</iquest_tool_call>`,
  },
  {
    format: "step-audio",
    models: "Step-Audio 2",
    call: [
      "<tool_call>",
      { name: /function\s*\n\s*(?<name>[\w.-]+)[ \t]*\n/y },
      JSON_ARGS,
      "</tool_call>",
    ],
    isStopToken: true,
    takesLead: true,
    example: `<tool_call>function\nget_weather\n${ARGS}\n</tool_call>`,
  },
  {
    format: "hyperclova",
    models: "HyperCLOVA X SEED",
    call: ["-> tool/function_call", { calls: readCallList }],
    example: ` -> tool/function_call\n[${CALL}]<|im_end|>`,
  },
  {
    format: "rwkv",
    models: "RWKV",
    call: ["**Tool Call:**", { token: /```(?:json)?[ \t]*\n/y }, CALLS, "```"],
    example: `**Tool Call:**\n\`\`\`json\n${CALL}\n\`\`\``,
  },
  {
    format: "glm",
    models: "GLM 4.5 to 5, Ling 3, Poolside",
    call: ["<tool_call>", NAME, ARG_PAIRS, "</tool_call>"],
    takesLead: true,
    example: `<tool_call>get_weather\n${PAIRS}\n</tool_call>`,
  },
  {
    format: "harmony",
    models: "gpt-oss",
    call: [
      {
        name: /(?:<\|start\|>assistant)?\s?(?:<\|channel\|>(?:commentary|analysis))?\s?to=(?:functions\.)?(?<name>[\w.-]+)\s?(?:<\|channel\|>(?:commentary|analysis))?\s?(?:<\|constrain\|>)?(?:json)?<\|message\|>/y,
      },
      JSON_ARGS,
      "<|call|>",
    ],
    isStopToken: true,
    lead: {
      open: /(?:<\|start\|>assistant)?<\|channel\|>(?:commentary|final)<\|message\|>/y,
      close: "<|end|>",
    },
    example: `<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>${ARGS}<|call|>`,
  },
  {
    format: "tool-calls",
    models: "MiniMax M1, Jamba, Hunyuan A13B",
    open: "<tool_calls>",
    call: [{ calls: readCallLines }],
    close: "</tool_calls>",
    takesLead: true,
    example: `<tool_calls>\n${CALL}\n</tool_calls>`,
  },
  invokesIn("minimax:tool_call", { format: "minimax-m2", models: "MiniMax M2" }),
  invokesIn("dots_function_call", { format: "dots", models: "dots" }),
  {
    format: "minimax-m3",
    models: "MiniMax M3",
    open: "]<]minimax[>[<tool_call>",
    call: [
      { name: /\]<\]minimax\[>\[\s*<invoke name="(?<name>[\w.-]+)">/y },
      { args: readElements("]<]minimax[>[") },
      "]<]minimax[>[</invoke>",
    ],
    close: "]<]minimax[>[</tool_call>",
    takesLead: true,
    example: [
      "]<]minimax[>[<tool_call>",
      ']<]minimax[>[<invoke name="get_weather">]<]minimax[>[<city>Paris]<]minimax[>[</city>]<]minimax[>[<days>3]<]minimax[>[</days>]<]minimax[>[</invoke>',
      "]<]minimax[>[</tool_call>",
    ].join("\n"),
  },
  invokesIn("function_calls", {
    format: "invoke",
    models: "Claude where it writes its calls as text",
  }),
  {
    format: "invoke-bare",
    models: "the same without its outer tag",
    call: [INVOKE, NAMED_PARAMETERS, "</invoke>"],
    example: `<invoke name="get_weather">\n${NAMED_TAGS}\n</invoke>`,
  },
  {
    format: "atem",
    models: "Muse Glimmer",
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
    example:
      '<atem:function_calls>\n<atem:invoke name="get_weather">\n<atem:parameter name="city">Paris</atem:parameter>\n<atem:parameter name="days">3</atem:parameter>\n</atem:invoke>\n</atem:function_calls>',
  },
  {
    format: "gemma-function",
    models: "FunctionGemma",
    call: [
      { name: /<start_function_call>\s*call:(?<name>[\w.-]+)/y },
      { args: readMarked("<escape>") },
      "<end_function_call>",
    ],
    isStopToken: true,
    example:
      "<start_function_call>call:get_weather{city:<escape>Paris<escape>,days:3}<end_function_call>",
  },
  {
    format: "gemma",
    models: "Gemma 4",
    call: [
      { name: /<\|tool_call>\s*call:(?<name>[\w.-]+)/y },
      { args: readMarked('<|"|>') },
      "<tool_call|>",
    ],
    isStopToken: true,
    example: '<|tool_call>call:get_weather{city:<|"|>Paris<|"|>,days:3}<tool_call|>',
  },
  {
    format: "gemma-bare",
    models: "Gemma 4 without its marks",
    call: [{ name: /call:(?<name>[\w.-]+)/y }, { args: readMarked('<|"|>') }],
    isCommon: true,
    example: 'call:get_weather{city:<|"|>Paris<|"|>,days:3}',
  },
  {
    format: "lfm2",
    models: "LFM2",
    open: "<|tool_call_start|>",
    call: [{ calls: readPythonList }],
    close: "<|tool_call_end|>",
    takesLead: true,
    example: `<|tool_call_start|>[${PYTHON}]<|tool_call_end|>`,
  },
  {
    format: "minicpm",
    models: "MiniCPM 3 and 4",
    open: "<|tool_call_start|>",
    call: ["```python", { calls: readPythonLines }, "```"],
    close: "<|tool_call_end|>",
    takesLead: true,
    example: `<|tool_call_start|>\n\`\`\`python\n${PYTHON}\n\`\`\`\n<|tool_call_end|>`,
  },
  {
    format: "minicpm-xml",
    models: "MiniCPM 5",
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
    example:
      '<function name="get_weather"><param name="city">Paris</param><param name="days">3</param></function>',
  },
  jsonBetween("<|tool_call|>", "<|/tool_call|>", {
    format: "granite",
    models: "Granite 3, Phi-4-mini",
  }),
  jsonBetween("<function_call>", undefined, {
    format: "granite-20b",
    models: "Granite 20B FC",
    example: `<function_call> ${CALL}`,
  }),
  hunyuan(""),
  hunyuan(":opensource"),
  jsonBetween("<|function_call|>", undefined, {
    format: "gigachat-3.1",
    models: "GigaChat 3.1",
    example: `<|function_call|>${CALL}`,
  }),
  jsonBetween("<|message_sep|>\n\nfunction call<|role_sep|>", undefined, {
    format: "gigachat",
    models: "GigaChat 3",
    example: `<|message_sep|>\n\nfunction call<|role_sep|>\n${CALL}`,
  }),
  jsonBetween("function call<|role_sep|>", undefined, {
    format: "gigachat-bare",
    models: "GigaChat 3",
    takesLead: false,
    example: `function call<|role_sep|>\n${CALL}`,
  }),
  {
    format: "olmo",
    models: "OLMo 3",
    open: "<function_calls>",
    call: [{ calls: readPythonLines }],
    close: "</function_calls>",
    takesLead: true,
    example: `<function_calls>\n${PYTHON}\n</function_calls>`,
  },
  jsonBetween("functools", undefined, {
    format: "phi",
    models: "Phi-4-mini",
    calls: { calls: readCallList },
    takesLead: false,
  }),
  jsonBetween("<|START_ACTION|>", "<|END_ACTION|>", {
    format: "cohere",
    models: "Command R7B, Command A",
    calls: { calls: readCallList },
    example:
      '<|START_ACTION|>[\n    {"tool_call_id": "0", "tool_name": "get_weather", "parameters": {"city": "Paris", "days": 3}}\n]<|END_ACTION|>',
  }),
  jsonBetween("<|action_start|><|plugin|>", "<|action_end|>", {
    format: "internlm",
    models: "InternLM 2 and 2.5, Intern-S1",
    example: `<|action_start|><|plugin|>\n${LLAMA}<|action_end|>`,
  }),
  jsonBetween("<|tool_call_start|>", "<|tool_call_end|>", {
    format: "pangu",
    models: "openPangu",
    calls: { calls: readCallList },
  }),
  {
    format: "qwen-tools",
    models: "Qwen2.5-Coder",
    call: ["<tools>", { calls: readCallLines }, "</tools>"],
    takesLead: true,
    example: `<tools>\n${CALL}\n</tools>`,
  },
  {
    format: "cohere-action",
    models: "Command R and R+",
    call: ["Action:", { token: /```json[ \t]*\n/y }, { calls: readCallList }, "```"],
    example:
      'Action: ```json\n[\n    {"tool_name": "get_weather", "parameters": {"city": "Paris", "days": 3}}\n]\n```',
  },
  jsonBetween("<TOOLCALL>", "</TOOLCALL>", { format: "nemotron", models: "Nemotron Nano 2" }),
  jsonBetween("<|tools_prefix|>", "<|tools_suffix|>", {
    format: "apertus",
    models: "Apertus",
    calls: { calls: readKeyedCalls },
    example: `<|tools_prefix|>[{"get_weather": ${ARGS}}]<|tools_suffix|>`,
  }),
  jsonBetween("<longcat_tool_call>", "</longcat_tool_call>", {
    format: "longcat",
    models: "LongCat",
    example: `<longcat_tool_call>${CALL}</longcat_tool_call>`,
  }),
  {
    format: "step",
    models: "Step 3",
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
    example:
      '<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="get_weather"><steptml:parameter name="city">Paris</steptml:parameter><steptml:parameter name="days">3</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>',
  },
  {
    format: "react",
    models: "any model that is prompted for ReAct",
    call: [
      {
        name: /(?:Thought:(?<thought>[^\n]*)\n+)?Action:[ \t]*[`"'[]?(?<name>[\w.-]+)[`"'\]]?[ \t]*\n/y,
      },
      "Action Input:",
      JSON_ARGS,
    ],
    example: `Action: get_weather\nAction Input: ${ARGS}`,
  },
  {
    format: "fenced-json",
    models: "any model",
    call: [{ token: FENCE }, { calls: readBareCalls }, { token: FENCE_END }],
    isCommon: true,
    example: `\`\`\`json\n${CALL}\n\`\`\``,
  },
  {
    format: "fenced-python",
    models: "Gemma 3, Gemini",
    call: [{ token: /```(?:python|py|tool_code)?[ \t]*\r?\n/y }, { calls: readPythonLines }, "```"],
    isCommon: true,
    example: `\`\`\`tool_code\n${PYTHON}\n\`\`\``,
  },
  {
    format: "json",
    models: "any model",
    call: [{ calls: readBareCalls }],
    between: ";",
    isCommon: true,
    example: CALL,
  },
  {
    format: "python-list",
    models: "Llama 3.2 and 4, xLAM, ToolACE",
    call: [{ calls: readPythonList }],
    isCommon: true,
    example: `[${PYTHON}]`,
  },
  {
    format: "python",
    models: "Granite 4, any model",
    call: [{ calls: readPythonLines }],
    isCommon: true,
    example: PYTHON,
  },
  {
    format: "elements",
    models: "models that are prompted for XML",
    call: [
      { name: /<(?<name>[A-Za-z_][\w.-]*)>/y },
      { args: readElements() },
      { closingTag: true },
    ],
    isCommon: true,
    example: "<get_weather>\n<city>Paris</city>\n<days>3</days>\n</get_weather>",
  },
  {
    format: "yaml",
    models: "models that are prompted for YAML",
    call: [
      { name: /<(?<name>[A-Za-z_][\w.-]*)>[ \t]*\r?\n/y },
      { args: readYaml },
      { closingTag: true },
    ],
    isCommon: true,
    example: "<get_weather>\ncity: Paris\ndays: 3\n</get_weather>",
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
    models: "any model",
    call: [{ token: FENCE }, { calls: readBareCalls }],
    example: `\`\`\`json\n${CALL}`,
  },
];
