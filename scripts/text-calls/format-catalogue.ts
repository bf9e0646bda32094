import { textFormats } from "../../src/repair/text-calls/formats.ts";
import type { TextFormat } from "../../src/repair/text-calls/text-format.ts";

/** What the documentation says of a format. */
interface About {
  /** The models that write it. */
  readonly models: string;
  /** One call, `get_weather` with `city` "Paris" and `days` 3, as the format has it. */
  readonly example: string;
}

const about: Readonly<Record<string, About>> = {
  hermes: {
    models: "Hermes, Qwen 2.5 and 3, Granite 4, ERNIE 4.5, MiMo, many fine-tunes",
    example: [
      "<tool_call>",
      '{"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}',
      "</tool_call>",
    ].join("\n"),
  },
  "qwen3-coder": {
    models: "Qwen3-Coder, Qwen 3.5, Nemotron 3, Step 3.5",
    example: [
      "<tool_call>",
      "<function=get_weather>",
      "<parameter=city>",
      "Paris",
      "</parameter>",
      "<parameter=days>",
      "3",
      "</parameter>",
      "</function>",
      "</tool_call>",
    ].join("\n"),
  },
  "qwen3-coder-open": {
    models: "the same where it forgets a tag",
    example: [
      "<tool_call>",
      "<function=get_weather>",
      "<parameter=city>",
      "Paris",
      "</parameter>",
      "<parameter=days>",
      "3",
      "</parameter>",
      "</tool_call>",
    ].join("\n"),
  },
  "qwen3-coder-json": {
    models: "the same with JSON within",
    example:
      '<tool_call>\n<function=get_weather>{"city": "Paris", "days": 3}</function>\n</tool_call>',
  },
  "function-tag": {
    models: "Qwen3-Coder without its outer tag",
    example: [
      "<function=get_weather>",
      "<parameter=city>",
      "Paris",
      "</parameter>",
      "<parameter=days>",
      "3",
      "</parameter>",
      "</function>",
    ].join("\n"),
  },
  "function-tag-json": {
    models: "Llama 3.1 with tools of one's own",
    example: '<function=get_weather>{"city": "Paris", "days": 3}</function>',
  },
  seed: {
    models: "Seed-OSS",
    example: [
      "<seed:tool_call>",
      "<function=get_weather>",
      "<parameter=city>",
      "Paris",
      "</parameter>",
      "<parameter=days>",
      "3",
      "</parameter>",
      "</function>",
      "</seed:tool_call>",
    ].join("\n"),
  },
  "llama-json": {
    models: "Llama 3.1, 3.2 and 3.3",
    example: '<|python_tag|>{"name": "get_weather", "parameters": {"city": "Paris", "days": 3}}',
  },
  "llama-builtin": {
    models: "Llama 3.1, of the tools that it was trained with",
    example: '<|python_tag|>get_weather.call(city="Paris", days=3)',
  },
  "llama-python": {
    models: "Llama 4",
    example: '<|python_start|>[get_weather(city="Paris", days=3)]<|python_end|>',
  },
  "mistral-list": {
    models: "Mistral up to tokenizer v7",
    example: '[TOOL_CALLS][{"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}]',
  },
  mistral: {
    models: "Mistral from tokenizer v11, Magistral, Devstral",
    example: '[TOOL_CALLS]get_weather[ARGS]{"city": "Paris", "days": 3}',
  },
  "mistral-call-id": {
    models: "Mistral Small 3.2",
    example: '[TOOL_CALLS]get_weather[CALL_ID]VvvODy9mT[ARGS]{"city": "Paris", "days": 3}',
  },
  "deepseek-v3": {
    models: "DeepSeek V3, R1",
    example: [
      "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather",
      "```json",
      '{"city": "Paris", "days": 3}',
      "```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
    ].join("\n"),
  },
  "deepseek-v3.1": {
    models: "DeepSeek V3.1",
    example:
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Paris", "days": 3}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  },
  "dsml-function-calls": {
    models: "DeepSeek V3.2",
    example: [
      "<｜DSML｜function_calls>",
      '<｜DSML｜invoke name="get_weather">',
      '<｜DSML｜parameter name="city" string="true">Paris</｜DSML｜parameter>',
      '<｜DSML｜parameter name="days" string="false">3</｜DSML｜parameter>',
      "</｜DSML｜invoke>",
      "</｜DSML｜function_calls>",
    ].join("\n"),
  },
  "dsml-tool-calls": {
    models: "DeepSeek V4",
    example: [
      "<｜DSML｜tool_calls>",
      '<｜DSML｜invoke name="get_weather">',
      '<｜DSML｜parameter name="city" string="true">Paris</｜DSML｜parameter>',
      '<｜DSML｜parameter name="days" string="false">3</｜DSML｜parameter>',
      "</｜DSML｜invoke>",
      "</｜DSML｜tool_calls>",
    ].join("\n"),
  },
  "gcml-tool-calls": {
    models: "GigaChat 3.5",
    example: [
      "<｜GCML｜tool_calls>",
      '<｜GCML｜invoke name="get_weather">',
      '<｜GCML｜parameter name="city" string="true">Paris</｜GCML｜parameter>',
      '<｜GCML｜parameter name="days" string="false">3</｜GCML｜parameter>',
      "</｜GCML｜invoke>",
      "</｜GCML｜tool_calls>",
    ].join("\n"),
  },
  "kimi-k2": {
    models: "Kimi K2",
    example:
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Paris", "days": 3}<|tool_call_end|><|tool_calls_section_end|>',
  },
  "kimi-k2-bare": {
    models: "Kimi K2 without its outer mark",
    example:
      '<|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Paris", "days": 3}<|tool_call_end|>',
  },
  "kimi-k3": {
    models: "Kimi K3",
    example:
      '<|open|>tools<|sep|><|open|>call tool="get_weather" index="1"<|sep|><|open|>argument key="city" type="string"<|sep|>Paris<|close|>argument<|sep|><|open|>argument key="days" type="number"<|sep|>3<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
  },
  plamo: {
    models: "PLaMo 3",
    example:
      '<|plamo:begin_tool_requests:plamo|><|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>get_weather<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|>{"city": "Paris", "days": 3}<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|><|plamo:end_tool_requests:plamo|>',
  },
  solar: {
    models: "Solar Open 2",
    example: [
      "<|tool_call:start|>get_weather",
      "<|tool_arg:start|>city<|tool_arg:value|>Paris<|tool_arg:end|>",
      "<|tool_arg:start|>days<|tool_arg:value|>3<|tool_arg:end|>",
      "<|tool_call:end|>",
    ].join("\n"),
  },
  inkling: {
    models: "Inkling",
    example:
      '<|message_model|>get_weather<|content_invoke_tool_json|>{"name": "get_weather", "args": {"city": "Paris", "days": 3}}<|end_message|>',
  },
  "k2-json": {
    models: "K2 Horizon",
    example:
      '<ifm|tool_calls><ifm|tool_call>{"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}</ifm|tool_call></ifm|tool_calls>',
  },
  "k2-xml": {
    models: "K2 Horizon",
    example:
      "<ifm|tool_calls><ifm|tool_call>get_weather<ifm|arg_key>city</ifm|arg_key><ifm|arg_value>Paris</ifm|arg_value><ifm|arg_key>days</ifm|arg_key><ifm|arg_value>3</ifm|arg_value></ifm|tool_call></ifm|tool_calls>",
  },
  iquest: {
    models: "IQuest Q1",
    example: [
      "<iquest_tool_call>get_weather",
      "<arg_key>city</arg_key>",
      "<arg_value>Paris</arg_value>",
      "<arg_key>days</arg_key>",
      "<arg_value>3</arg_value>",
      "</iquest_tool_call>",
    ].join("\n"),
  },
  "iquest-coder": {
    models: "IQuest Coder V2",
    example:
      "<iquestcoder_tool_call>get_weather<arg_key>city</arg_key><arg_value>Paris</arg_value><arg_key>days</arg_key><arg_value>3</arg_value></iquestcoder_tool_call>",
  },
  "step-audio": {
    models: "Step-Audio 2",
    example: [
      "<tool_call>function",
      "get_weather",
      '{"city": "Paris", "days": 3}',
      "</tool_call>",
    ].join("\n"),
  },
  hyperclova: {
    models: "HyperCLOVA X SEED",
    example: [
      " -> tool/function_call",
      '[{"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}]<|im_end|>',
    ].join("\n"),
  },
  rwkv: {
    models: "RWKV",
    example: [
      "**Tool Call:**",
      "```json",
      '{"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}',
      "```",
    ].join("\n"),
  },
  glm: {
    models: "GLM 4.5 to 5, Ling 3, Poolside",
    example: [
      "<tool_call>get_weather",
      "<arg_key>city</arg_key>",
      "<arg_value>Paris</arg_value>",
      "<arg_key>days</arg_key>",
      "<arg_value>3</arg_value>",
      "</tool_call>",
    ].join("\n"),
  },
  harmony: {
    models: "gpt-oss",
    example:
      '<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city": "Paris", "days": 3}<|call|>',
  },
  "tool-calls": {
    models: "MiniMax M1, Jamba, Hunyuan A13B",
    example: [
      "<tool_calls>",
      '{"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}',
      "</tool_calls>",
    ].join("\n"),
  },
  "minimax-m2": {
    models: "MiniMax M2",
    example: [
      "<minimax:tool_call>",
      '<invoke name="get_weather">',
      '<parameter name="city">Paris</parameter>',
      '<parameter name="days">3</parameter>',
      "</invoke>",
      "</minimax:tool_call>",
    ].join("\n"),
  },
  dots: {
    models: "dots",
    example: [
      "<dots_function_call>",
      '<invoke name="get_weather">',
      '<parameter name="city">Paris</parameter>',
      '<parameter name="days">3</parameter>',
      "</invoke>",
      "</dots_function_call>",
    ].join("\n"),
  },
  "minimax-m3": {
    models: "MiniMax M3",
    example: [
      "]<]minimax[>[<tool_call>",
      ']<]minimax[>[<invoke name="get_weather">]<]minimax[>[<city>Paris]<]minimax[>[</city>]<]minimax[>[<days>3]<]minimax[>[</days>]<]minimax[>[</invoke>',
      "]<]minimax[>[</tool_call>",
    ].join("\n"),
  },
  invoke: {
    models: "Claude where it writes its calls as text",
    example: [
      "<function_calls>",
      '<invoke name="get_weather">',
      '<parameter name="city">Paris</parameter>',
      '<parameter name="days">3</parameter>',
      "</invoke>",
      "</function_calls>",
    ].join("\n"),
  },
  "invoke-tool-call": {
    models: "models that mix Hermes and Claude",
    example: [
      "<tool_call>",
      '<invoke name="get_weather">',
      '<parameter name="city">Paris</parameter>',
      '<parameter name="days">3</parameter>',
      "</invoke>",
      "</tool_call>",
    ].join("\n"),
  },
  "invoke-bare": {
    models: "the same without its outer tag",
    example: [
      '<invoke name="get_weather">',
      '<parameter name="city">Paris</parameter>',
      '<parameter name="days">3</parameter>',
      "</invoke>",
    ].join("\n"),
  },
  atem: {
    models: "Muse Glimmer",
    example: [
      "<atem:function_calls>",
      '<atem:invoke name="get_weather">',
      '<atem:parameter name="city">Paris</atem:parameter>',
      '<atem:parameter name="days">3</atem:parameter>',
      "</atem:invoke>",
      "</atem:function_calls>",
    ].join("\n"),
  },
  "gemma-function": {
    models: "FunctionGemma",
    example:
      "<start_function_call>call:get_weather{city:<escape>Paris<escape>,days:3}<end_function_call>",
  },
  gemma: {
    models: "Gemma 4",
    example: '<|tool_call>call:get_weather{city:<|"|>Paris<|"|>,days:3}<tool_call|>',
  },
  "gemma-python": {
    models: "Gemma 4 where it writes Python",
    example: '<|tool_call>call:get_weather(city="Paris", days=3)<tool_call|>',
  },
  "gemma-bare": {
    models: "Gemma 4 without its marks",
    example: 'call:get_weather{city:<|"|>Paris<|"|>,days:3}',
  },
  lfm2: {
    models: "LFM2",
    example: '<|tool_call_start|>[get_weather(city="Paris", days=3)]<|tool_call_end|>',
  },
  minicpm: {
    models: "MiniCPM 3 and 4",
    example: [
      "<|tool_call_start|>",
      "```python",
      'get_weather(city="Paris", days=3)',
      "```",
      "<|tool_call_end|>",
    ].join("\n"),
  },
  "minicpm-xml": {
    models: "MiniCPM 5",
    example:
      '<function name="get_weather"><param name="city">Paris</param><param name="days">3</param></function>',
  },
  granite: {
    models: "Granite 3, Phi-4-mini",
    example:
      '<|tool_call|>[{"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}]<|/tool_call|>',
  },
  "granite-20b": {
    models: "Granite 20B FC",
    example: '<function_call> {"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}',
  },
  hunyuan: {
    models: "Hunyuan 3 and 4",
    example: [
      "<tool_calls>",
      "<tool_call>get_weather<tool_sep>",
      "<arg_key>city</arg_key>",
      "<arg_value>Paris</arg_value>",
      "<arg_key>days</arg_key>",
      "<arg_value>3</arg_value>",
      "</tool_call>",
      "</tool_calls>",
    ].join("\n"),
  },
  "hunyuan-opensource": {
    models: "Hunyuan 3 and 4",
    example: [
      "<tool_calls:opensource>",
      "<tool_call:opensource>get_weather<tool_sep:opensource>",
      "<arg_key:opensource>city</arg_key:opensource>",
      "<arg_value:opensource>Paris</arg_value:opensource>",
      "<arg_key:opensource>days</arg_key:opensource>",
      "<arg_value:opensource>3</arg_value:opensource>",
      "</tool_call:opensource>",
      "</tool_calls:opensource>",
    ].join("\n"),
  },
  "gigachat-3.1": {
    models: "GigaChat 3.1",
    example: '<|function_call|>{"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}',
  },
  gigachat: {
    models: "GigaChat 3",
    example: [
      "<|message_sep|>",
      "",
      "function call<|role_sep|>",
      '{"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}',
    ].join("\n"),
  },
  "gigachat-bare": {
    models: "GigaChat 3",
    example: [
      "function call<|role_sep|>",
      '{"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}',
    ].join("\n"),
  },
  olmo: {
    models: "OLMo 3",
    example: ["<function_calls>", 'get_weather(city="Paris", days=3)', "</function_calls>"].join(
      "\n",
    ),
  },
  phi: {
    models: "Phi-4-mini",
    example: 'functools[{"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}]',
  },
  cohere: {
    models: "Command R7B, Command A",
    example: [
      "<|START_ACTION|>[",
      '    {"tool_call_id": "0", "tool_name": "get_weather", "parameters": {"city": "Paris", "days": 3}}',
      "]<|END_ACTION|>",
    ].join("\n"),
  },
  internlm: {
    models: "InternLM 2 and 2.5, Intern-S1",
    example: [
      "<|action_start|><|plugin|>",
      '{"name": "get_weather", "parameters": {"city": "Paris", "days": 3}}<|action_end|>',
    ].join("\n"),
  },
  pangu: {
    models: "openPangu",
    example:
      '<|tool_call_start|>[{"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}]<|tool_call_end|>',
  },
  "qwen-tools": {
    models: "Qwen2.5-Coder",
    example: [
      "<tools>",
      '{"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}',
      "</tools>",
    ].join("\n"),
  },
  "cohere-action": {
    models: "Command R and R+",
    example: [
      "Action: ```json",
      "[",
      '    {"tool_name": "get_weather", "parameters": {"city": "Paris", "days": 3}}',
      "]",
      "```",
    ].join("\n"),
  },
  nemotron: {
    models: "Nemotron Nano 2",
    example:
      '<TOOLCALL>[{"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}]</TOOLCALL>',
  },
  apertus: {
    models: "Apertus",
    example: '<|tools_prefix|>[{"get_weather": {"city": "Paris", "days": 3}}]<|tools_suffix|>',
  },
  longcat: {
    models: "LongCat",
    example:
      '<longcat_tool_call>{"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}</longcat_tool_call>',
  },
  "longcat-pairs": {
    models: "LongCat 2",
    example:
      "<longcat_tool_call>get_weather\n<longcat_arg_key>city</longcat_arg_key>\n<longcat_arg_value>Paris</longcat_arg_value>\n<longcat_arg_key>days</longcat_arg_key>\n<longcat_arg_value>3</longcat_arg_value>\n</longcat_tool_call>",
  },
  cwm: {
    models: "CWM; what is no JSON is the tool's `command`",
    example: '<tool: function>\nget_weather {"city": "Paris", "days": 3}\n</tool>',
  },
  step: {
    models: "Step 3",
    example:
      '<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="get_weather"><steptml:parameter name="city">Paris</steptml:parameter><steptml:parameter name="days">3</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>',
  },
  react: {
    models: "any model that is prompted for ReAct",
    example: ["Action: get_weather", 'Action Input: {"city": "Paris", "days": 3}'].join("\n"),
  },
  "fenced-json": {
    models: "any model",
    example: [
      "```json",
      '{"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}',
      "```",
    ].join("\n"),
  },
  "fenced-python": {
    models: "Gemma 3, Gemini",
    example: ["```tool_code", 'get_weather(city="Paris", days=3)', "```"].join("\n"),
  },
  json: {
    models: "any model",
    example: '{"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}',
  },
  "python-list": {
    models: "Llama 3.2 and 4, xLAM, ToolACE",
    example: '[get_weather(city="Paris", days=3)]',
  },
  python: { models: "Granite 4, any model", example: 'get_weather(city="Paris", days=3)' },
  elements: {
    models: "models that are prompted for XML",
    example: ["<get_weather>", "<city>Paris</city>", "<days>3</days>", "</get_weather>"].join("\n"),
  },
  yaml: {
    models: "models that are prompted for YAML",
    example: ["<get_weather>", "city: Paris", "days: 3", "</get_weather>"].join("\n"),
  },
};

/** Every format, with what is said of it. */
export const formatEntries: readonly (TextFormat & About)[] = textFormats.map((entry) => {
  const said = about[entry.format];
  if (said === undefined) throw new Error(`Say in format-catalogue.ts who writes ${entry.format}.`);
  return { ...entry, ...said };
});
