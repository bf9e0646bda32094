import type { JsonValue } from "toolmend";
import type { JsonObject } from "#src/repair/types.ts";

/** A call as the model means it. */
export interface MeantCall {
  readonly name: string;
  readonly args: JsonObject;
}

type Writer = (calls: readonly MeantCall[]) => string;

const json = (value: unknown) => JSON.stringify(value);
const asObject = (call: MeantCall, name = "name", args = "arguments") =>
  json({ [name]: call.name, [args]: call.args });
const each =
  (write: (call: MeantCall, index: number) => string, separator = "\n"): Writer =>
  (calls) =>
    calls.map(write).join(separator);
const within =
  (open: string, write: Writer, close: string): Writer =>
  (calls) =>
    `${open}${write(calls)}${close}`;
const list =
  (name?: string, args?: string): Writer =>
  (calls) =>
    `[${calls.map((call) => asObject(call, name, args)).join(", ")}]`;

const text = (value: JsonValue) => (typeof value === "string" ? value : json(value));
const entriesOf = ({ args }: MeantCall) => Object.entries(args) as [string, JsonValue][];

/** A tag for each argument. */
function tags(write: (key: string, value: JsonValue) => string, separator = "\n") {
  return (call: MeantCall) =>
    entriesOf(call)
      .map(([key, value]) => write(key, value))
      .join(separator);
}

const parameters = tags((key, value) => `<parameter=${key}>\n${text(value)}\n</parameter>`);
const named = tags((key, value) => `<parameter name="${key}">${text(value)}</parameter>`);
const pairs = (suffix = "", prefix = "") =>
  tags((key, value) =>
    [
      `<${prefix}arg_key${suffix}>${key}</${prefix}arg_key${suffix}>\n`,
      `<${prefix}arg_value${suffix}>${text(value)}</${prefix}arg_value${suffix}>`,
    ].join(""),
  );
const func: (call: MeantCall) => string = (call) =>
  `<function=${call.name}>\n${parameters(call)}\n</function>`;
const invoke = (call: MeantCall) => `<invoke name="${call.name}">\n${named(call)}\n</invoke>`;

function python(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(python).join(", ")}]`;
  if (value !== null && typeof value === "object") {
    const entries = Object.entries(value) as [string, JsonValue][];
    return `{${entries.map(([key, child]) => `'${key}': ${python(child)}`).join(", ")}}`;
  }
  if (typeof value === "boolean") return value ? "True" : "False";
  return value === null ? "None" : json(value);
}
const pythonCall = (call: MeantCall) =>
  `${call.name}(${entriesOf(call)
    .map(([key, value]) => `${key}=${python(value)}`)
    .join(", ")})`;
const pythonList = within("[", each(pythonCall, ", "), "]");

const marked =
  (mark: string) =>
  (value: JsonValue): string => {
    if (typeof value === "string") return `${mark}${value}${mark}`;
    if (Array.isArray(value)) return `[${value.map(marked(mark)).join(",")}]`;
    if (value === null || typeof value !== "object") return json(value);
    const entries = Object.entries(value) as [string, JsonValue][];
    return `{${entries.map(([key, child]) => `${key}:${marked(mark)(child)}`).join(",")}}`;
  };

const escapeXml = (value: string) =>
  value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

function elements(value: JsonValue, mark: string, encode = (one: string) => one): string {
  const wrap = (key: string, child: JsonValue) =>
    `${mark}<${key}>${elements(child, mark, encode)}${mark}</${key}>`;
  if (Array.isArray(value)) return value.map((item) => wrap("item", item)).join("");
  if (value === null || typeof value !== "object") return encode(text(value));
  return Object.entries(value)
    .map(([key, child]) => wrap(key, child as JsonValue))
    .join("");
}

const dsml = (mark: string, section: string, gap = "") =>
  within(
    `<｜${mark}｜${gap}${section}>\n`,
    each(
      (call) =>
        `<｜${mark}｜${gap}invoke name="${call.name}">\n${tags(
          (key, value) =>
            `<｜${mark}｜${gap}parameter name="${key}" string="${typeof value === "string"}">${text(value)}</｜${mark}｜${gap}parameter>`,
        )(call)}\n</｜${mark}｜${gap}invoke>`,
    ),
    `\n</｜${mark}｜${gap}${section}>`,
  );
const hunyuan = (suffix: string) =>
  within(
    `<tool_calls${suffix}>\n`,
    each(
      (call) =>
        `<tool_call${suffix}>${call.name}<tool_sep${suffix}>\n${pairs(suffix)(call)}\n</tool_call${suffix}>`,
    ),
    `\n</tool_calls${suffix}>`,
  );
const fence = (language: string, write: Writer) => within(`\`\`\`${language}\n`, write, "\n```");
const tagged = (open: string, close: string, write: (call: MeantCall) => string, gap = "\n") =>
  each((call) => `${open}${gap}${write(call)}${gap}${close}`);
