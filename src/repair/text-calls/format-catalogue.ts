import type { TextFormatName } from "./format-names.ts";
import { textFormats } from "./formats.ts";
import type { TextFormat } from "./text-format.ts";

/** The documentation of a format. */
interface About {
  /** The models that write it. */
  readonly models: string;
  /** The test of an engine's parser for it, or the parser, a vendor's page or a thread; else `NONE`. */
  readonly upstream: string;
  /** The day of the row's last comparison with that test. */
  readonly checked?: string;
  /** One call, `get_weather` with `city` "Paris" and `days` 3, in each form of the format. */
  readonly examples: readonly string[];
}

const NONE = "no engine's parser is known";

const formatsByName: Readonly<Record<TextFormatName, About>> = {
  hermes: {
    models:
      "Hermes, Qwen 2.5 and 3, Granite 4, ERNIE 4.5, MiMo, many fine-tunes",
    upstream: "smg crates/tool_parser/tests/tool_parser_qwen.rs",
    checked: "2026-11-22",
    examples: [
      [
        "<tool_call>",
        '{"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}',
        "</tool_call>",
      ].join("\n"),
    ],
  },
  "qwen3-coder": {
    models: "Qwen3-Coder, Qwen 3.5, Nemotron 3, Step 3.5",
    upstream: "smg crates/tool_parser/tests/tool_parser_qwen_xml.rs",
    checked: "2026-11-22",
    examples: [
      [
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
      [
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
      [
        "<tool_call>",
        '<function=get_weather>{"city": "Paris", "days": 3}</function>',
        "</tool_call>",
      ].join("\n"),
    ],
  },
  "function-tag": {
    models:
      "Llama 3.1 with your own tools, Llama 3.3 at Groq, Qwen3-Coder without its outer tag",
    upstream: "mlx-lm tests/test_tool_parsing.py",
    checked: "2026-11-22",
    examples: [
      [
        "<function=get_weather>",
        "<parameter=city>",
        "Paris",
        "</parameter>",
        "<parameter=days>",
        "3",
        "</parameter>",
        "</function>",
      ].join("\n"),
      '<function=get_weather>{"city": "Paris", "days": 3}</function>',
      '<function=get_weather={"city": "Paris", "days": 3}</function>',
      '<function>get_weather</function>{"city": "Paris", "days": 3}',
    ],
  },
  seed: {
    models: "Seed-OSS",
    upstream: "rapid-mlx tests/test_upstream_regression.py",
    checked: "2026-11-22",
    examples: [
      [
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
    ],
  },
  llama: {
    models: "Llama 3.1, 3.2 and 3.3",
    upstream: "smg crates/tool_parser/tests/tool_parser_llama.rs",
    checked: "2026-11-22",
    examples: [
      '<|python_tag|>{"name": "get_weather", "parameters": {"city": "Paris", "days": 3}}',
      '<|python_tag|>get_weather.call(city="Paris", days=3)',
    ],
  },
  "llama-python": {
    models: "Llama 4",
    upstream:
      "sglang test/registered/function_call/test_function_call_parser.py",
    checked: "2026-11-22",
    examples: [
      '<|python_start|>[get_weather(city="Paris", days=3)]<|python_end|>',
    ],
  },
  mistral: {
    models: "Mistral, Magistral, Devstral",
    upstream: "smg crates/tool_parser/tests/tool_parser_mistral.rs",
    checked: "2026-11-22",
    examples: [
      '[TOOL_CALLS][{"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}]',
      '[TOOL_CALLS]get_weather[ARGS]{"city": "Paris", "days": 3}',
      '[TOOL_CALLS]get_weather[CALL_ID]VvvODy9mT[ARGS]{"city": "Paris", "days": 3}',
    ],
  },
  "deepseek-v3": {
    models: "DeepSeek V3, R1",
    upstream: "smg crates/tool_parser/tests/tool_parser_deepseek.rs",
    checked: "2026-11-22",
    examples: [
      [
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather",
        "```json",
        '{"city": "Paris", "days": 3}',
        "```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
      ].join("\n"),
    ],
  },
  "deepseek-v3.1": {
    models: "DeepSeek V3.1",
    upstream: "ollama model/parsers/deepseek3_test.go",
    checked: "2026-11-22",
    examples: [
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Paris", "days": 3}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    ],
  },
  dsml: {
    models: "DeepSeek V3.2, V4 and V4.1, GigaChat 3.5",
    upstream: "vllm tests/parser/engine/test_deepseek_v41.py",
    checked: "2026-11-22",
    examples: [
      [
        "<｜DSML｜function_calls>",
        '<｜DSML｜invoke name="get_weather">',
        '<｜DSML｜parameter name="city" string="true">Paris</｜DSML｜parameter>',
        '<｜DSML｜parameter name="days" string="false">3</｜DSML｜parameter>',
        "</｜DSML｜invoke>",
        "</｜DSML｜function_calls>",
      ].join("\n"),
      [
        "<｜DSML｜tool_calls>",
        '<｜DSML｜invoke name="get_weather">',
        '<｜DSML｜parameter name="city" string="true">Paris</｜DSML｜parameter>',
        '<｜DSML｜parameter name="days" string="false">3</｜DSML｜parameter>',
        "</｜DSML｜invoke>",
        "</｜DSML｜tool_calls>",
      ].join("\n"),
      [
        "<｜GCML｜tool_calls>",
        '<｜GCML｜invoke name="get_weather">',
        '<｜GCML｜parameter name="city" string="true">Paris</｜GCML｜parameter>',
        '<｜GCML｜parameter name="days" string="false">3</｜GCML｜parameter>',
        "</｜GCML｜invoke>",
        "</｜GCML｜tool_calls>",
      ].join("\n"),
      [
        "<｜DSML｜ calls>",
        '<｜DSML｜ invoke name="get_weather">',
        '<｜DSML｜ parameter name="city" string="true">Paris</｜DSML｜ parameter>',
        '<｜DSML｜ parameter name="days" string="false">3</｜DSML｜ parameter>',
        "</｜DSML｜ invoke>",
        "</｜DSML｜ calls>",
      ].join("\n"),
      '<｜DSML｜invoke name="get_weather">{"city": "Paris", "days": 3}</｜DSML｜invoke>',
    ],
  },
  "kimi-k2": {
    models: "Kimi K2",
    upstream: "smg crates/tool_parser/tests/tool_parser_kimik2.rs",
    checked: "2026-11-22",
    examples: [
      [
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0",
        '<|tool_call_argument_begin|>{"city": "Paris", "days": 3}<|tool_call_end|><|tool_calls_section_end|>',
      ].join(""),
      '<|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Paris", "days": 3}<|tool_call_end|>',
    ],
  },
  "kimi-k3": {
    models: "Kimi K3",
    upstream: "vllm tests/tool_use/test_kimi_k3_tool_parser.py",
    checked: "2026-11-22",
    examples: [
      [
        '<|open|>tools<|sep|><|open|>call tool="get_weather" index="1"<|sep|>',
        '<|open|>argument key="city" type="string"<|sep|>Paris<|close|>argument<|sep|>',
        '<|open|>argument key="days" type="number"<|sep|>3<|close|>argument<|sep|>',
        "<|close|>call<|sep|><|close|>tools<|sep|>",
      ].join(""),
    ],
  },
  plamo: {
    models: "PLaMo 3",
    upstream: "vllm tests/tool_parsers/test_plamo3_tool_parser.py",
    checked: "2026-11-22",
    examples: [
      [
        "<|plamo:begin_tool_requests:plamo|><|plamo:begin_tool_request:plamo|>",
        "<|plamo:begin_tool_name:plamo|>get_weather<|plamo:end_tool_name:plamo|>",
        '<|plamo:begin_tool_arguments:plamo|>{"city": "Paris", "days": 3}',
        "<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|><|plamo:end_tool_requests:plamo|>",
      ].join(""),
    ],
  },
  solar: {
    models: "Solar Open 2",
    upstream: "vllm tests/tool_parsers/test_solar_open2_tool_parser.py",
    checked: "2026-11-22",
    examples: [
      [
        "<|tool_call:start|>get_weather",
        "<|tool_arg:start|>city<|tool_arg:value|>Paris<|tool_arg:end|>",
        "<|tool_arg:start|>days<|tool_arg:value|>3<|tool_arg:end|>",
        "<|tool_call:end|>",
      ].join("\n"),
    ],
  },
  inkling: {
    models: "Inkling",
    upstream: "vllm tests/parser/engine/test_inkling.py",
    checked: "2026-11-22",
    examples: [
      [
        "<|message_model|>get_weather",
        '<|content_invoke_tool_json|>{"name": "get_weather", "args": {"city": "Paris", "days": 3}}<|end_message|>',
      ].join(""),
      'get_weather<|content_invoke_tool_json|>{"name": "get_weather", "args": {"city": "Paris", "days": 3}}<|end_message|>',
    ],
  },
  "k2-horizon": {
    models: "K2 Horizon",
    upstream: "vllm tests/tool_parsers/test_k2_horizon_tool_parser.py",
    checked: "2026-11-22",
    examples: [
      '<ifm|tool_calls><ifm|tool_call>{"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}</ifm|tool_call></ifm|tool_calls>',
      [
        "<ifm|tool_calls><ifm|tool_call>get_weather<ifm|arg_key>city</ifm|arg_key>",
        "<ifm|arg_value>Paris</ifm|arg_value><ifm|arg_key>days</ifm|arg_key><ifm|arg_value>3",
        "</ifm|arg_value></ifm|tool_call></ifm|tool_calls>",
      ].join(""),
      '<ifm|tool_call>{"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}</ifm|tool_call>',
    ],
  },
  iquest: {
    models: "IQuest",
    upstream: "vllm tests/tool_parsers/test_iquest_coder_v2_tool_parser.py",
    checked: "2026-11-22",
    examples: [
      [
        "<iquest_tool_call>get_weather",
        "<arg_key>city</arg_key>",
        "<arg_value>Paris</arg_value>",
        "<arg_key>days</arg_key>",
        "<arg_value>3</arg_value>",
        "</iquest_tool_call>",
      ].join("\n"),
      [
        "<iquestcoder_tool_call>get_weather<arg_key>city</arg_key><arg_value>Paris</arg_value>",
        "<arg_key>days</arg_key><arg_value>3</arg_value></iquestcoder_tool_call>",
      ].join(""),
    ],
  },
  laguna: {
    models: "Laguna, Step-Audio 2",
    upstream: "ollama model/parsers/laguna_test.go",
    checked: "2026-11-22",
    examples: [
      [
        "<tool_call>function",
        "get_weather",
        '{"city": "Paris", "days": 3}',
        "</tool_call>",
      ].join("\n"),
      [
        "<tool_call>get_weather",
        '{"city": "Paris", "days": 3}',
        "</tool_call>",
      ].join("\n"),
    ],
  },
  hyperclova: {
    models: "HyperCLOVA X SEED",
    upstream:
      "vllm tests/tool_parsers/test_hyperclovax_seed_think_14b_tool_parser.py",
    checked: "2026-11-22",
    examples: [
      [
        " -> tool/function_call",
        '[{"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}]<|im_end|>',
      ].join("\n"),
    ],
  },
  rwkv: {
    models: "RWKV",
    upstream: "vllm tests/tool_parsers/test_rwkv_tool_parser.py",
    checked: "2026-11-22",
    examples: [
      [
        "**Tool Call:**",
        "```json",
        '{"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}',
        "```",
      ].join("\n"),
    ],
  },
  glm: {
    models: "GLM 4.5 to 5.3, Ling 3, Spark 3, Poolside",
    upstream: "vllm tests/tool_parsers/test_poolside_v1_tool_parser.py",
    checked: "2026-11-22",
    examples: [
      [
        "<tool_call>get_weather",
        "<arg_key>city</arg_key>",
        "<arg_value>Paris</arg_value>",
        "<arg_key>days</arg_key>",
        "<arg_value>3</arg_value>",
        "</tool_call>",
      ].join("\n"),
      '<tool_call>get_weather>{"city": "Paris", "days": 3}',
      [
        "<tool_call>get_weather<arg_key>city</arg_key>Paris</arg_value>",
        "<arg_key>days</arg_key>3</arg_value></tool_call>",
      ].join(""),
    ],
  },
  harmony: {
    models: "gpt-oss",
    upstream: "ollama harmony/harmonyparser_test.go",
    checked: "2026-11-22",
    examples: [
      '<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city": "Paris", "days": 3}<|call|>',
    ],
  },
  "tool-calls": {
    models: "MiniMax M1, Jamba, Hunyuan A13B",
    upstream: "aphrodite tests/tool_use/test_minimax_tool_parser.py",
    checked: "2026-11-22",
    examples: [
      [
        "<tool_calls>",
        '{"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}',
        "</tool_calls>",
      ].join("\n"),
    ],
  },
  "minimax-m2": {
    models: "MiniMax M2",
    upstream: "smg crates/tool_parser/tests/tool_parser_minimax_m2.rs",
    checked: "2026-11-22",
    examples: [
      [
        "<minimax:tool_call>",
        '<invoke name="get_weather">',
        '<parameter name="city">Paris</parameter>',
        '<parameter name="days">3</parameter>',
        "</invoke>",
        "</minimax:tool_call>",
      ].join("\n"),
    ],
  },
  dots: {
    models: "dots",
    upstream: "vllm tests/tool_parsers/test_dots_tool_parser.py",
    checked: "2026-11-22",
    examples: [
      [
        "<dots_function_call>",
        '<invoke name="get_weather">',
        '<parameter name="city">Paris</parameter>',
        '<parameter name="days">3</parameter>',
        "</invoke>",
        "</dots_function_call>",
      ].join("\n"),
    ],
  },
  "minimax-m3": {
    models: "MiniMax M3",
    upstream: "vllm tests/tool_parsers/test_minimax_m3_tool_parser.py",
    checked: "2026-11-22",
    examples: [
      [
        "]<]minimax[>[<tool_call>",
        [
          ']<]minimax[>[<invoke name="get_weather">]<]minimax[>[<city>Paris]<]minimax[>[</city>]',
          "<]minimax[>[<days>3]<]minimax[>[</days>]<]minimax[>[</invoke>",
        ].join(""),
        "]<]minimax[>[</tool_call>",
      ].join("\n"),
    ],
  },
  invoke: {
    models: "Claude where it writes its calls as text",
    upstream: "mlx-lm tests/test_tool_parsing.py",
    checked: "2026-11-22",
    examples: [
      [
        "<function_calls>",
        '<invoke name="get_weather">',
        '<parameter name="city">Paris</parameter>',
        '<parameter name="days">3</parameter>',
        "</invoke>",
        "</function_calls>",
      ].join("\n"),
      [
        '<invoke name="get_weather">',
        '<parameter name="city">Paris</parameter>',
        '<parameter name="days">3</parameter>',
        "</invoke>",
      ].join("\n"),
      [
        "<function_calls>",
        "<invoke>",
        "<tool_name>get_weather</tool_name>",
        "<parameters>",
        "<city>Paris</city>",
        "<days>3</days>",
        "</parameters>",
        "</invoke>",
        "</function_calls>",
      ].join("\n"),
    ],
  },
  "invoke-tool-call": {
    models: "models that mix Hermes and Claude",
    upstream:
      "lobe-chat packages/model-runtime/src/core/streams/ollama.test.ts",
    checked: "2026-11-23",
    examples: [
      [
        "<tool_call>",
        '<invoke name="get_weather">',
        '<parameter name="city">Paris</parameter>',
        '<parameter name="days">3</parameter>',
        "</invoke>",
        "</tool_call>",
      ].join("\n"),
    ],
  },
  atem: {
    models: "Muse Glimmer",
    upstream: "vllm tests/tool_use/test_muse_glimmer_tool_parser.py",
    checked: "2026-11-22",
    examples: [
      [
        "<atem:function_calls>",
        '<atem:invoke name="get_weather">',
        '<atem:parameter name="city">Paris</atem:parameter>',
        '<atem:parameter name="days">3</atem:parameter>',
        "</atem:invoke>",
        "</atem:function_calls>",
      ].join("\n"),
      [
        " to=get_weather<|message|><atem:function_calls>",
        '<atem:invoke name="get_weather">',
        '<atem:parameter name="city">Paris</atem:parameter>',
        '<atem:parameter name="days">3</atem:parameter>',
        "</atem:invoke>",
        "</atem:function_calls><|eom|>",
      ].join("\n"),
    ],
  },
  "gemma-function": {
    models: "FunctionGemma",
    upstream: "mlx-swift-lm Tests/MLXLMTests/ToolTests.swift",
    checked: "2026-11-22",
    examples: [
      "<start_function_call>call:get_weather{city:<escape>Paris<escape>,days:3}<end_function_call>",
    ],
  },
  gemma: {
    models: "Gemma 4",
    upstream: "ollama model/parsers/gemma4_test.go",
    checked: "2026-11-22",
    examples: [
      '<|tool_call>call:get_weather{city:<|"|>Paris<|"|>,days:3}<tool_call|>',
      '<|tool_call>call:get_weather(city="Paris", days=3)<tool_call|>',
    ],
  },
  "gemma-bare": {
    models: "Gemma 4 without its marks",
    upstream: "vllm tests/tool_parsers/test_gemma4_regex_and_bare_calls.py",
    checked: "2026-11-22",
    examples: [
      'call:get_weather{city:<|"|>Paris<|"|>,days:3}',
      '<call>get_weather{city:<|"|>Paris<|"|>,days:3}',
    ],
  },
  lfm2: {
    models: "LFM2, openPangu",
    upstream: "vllm tests/tool_parsers/test_lfm2_tool_parser.py",
    checked: "2026-11-22",
    examples: [
      '<|tool_call_start|>[get_weather(city="Paris", days=3)]<|tool_call_end|>',
      '<|tool_call_start|>{"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}<|tool_call_end|>',
    ],
  },
  minicpm: {
    models: "MiniCPM 3 and 4",
    upstream: "MiniCPM demo/minicpm3/function_call/minicpm_tool_parser.py",
    checked: "2026-11-23",
    examples: [
      [
        "<|tool_call_start|>",
        "```python",
        'get_weather(city="Paris", days=3)',
        "```",
        "<|tool_call_end|>",
      ].join("\n"),
    ],
  },
  "minicpm-xml": {
    models: "MiniCPM 5",
    upstream:
      "model_server src/test/llm/output_parsers/minicpm5_output_parser_test.cpp",
    checked: "2026-11-22",
    examples: [
      '<function name="get_weather"><param name="city">Paris</param><param name="days">3</param></function>',
    ],
  },
  granite: {
    models: "Granite 3, Phi-4-mini",
    upstream: "vllm-mlx tests/test_tool_parsers.py",
    checked: "2026-11-22",
    examples: [
      '<|tool_call|>[{"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}]<|/tool_call|>',
    ],
  },
  "granite-20b": {
    models: "Granite 20B FC",
    upstream: "vllm tests/tool_parsers/test_granite_20b_fc_tool_parser.py",
    checked: "2026-11-22",
    examples: [
      '<function_call> {"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}',
    ],
  },
  hunyuan: {
    models: "Hunyuan 3 and 4",
    upstream: "vllm tests/tool_parsers/test_hy_v4_tool_parser.py",
    checked: "2026-11-22",
    examples: [
      [
        "<tool_calls>",
        "<tool_call>get_weather<tool_sep>",
        "<arg_key>city</arg_key>",
        "<arg_value>Paris</arg_value>",
        "<arg_key>days</arg_key>",
        "<arg_value>3</arg_value>",
        "</tool_call>",
        "</tool_calls>",
      ].join("\n"),
      [
        "<tool_calls:opensource>",
        "<tool_call:opensource>get_weather<tool_sep:opensource>",
        "<arg_key:opensource>city</arg_key:opensource>",
        "<arg_value:opensource>Paris</arg_value:opensource>",
        "<arg_key:opensource>days</arg_key:opensource>",
        "<arg_value:opensource>3</arg_value:opensource>",
        "</tool_call:opensource>",
        "</tool_calls:opensource>",
      ].join("\n"),
    ],
  },
  gigachat: {
    models: "GigaChat 3 and 3.1",
    upstream: "vllm tests/tool_parsers/test_gigachat3_tool_parser.py",
    checked: "2026-11-22",
    examples: [
      '<|function_call|>{"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}',
      [
        "<|message_sep|>",
        "",
        "function call<|role_sep|>",
        '{"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}',
      ].join("\n"),
      [
        "function call<|role_sep|>",
        '{"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}',
      ].join("\n"),
    ],
  },
  olmo: {
    models: "OLMo 3",
    upstream: "ollama model/parsers/olmo3_test.go",
    checked: "2026-11-22",
    examples: [
      [
        "<function_calls>",
        'get_weather(city="Paris", days=3)',
        "</function_calls>",
      ].join("\n"),
    ],
  },
  phi: {
    models: "Phi-4-mini",
    upstream:
      "model_server src/test/llm/output_parsers/phi4_output_parser_test.cpp",
    checked: "2026-11-22",
    examples: [
      'functools[{"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}]',
    ],
  },
  cohere: {
    models: "Command R7B, Command A",
    upstream: "smg crates/tool_parser/tests/tool_parser_cohere.rs",
    checked: "2026-11-22",
    examples: [
      [
        "<|START_ACTION|>[",
        '    {"tool_call_id": "0", "tool_name": "get_weather", "parameters": {"city": "Paris", "days": 3}}',
        "]<|END_ACTION|>",
      ].join("\n"),
    ],
  },
  internlm: {
    models: "InternLM 2 and 2.5, Intern-S1",
    upstream: "vllm tests/tool_parsers/test_internlm2_tool_parser.py",
    checked: "2026-11-22",
    examples: [
      [
        "<|action_start|><|plugin|>",
        '{"name": "get_weather", "parameters": {"city": "Paris", "days": 3}}<|action_end|>',
      ].join("\n"),
    ],
  },
  "qwen-tools": {
    models: "Qwen2.5-Coder",
    upstream: "vllm tests/tool_parsers/test_qwen2_5_coder_tool_parser.py",
    checked: "2026-11-22",
    examples: [
      [
        "<tools>",
        '{"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}',
        "</tools>",
      ].join("\n"),
    ],
  },
  "cohere-action": {
    models: "Command R and R+",
    upstream: "llama.cpp tests/test-chat.cpp",
    checked: "2026-11-22",
    examples: [
      [
        "Action: ```json",
        "[",
        '    {"tool_name": "get_weather", "parameters": {"city": "Paris", "days": 3}}',
        "]",
        "```",
      ].join("\n"),
    ],
  },
  nemotron: {
    models: "Nemotron Nano 2",
    upstream: "vllm tests/tool_parsers/test_nemotron_nano_v2_tool_parser.py",
    checked: "2026-11-22",
    examples: [
      '<TOOLCALL>[{"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}]</TOOLCALL>',
    ],
  },
  apertus: {
    models: "Apertus",
    upstream: "llama.cpp tests/test-chat.cpp",
    checked: "2026-11-22",
    examples: [
      '<|tools_prefix|>[{"get_weather": {"city": "Paris", "days": 3}}]<|tools_suffix|>',
    ],
  },
  longcat: {
    models: "LongCat",
    upstream: "vllm tests/tool_parsers/test_longcat_tool_parser.py",
    checked: "2026-11-22",
    examples: [
      '<longcat_tool_call>{"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}</longcat_tool_call>',
      [
        "<longcat_tool_call>get_weather",
        "<longcat_arg_key>city</longcat_arg_key>",
        "<longcat_arg_value>Paris</longcat_arg_value>",
        "<longcat_arg_key>days</longcat_arg_key>",
        "<longcat_arg_value>3</longcat_arg_value>",
        "</longcat_tool_call>",
      ].join("\n"),
    ],
  },
  cwm: {
    models: "CWM; what is no JSON is the tool's `command`",
    upstream: "vllm tests/tool_parsers/test_cwm_tool_parser.py",
    checked: "2026-11-22",
    examples: [
      [
        "<tool: function>",
        'get_weather {"city": "Paris", "days": 3}',
        "</tool>",
      ].join("\n"),
    ],
  },
  step: {
    models: "Step 3",
    upstream: "vllm tests/tool_parsers/test_step3_tool_parser.py",
    checked: "2026-11-22",
    examples: [
      [
        "<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜>",
        '<steptml:invoke name="get_weather"><steptml:parameter name="city">Paris',
        '</steptml:parameter><steptml:parameter name="days">3</steptml:parameter></steptml:invoke>',
        "<｜tool_call_end｜><｜tool_calls_end｜>",
      ].join(""),
      [
        '<｜tool_calls_begin｜><｜tool_call_begin｜><steptml:invoke name="get_weather">',
        '<steptml:parameter name="city">Paris</steptml:parameter><steptml:parameter name="days">3',
        "</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>",
      ].join(""),
    ],
  },
  react: {
    models: "any model that is prompted for ReAct",
    upstream:
      "langchainjs libs/langchain-classic/src/agents/tests/react.test.ts",
    checked: "2026-11-23",
    examples: [
      [
        "Action: get_weather",
        'Action Input: {"city": "Paris", "days": 3}',
      ].join("\n"),
    ],
  },
  "fenced-json": {
    models: "any model",
    upstream: "adk-python tests/unittests/models/test_gemma_llm.py",
    checked: "2026-11-23",
    examples: [
      [
        "```json",
        '{"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}',
        "```",
      ].join("\n"),
    ],
  },
  "fenced-python": {
    models: "Gemma 3, Gemini",
    upstream: NONE,
    examples: [
      ["```tool_code", 'get_weather(city="Paris", days=3)', "```"].join("\n"),
    ],
  },
  json: {
    models: "any model",
    upstream: "smg crates/tool_parser/tests/tool_parser_json.rs",
    checked: "2026-11-22",
    examples: [
      '{"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}',
    ],
  },
  "python-list": {
    models: "Llama 3.2 and 4, xLAM, ToolACE",
    upstream:
      "sglang test/registered/function_call/test_function_call_parser.py",
    checked: "2026-11-22",
    examples: ['[get_weather(city="Paris", days=3)]'],
  },
  python: {
    models: "Granite 4, any model",
    upstream: "vllm tests/tool_parsers/test_granite_pythonic_tool_parser.py",
    examples: ['get_weather(city="Paris", days=3)'],
  },
  elements: {
    models: "models that are prompted for XML",
    upstream:
      "Roo-Code src/core/assistant-message/__tests__/XmlToolCallParser.spec.ts",
    checked: "2026-11-23",
    examples: [
      [
        "<get_weather>",
        "<city>Paris</city>",
        "<days>3</days>",
        "</get_weather>",
      ].join("\n"),
    ],
  },
  "lm-studio": {
    models: "any model in LM Studio that has no form of its own",
    upstream: "lmstudio-docs 1_developer/3_openai-compat/tools.mdx",
    checked: "2026-11-27",
    examples: [
      '[TOOL_REQUEST]{"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}[END_TOOL_REQUEST]',
    ],
  },
  "tool-call-marks": {
    models: "MiniMax M2 and later",
    upstream: "odysseus src/tool_parsing.py",
    checked: "2026-11-27",
    examples: [
      '[TOOL_CALL] {"tool": "get_weather", "args": {"city": "Paris", "days": 3}} [/TOOL_CALL]',
      [
        "[TOOL_CALL]",
        '{tool => "get_weather", args => {',
        '  --city "Paris"',
        "  --days 3",
        "}}",
        "[/TOOL_CALL]",
      ].join("\n"),
    ],
  },
  "function-element": {
    models: "Gemma 3 and Qwen 3.6 in MLX",
    upstream: "mlx-omni-server issues/126",
    checked: "2026-11-27",
    examples: [
      [
        "<tool_call>",
        "<function>get_weather</function>",
        '{"city": "Paris", "days": 3}',
        "</tool_call>",
      ].join("\n"),
    ],
  },
  sarashina: {
    models: "Sarashina",
    upstream: "smg crates/tool_parser/src/parsers/sarashina.rs",
    checked: "2026-11-22",
    examples: [
      `<|tool_calls|>[{'name': 'get_weather', 'arguments': {'city': 'Paris', 'days': 3}}]`,
    ],
  },
};

/** A format with its documentation. */
export interface FormatEntry extends About {
  readonly format: TextFormatName;
  readonly forms: readonly TextFormat[];
}

export const formatEntries: readonly FormatEntry[] = Object.entries(
  formatsByName,
).map(([format, about]) => ({
  ...about,
  format: format as TextFormatName,
  forms: textFormats.filter((form) => form.format === format),
}));
