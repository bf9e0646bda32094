import {
  readCallLines,
  readCallList,
  readCallObject,
  readCallObjects,
  readKeyedCalls,
} from "./read-call-object.ts";
import { readElements } from "./read-elements.ts";
import { readPythonCall, readPythonLines, readPythonList } from "./read-python.ts";
import { readJsonArguments, readMarked, readTagged } from "./read-tagged.ts";
import type { Piece, TextFormat } from "./text-format.ts";

const NAME: Piece = { name: /([\w.-]+)/y };
const JSON_ARGS: Piece = { args: readJsonArguments };
const CALLS: Piece = { calls: readCallObjects };

const PARAMETERS: Piece = {
  args: readTagged({
    open: /<parameter=([^<>\s]+)>/y,
    close: "</parameter>",
    never: "<parameter=",
  }),
};

const NAMED_PARAMETERS: Piece = {
  args: readTagged({
    open: /<parameter name="([^"<>]+)">/y,
    close: "</parameter>",
    never: "<parameter name=",
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
function dsml(section: string): TextFormat {
  return {
    format: `dsml-${section.replace("_", "-")}`,
    models: section === "tool_calls" ? "DeepSeek V4" : "DeepSeek V3.2",
    open: `<｜DSML｜${section}>`,
    call: [
      { name: /<｜DSML｜invoke name="([\w.-]+)">/y },
      {
        args: readTagged({
          open: /<｜DSML｜parameter name="([^"<>]+)"(?: string="(true|false)")?>/y,
          close: "</｜DSML｜parameter>",
          never: "<｜DSML｜parameter",
        }),
      },
      "</｜DSML｜invoke>",
    ],
    close: `</｜DSML｜${section}>`,
    takesLead: true,
    example: [
      `<｜DSML｜${section}>`,
      '<｜DSML｜invoke name="get_weather">',
      '<｜DSML｜parameter name="city" string="true">Paris</｜DSML｜parameter>',
      '<｜DSML｜parameter name="days" string="false">3</｜DSML｜parameter>',
      "</｜DSML｜invoke>",
      `</｜DSML｜${section}>`,
    ].join("\n"),
  };
}