const typeOf = (value: JsonValue) => (Array.isArray(value) ? "array" : typeof value);

/** How calls are written in each form of a format, `format/form`: independent of how they are read. */
export const writers: Readonly<Record<string, Writer>> = {
  hermes: tagged("<tool_call>", "</tool_call>", asObject),
  "hermes/braced": tagged("<tool_call>", "</tool_call>", (call) => `{${asObject(call)}}`, ""),
  "qwen3-coder": tagged("<tool_call>", "</tool_call>", func),
  "qwen3-coder/open": tagged(
    "<tool_call>",
    "</tool_call>",
    (call) => `<function=${call.name}>\n${parameters(call)}`,
  ),
  "qwen3-coder/json": tagged(
    "<tool_call>",
    "</tool_call>",
    (call) => `<function=${call.name}>${json(call.args)}</function>`,
  ),
  "function-tag": each(func),
  "function-tag/orphan": each((call) => `${func(call)}\n</tool_call>`),
  "function-tag/open": each((call) => `<function=${call.name}=${json(call.args)}</function>`),
  "function-tag/element": each((call) => `<function>${call.name}</function>${json(call.args)}`),
  "function-tag/json": each((call) => `<function=${call.name}>${json(call.args)}</function>`),
  seed: within("<seed:tool_call>\n", each(func), "\n</seed:tool_call>"),
  llama: within(
    "<|python_tag|>",
    each((call) => asObject(call, "name", "parameters"), "; "),
    "",
  ),
  "llama/builtin": within(
    "<|python_tag|>",
    each((call) => pythonCall({ ...call, name: `${call.name}.call` }), "; "),
    "",
  ),
  "llama-python": within("<|python_start|>", pythonList, "<|python_end|>"),
  "mistral/list": within("[TOOL_CALLS]", list(), ""),
  mistral: each((call) => `[TOOL_CALLS]${call.name}[ARGS]${json(call.args)}`, ""),
  "mistral/id": each(
    (call, index) => `[TOOL_CALLS]${call.name}[CALL_ID]VvvODy9m${index}[ARGS]${json(call.args)}`,
    "",
  ),
  "deepseek-v3": within(
    "<｜tool▁calls▁begin｜>",
    each(
      (call) =>
        `<｜tool▁call▁begin｜>function<｜tool▁sep｜>${call.name}\n\`\`\`json\n${json(call.args)}\n\`\`\`<｜tool▁call▁end｜>`,
    ),
    "<｜tool▁calls▁end｜>",
  ),
  "deepseek-v3.1": within(
    "<｜tool▁calls▁begin｜>",
    each(
      (call) =>
        `<｜tool▁call▁begin｜>${call.name}<｜tool▁sep｜>${json(call.args)}<｜tool▁call▁end｜>`,
      "",
    ),
    "<｜tool▁calls▁end｜>",
  ),
  "dsml/v3.2": dsml("DSML", "function_calls"),
  dsml: dsml("DSML", "tool_calls"),
  "dsml/v4.1": dsml("DSML", "calls", " "),
  "dsml/bare": each(
    (call) => `<｜DSML｜invoke name="${call.name}">${json(call.args)}</｜DSML｜invoke>`,
  ),
  "dsml/gcml": dsml("GCML", "tool_calls"),
  "kimi-k2": within(
    "<|tool_calls_section_begin|>",
    each(
      (call, index) =>
        `<|tool_call_begin|>functions.${call.name}:${index}<|tool_call_argument_begin|>${json(call.args)}<|tool_call_end|>`,
      "",
    ),
    "<|tool_calls_section_end|>",
  ),
  "kimi-k2/bare": each(
    (call, index) =>
      `<|tool_call_begin|>functions.${call.name}:${index}<|tool_call_argument_begin|>${json(call.args)}<|tool_call_end|>`,
    "",
  ),
  "kimi-k3": within(
    "<|open|>tools<|sep|>",
    each(
      (call, index) =>
        `<|open|>call tool="${call.name}" index="${index + 1}"<|sep|>${tags(
          (key, value) =>
            `<|open|>argument key="${key}" type="${typeOf(value)}"<|sep|>${text(value)}<|close|>argument<|sep|>`,
          "",
        )(call)}<|close|>call<|sep|>`,
      "",
    ),
    "<|close|>tools<|sep|>",
  ),
  plamo: within(
    "<|plamo:begin_tool_requests:plamo|>",
    each(
      (call) =>
        [
          `<|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>${call.name}`,
          `<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|>`,
          `<|plamo:msg|>${json(call.args)}<|plamo:end_tool_arguments:plamo|>`,
          `<|plamo:end_tool_request:plamo|>`,
        ].join(""),
      "",
    ),
    "<|plamo:end_tool_requests:plamo|>",
  ),
  solar: each(
    (call) =>
      `<|tool_call:start|>${call.name}\n${tags(
        (key, value) =>
          `<|tool_arg:start|>${key}<|tool_arg:value|>${text(value)}<|tool_arg:end|>\n`,
        "",
      )(call)}<|tool_call:end|>`,
  ),
  "inkling/bare": each(
    (call) =>
      `${call.name}<|content_invoke_tool_json|>${asObject(call, "name", "args")}<|end_message|>`,
    "",
  ),
  inkling: each(
    (call) =>
      `<|message_model|>${call.name}<|content_invoke_tool_json|>${asObject(call, "name", "args")}<|end_message|>`,
    "",
  ),
  "k2-horizon": within(
    "<ifm|tool_calls>",
    each((call) => `<ifm|tool_call>${asObject(call)}</ifm|tool_call>`),
    "</ifm|tool_calls>",
  ),
  "k2-horizon/bare": each((call) => `<ifm|tool_call>${asObject(call)}</ifm|tool_call>`),
  "k2-horizon/xml": within(
    "<ifm|tool_calls>",
    each((call) => `<ifm|tool_call>${call.name}${pairs("", "ifm|")(call)}</ifm|tool_call>`),
    "</ifm|tool_calls>",
  ),
  iquest: each((call) => `<iquest_tool_call>${call.name}\n${pairs()(call)}\n</iquest_tool_call>`),
  "iquest/coder": each(
    (call) => `<iquestcoder_tool_call>${call.name}${pairs()(call)}</iquestcoder_tool_call>`,
    "",
  ),
  laguna: each((call) => `<tool_call>${call.name}\n${json(call.args)}\n</tool_call>`),
  "laguna/step-audio": each(
    (call) => `<tool_call>function\n${call.name}\n${json(call.args)}\n</tool_call>`,
  ),
  hyperclova: within(" -> tool/function_call\n", list(), ""),
  rwkv: each((call) => `**Tool Call:**\n\`\`\`json\n${asObject(call)}\n\`\`\``),
  glm: each((call) => `<tool_call>${call.name}\n${pairs()(call)}\n</tool_call>`),
  "glm/open": each(
    (call) => `<tool_call>${call.name}${pairs()(call).replaceAll("<arg_value>", "")}</tool_call>`,
  ),
  "glm/flash": each((call) => `<tool_call>${call.name}>${json(call.args)}</tool_call>`),
  harmony: each(
    (call) =>
      `<|channel|>commentary to=functions.${call.name} <|constrain|>json<|message|>${json(call.args)}<|call|>`,
    "<|start|>assistant",
  ),
  "tool-calls": within(
    "<tool_calls>\n",
    each((call) => asObject(call)),
    "\n</tool_calls>",
  ),
  "minimax-m2": within("<minimax:tool_call>\n", each(invoke), "\n</minimax:tool_call>"),
  dots: within("<dots_function_call>", each(invoke, ""), "</dots_function_call>"),
  "minimax-m3": within(
    "]<]minimax[>[<tool_call>\n",
    each(
      (call) =>
        `]<]minimax[>[<invoke name="${call.name}">${elements(call.args, "]<]minimax[>[")}]<]minimax[>[</invoke>`,
    ),
    "\n]<]minimax[>[</tool_call>",
  ),
  invoke: within("<function_calls>\n", each(invoke), "\n</function_calls>"),
  "invoke-tool-call": tagged("<tool_call>", "</tool_call>", invoke),
  "invoke/bare": each(invoke),
  "invoke/elements": within(
    "<function_calls>\n",
    each(
      (call) =>
        `<invoke>\n<tool_name>${call.name}</tool_name>\n<parameters>${elements(call.args, "", escapeXml)}</parameters>\n</invoke>`,
    ),
    "\n</function_calls>",
  ),
  atem: within(
    "<atem:function_calls>\n",
    each(
      (call) =>
        `<atem:invoke name="${call.name}">\n${tags(
          (key, value) => `<atem:parameter name="${key}">${text(value)}</atem:parameter>`,
        )(call)}\n</atem:invoke>`,
    ),
    "\n</atem:function_calls>",
  ),
  "atem/addressed": each(
    (call) =>
      `<|start|>assistant to=${call.name}<|message|><atem:function_calls>\n<atem:invoke name="${call.name}">\n${tags(
        (key, value) => `<atem:parameter name="${key}">${text(value)}</atem:parameter>`,
      )(call)}\n</atem:invoke>\n</atem:function_calls><|eom|>`,
    "",
  ),
  "gemma-bare/tag": each((call) => `<call>${call.name}${marked('<|"|>')(call.args)}`),
  "gemma-function": each(
    (call) =>
      `<start_function_call>call:${call.name}${marked("<escape>")(call.args)}<end_function_call>`,
    "",
  ),
  gemma: each(
    (call) => `<|tool_call>call:${call.name}${marked('<|"|>')(call.args)}<tool_call|>`,
    "",
  ),
  "gemma/python": each((call) => `<|tool_call>call:${pythonCall(call)}<tool_call|>`, ""),
  "gemma-bare": each((call) => `call:${call.name}${marked('<|"|>')(call.args)}`),
  lfm2: within("<|tool_call_start|>", pythonList, "<|tool_call_end|>"),
  minicpm: within(
    "<|tool_call_start|>\n",
    fence("python", each(pythonCall)),
    "\n<|tool_call_end|>",
  ),
  "minicpm-xml": each(
    (call) =>
      `<function name="${call.name}">${tags(
        (key, value) => `<param name="${key}"><![CDATA[${text(value)}]]></param>`,
        "",
      )(call)}</function>`,
  ),
  granite: within("<|tool_call|>", list(), "<|/tool_call|>"),
  "granite-20b": each((call) => `<function_call> ${asObject(call)}`),
  hunyuan: hunyuan(""),
  "hunyuan/opensource": hunyuan(":opensource"),
  "gigachat/3.1": each((call) => `<|function_call|>${asObject(call)}`),
  gigachat: each((call) => `<|message_sep|>\n\nfunction call<|role_sep|>\n${asObject(call)}`),
  "gigachat/bare": each((call) => `function call<|role_sep|>\n${asObject(call)}`),
  olmo: within("<function_calls>\n", each(pythonCall), "\n</function_calls>"),
  phi: within("functools", list(), ""),
  cohere: within("<|START_ACTION|>", list("tool_name", "parameters"), "<|END_ACTION|>"),
  internlm: each(
    (call) => `<|action_start|><|plugin|>\n${asObject(call, "name", "parameters")}<|action_end|>`,
  ),
  "lfm2/json": within("<|tool_call_start|>", list(), "<|tool_call_end|>"),
  sarashina: within("<|tool_calls|>", list(), ""),
  "lm-studio": tagged("[TOOL_REQUEST]", "[END_TOOL_REQUEST]", asObject, ""),
  "tool-call-marks": each((call) => `[TOOL_CALL] ${asObject(call, "tool", "args")} [/TOOL_CALL]`),
  "tool-call-marks/flags": each(
    (call) =>
      `[TOOL_CALL]\n{tool => "${call.name}", args => {\n${tags((key, value) => `  --${key} ${json(value)}`)(call)}\n}}\n[/TOOL_CALL]`,
  ),
  "function-element": tagged(
    "<tool_call>",
    "</tool_call>",
    (call) => `<function>${call.name}</function>\n${json(call.args)}`,
  ),
  "qwen-tools": each((call) => `<tools>\n${asObject(call)}\n</tools>`),
  "cohere-action": within("Action: ", fence("json", list("tool_name", "parameters")), ""),
  nemotron: within("<TOOLCALL>", list(), "</TOOLCALL>"),
  apertus: (calls) =>
    `<|tools_prefix|>[${calls.map(({ name, args }) => json({ [name]: args })).join(", ")}]<|tools_suffix|>`,
  longcat: each((call) => `<longcat_tool_call>${asObject(call)}</longcat_tool_call>`),
  "longcat/pairs": tagged(
    "<longcat_tool_call>",
    "</longcat_tool_call>",
    (call) => `${call.name}\n${pairs("", "longcat_")(call)}`,
    "",
  ),
  cwm: each((call) => `<tool: function>\n${call.name} ${json(call.args)}\n</tool>`),
  "step/plain": within(
    "<｜tool_calls_begin｜>",
    each(
      (call) =>
        `<｜tool_call_begin｜><steptml:invoke name="${call.name}">${tags(
          (key, value) => `<steptml:parameter name="${key}">${text(value)}</steptml:parameter>`,
          "",
        )(call)}</steptml:invoke><｜tool_call_end｜>`,
      "<｜tool_sep｜>",
    ),
    "<｜tool_calls_end｜>",
  ),
  "step/named": within(
    "<｜tool_calls_begin｜>",
    each(
      (call) =>
        `<｜tool_call_begin｜>function<｜tool_sep｜>${call.name}\n<steptml:invoke name="${call.name}">${tags(
          (key, value) => `<steptml:parameter name="${key}">${text(value)}</steptml:parameter>`,
          "",
        )(call)}</steptml:invoke><｜tool_call_end｜>`,
      "",
    ),
    "<｜tool_calls_end｜>",
  ),
  step: within(
    "<｜tool_calls_begin｜>",
    each(
      (call) =>
        `<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="${call.name}">${tags(
          (key, value) => `<steptml:parameter name="${key}">${text(value)}</steptml:parameter>`,
          "",
        )(call)}</steptml:invoke><｜tool_call_end｜>`,
      "",
    ),
    "<｜tool_calls_end｜>",
  ),
  react: each((call) => `Action: ${call.name}\nAction Input: ${json(call.args)}`),
  "fenced-json": fence("json", list()),
  "fenced-python": fence("tool_code", each(pythonCall)),
  json: each((call) => asObject(call), "; "),
  "python-list": pythonList,
  python: each(pythonCall),
  elements: each((call) => `<${call.name}>${elements(call.args, "", escapeXml)}</${call.name}>`),
};