/** Hunyuan: all tags may end in a suffix that names the release. */
function hunyuan(suffix: string): TextFormat {
  const tag = (name: string) => `<${name}${suffix}>`;
  const end = (name: string) => `</${name}${suffix}>`;
  return {
    format: `hunyuan${suffix.replace(":", "-")}`,
    models: "Hunyuan 3",
    open: tag("tool_calls"),
    call: [tag("tool_call"), NAME, tag("tool_sep"), argPairs(suffix), end("tool_call")],
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
    call: [
      "<tool_call>",
      { name: /<function=([\w.-]+)>/y },
      PARAMETERS,
      "</function>",
      "</tool_call>",
    ],
    isStopToken: true,
    takesLead: true,
    example: `<tool_call>\n<function=get_weather>\n${TAGS}\n</function>\n</tool_call>`,
  },
  {
    format: "function-tag",
    models: "Qwen3-Coder without its outer tag",
    call: [{ name: /<function=([\w.-]+)>/y }, PARAMETERS, "</function>"],
    example: `<function=get_weather>\n${TAGS}\n</function>`,
  },
  {
    format: "function-tag-json",
    models: "Llama 3.1 with tools of one's own",
    call: [{ name: /<function=([\w.-]+)>/y }, JSON_ARGS, "</function>"],
    example: `<function=get_weather>${ARGS}</function>`,
  },
  {
    format: "seed",
    models: "Seed-OSS",
    open: "<seed:tool_call>",
    call: [{ name: /<function=([\w.-]+)>/y }, PARAMETERS, "</function>"],
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
    call: ["[TOOL_CALLS]", { name: /([\w.-]+)\[CALL_ID\]([\w-]+)/y }, "[ARGS]", JSON_ARGS],
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
  dsml("function_calls"),
  dsml("tool_calls"),
  {
    format: "kimi-k2",
    models: "Kimi K2",
    open: "<|tool_calls_section_begin|>",
    call: [
      { name: /<\|tool_call_begin\|>\s*functions\.([\w.-]+):\d+/y },
      "<|tool_call_argument_begin|>",
      JSON_ARGS,
      "<|tool_call_end|>",
    ],
    close: "<|tool_calls_section_end|>",
    takesLead: true,
    example: `<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>${ARGS}<|tool_call_end|><|tool_calls_section_end|>`,
  },
  {
    format: "glm",
    models: "GLM 4.5 to 5, Poolside",
    call: ["<tool_call>", NAME, ARG_PAIRS, "</tool_call>"],
    takesLead: true,
    example: `<tool_call>get_weather\n${PAIRS}\n</tool_call>`,
  },
  {
    format: "harmony",
    models: "gpt-oss",
    call: [
      {
        name: /(?:<\|start\|>assistant)?\s?(?:<\|channel\|>(?:commentary|analysis))?\s?to=(?:functions\.)?([\w.-]+)\s?(?:<\|channel\|>(?:commentary|analysis))?\s?(?:<\|constrain\|>)?(?:json)?<\|message\|>/y,
      },
      JSON_ARGS,
      "<|call|>",
    ],
    isStopToken: true,
    example: `<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>${ARGS}<|call|>`,
  },
  {
    format: "minimax-m1",
    models: "MiniMax M1",
    open: "<tool_calls>",
    call: [{ calls: readCallLines }],
    close: "</tool_calls>",
    takesLead: true,
    example: `<tool_calls>\n${CALL}\n</tool_calls>`,
  },
  {
    format: "minimax-m2",
    models: "MiniMax M2",
    open: "<minimax:tool_call>",
    call: [{ name: /<invoke name="([\w.-]+)">/y }, NAMED_PARAMETERS, "</invoke>"],
    close: "</minimax:tool_call>",
    takesLead: true,
    example: `<minimax:tool_call>\n<invoke name="get_weather">\n${NAMED_TAGS}\n</invoke>\n</minimax:tool_call>`,
  },
  {
    format: "minimax-m3",
    models: "MiniMax M3",
    open: "]<]minimax[>[<tool_call>",
    call: [
      { name: /\]<\]minimax\[>\[\s*<invoke name="([\w.-]+)">/y },
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
  {
    format: "invoke",
    models: "Claude where it writes its calls as text",
    open: "<function_calls>",
    call: [{ name: /<invoke name="([\w.-]+)">/y }, NAMED_PARAMETERS, "</invoke>"],
    close: "</function_calls>",
    takesLead: true,
    example: `<function_calls>\n<invoke name="get_weather">\n${NAMED_TAGS}\n</invoke>\n</function_calls>`,
  },
  {
    format: "gemma-function",
    models: "FunctionGemma",
    call: [
      { name: /<start_function_call>\s*call:([\w.-]+)/y },
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
      { name: /<\|tool_call>\s*call:([\w.-]+)/y },
      { args: readMarked('<|"|>') },
      "<tool_call|>",
    ],
    isStopToken: true,
    example: '<|tool_call>call:get_weather{city:<|"|>Paris<|"|>,days:3}<tool_call|>',
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
      { name: /<function name="([\w.-]+)">/y },
      {
        args: readTagged({
          open: /<param name="([^"<>]+)">/y,
          close: "</param>",
          never: "<param name=",
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
    calls: { calls: readCallObject },
    example: `<function_call> ${CALL}`,
  }),
  jsonBetween("<tool_calls>", "</tool_calls>", {
    format: "jamba",
    models: "Jamba, Hunyuan A13B",
    calls: { calls: readCallList },
    isStopToken: false,
  }),
  hunyuan(""),
  hunyuan(":opensource"),
  jsonBetween("<|function_call|>", undefined, {
    format: "gigachat-3.1",
    models: "GigaChat 3.1",
    calls: { calls: readCallObject },
    example: `<|function_call|>${CALL}`,
  }),
  jsonBetween("<|message_sep|>\n\nfunction call<|role_sep|>", undefined, {
    format: "gigachat",
    models: "GigaChat 3",
    calls: { calls: readCallObject },
    example: `<|message_sep|>\n\nfunction call<|role_sep|>\n${CALL}`,
  }),
  jsonBetween("function call<|role_sep|>", undefined, {
    format: "gigachat-bare",
    models: "GigaChat 3",
    calls: { calls: readCallObject },
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
    calls: { calls: readCallObject },
    example: `<|action_start|><|plugin|>\n${LLAMA}<|action_end|>`,
  }),
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
    calls: { calls: readCallObject },
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
      { name: /<steptml:invoke name="([\w.-]+)">/y },
      {
        args: readTagged({
          open: /<steptml:parameter name="([^"<>]+)">/y,
          close: "</steptml:parameter>",
          never: "<steptml:parameter",
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
      { name: /(?:Thought:[^\n]*\n+)?Action:[ \t]*([\w.-]+)[ \t]*\n/y },
      "Action Input:",
      JSON_ARGS,
    ],
    example: `Action: get_weather\nAction Input: ${ARGS}`,
  },
  {
    format: "fenced-json",
    models: "any model",
    call: [{ token: /```(?:json|tool_call|tool_code)?[ \t]*\n/y }, CALLS, "```"],
    example: `\`\`\`json\n${CALL}\n\`\`\``,
  },
  {
    format: "fenced-python",
    models: "Gemma 3, Gemini",
    call: [{ token: /```(?:python|py|tool_code)?[ \t]*\n/y }, { calls: readPythonLines }, "```"],
    example: `\`\`\`tool_code\n${PYTHON}\n\`\`\``,
  },
  { format: "json", models: "any model", call: [CALLS], between: ";", example: CALL },
  {
    format: "python-list",
    models: "Llama 3.2 and 4, xLAM, ToolACE",
    call: [{ calls: readPythonList }],
    example: `[${PYTHON}]`,
  },
  {
    format: "python",
    models: "any model",
    call: [{ calls: readPythonCall }],
    example: PYTHON,
  },
  {
    format: "elements",
    models: "models that are prompted for XML",
    call: [{ name: /<([A-Za-z_][\w.-]*)>/y }, { args: readElements() }, { closingTag: true }],
    example: "<get_weather>\n<city>Paris</city>\n<days>3</days>\n</get_weather>",
  },
];
