import { withoutOuterBreaks } from "../text.ts";
import type { TextFormatName } from "./format-names.ts";
import {
  type Clean,
  readBareCalls,
  readCallLines,
  readCallList,
  readCallsWithArguments,
  readCommand,
  readElements,
  readFlags,
  readJsonArguments,
  readKeyedCalls,
  readMarked,
  readMarkedCalls,
  readPythonLines,
  readPythonList,
  readPythonMethod,
  readTagged,
  readXmlText,
  type TaggedOptions,
} from "./readers.ts";
import {
  CALL_ID,
  type CallToken,
  CLOSING_TAG,
  firstOf,
  NAME,
  optional,
  type Piece,
  type Reader,
  repeat,
  type TextFormat,
} from "./text-format.ts";

type TextForm = Omit<TextFormat, "format" | "marker">;
type Row = Omit<TextFormat, "format">;

const rowsOf =
  (marker: Row["marker"]) =>
  (...forms: readonly TextForm[]): readonly Row[] =>
    forms.map((form) => ({ ...form, marker }));
const byToken = rowsOf("token");
const byText = rowsOf("text");
const byForm = rowsOf("none");

/** A pattern that is matched where the reading stands. */
const sticky = (pattern: string) => new RegExp(pattern, "y");

/**
 * A call, as it is written; there may be white space between all its pieces.
 */
function call(
  texts: TemplateStringsArray,
  ...pieces: readonly Piece[]
): TextForm {
  const all = texts.flatMap((text, index) => {
    const lines = text.replaceAll("><", ">\n<").split("\n");
    const tokens = lines.map((line) => line.trim());
    return [...tokens, ...pieces.slice(index, index + 1)];
  });
  return { call: all.filter((piece) => piece !== "") };
}

/**
 * A tag for each argument, with the key in it:
 * `<parameter=city>Paris</parameter>`.
 */
const PARAMETERS = readTagged(
  "<parameter",
  /=([^<>\n]+)>/y,
  "",
  "</parameter>",
  {
    clean: withoutOuterBreaks,
  },
);

/**
 * A tag for each argument, with its key and, in some, whether its value is
 * text.
 */
function namedParameters(prefix = "", clean?: Clean): Reader {
  const key = / name="([^"<>]+)"(?: string="(true|false)")?>/y;
  return readTagged(`<${prefix}parameter`, key, "", `</${prefix}parameter>`, {
    clean,
  });
}

/**
 * Keys and values in turns, each in a tag; in some, a value's type between
 * them.
 */
function argPairs(
  prefix = "",
  suffix = "",
  options: TaggedOptions = {},
): Reader {
  const tag = (name: string) => `${prefix}arg_${name}${suffix}>`;
  const type = `(?:\\s*<${tag("type")}(\\w+)</${tag("type")})?`;
  const key = `\\s*([^<>\\s]+)\\s*</${tag("key")}${type}`;
  return readTagged(
    `<${tag("key")}`,
    sticky(key.replaceAll("|", "\\|")),
    `<${tag("value")}`,
    `</${tag("value")}`,
    options,
  );
}

/** GLM leaves out the tag that opens a value under load. */
const GLM_PAIRS = argPairs("", "", { mayLackBetween: true });

/** `<invoke name="…">`, in an element or not. */
function invokes(tag: string, prefix = "", clean?: Clean): TextForm {
  return section(`<${tag}>`, invoke(prefix, clean), `</${tag}>`);
}

const verbatim: Clean = (written) => written;

function invoke(prefix = "", clean: Clean = withoutOuterBreaks): TextForm {
  const args = namedParameters(prefix, clean);
  return call`${`<${prefix}invoke name="`}${NAME}">${args}${`</${prefix}invoke>`}`;
}

/**
 * DeepSeek's markup: an invoke may hold JSON or nothing, close itself, and
 * stand without its section.
 */
function dsml(mark: string, name: string): readonly Row[] {
  const tag = `｜${mark}｜${name.startsWith(" ") ? " " : ""}`;
  const args = firstOf([readJsonArguments], [namedParameters(tag)]);
  const body = firstOf(["/>"], [">", args, `</${tag}invoke>`]);
  const form = call`${`<${tag}invoke name="`}${NAME}"${body}`;
  return inSection(`<｜${mark}｜${name}>`, form, `</｜${mark}｜${name}>`);
}

/** Hunyuan: all tags may end in a suffix that names the release. */
function hunyuan(suffix: string): TextForm {
  const separator = optional(`<tool_sep${suffix}>`);
  const pairs = argPairs("", suffix);
  const form = call`${`<tool_call${suffix}>`}${NAME}${separator}${pairs}${`</tool_call${suffix}>`}`;
  return section(`<tool_calls${suffix}>`, form, `</tool_calls${suffix}>`);
}

const FUNCTION_BODY = firstOf([readJsonArguments], [PARAMETERS]);
const FUNCTION = call`<function=${NAME}>${FUNCTION_BODY}</function>`;

/** An invoke with the tool's name and its parameters in elements. */
const NAMED_INVOKE = call`<invoke><tool_name>${NAME}</tool_name>
  <parameters>${readElements()}</parameters></invoke>`;

/**
 * MiniMax's call in the syntax of Ruby:
 * `{tool => "search", args => {--query "cats"}}`.
 */
const { call: ARROW_CALL } = call`{
  ${"tool"}${"=>"}"${NAME}",
  ${"args"}${"=>"}{${readFlags}}
  }`;

/**
 * A call that may stand behind prose, where it begins a line and has declared
 * parameters only.
 */
function behindProse(form: TextForm): TextForm {
  return { ...form, mayFollowProse: true };
}

/** Step 3 names a call's tool in its tag, and may name it before that. */
const STEP_HEADER = optional("function", "<｜tool_sep｜>", optional(NAME));
const STEP_CALL = call`<｜tool_call_begin｜>${STEP_HEADER}${firstOf(
  invoke("steptml:", verbatim).call,
)}<｜tool_call_end｜>${optional("<｜tool_sep｜>")}`;

/** An empty piece that must follow white space. */
const behindSpace: Reader = ({ text, at }) =>
  text.charAt(at - 1).trim() === "" ? { end: at } : undefined;

/**
 * Muse Glimmer addresses each message: to itself, to the user, to a tool or to
 * `tools`.
 */
const TO = /(?:<\|start\|>assistant)? ?to=/y;
const TO_USER = {
  open: [
    "<|start|>assistant to=user<|message|>",
    "<|start|>assistantto=user<|message|>",
    "to=user<|message|>",
  ],
  close: "<|eom|>",
};
const ATEM: readonly TextForm[] = [
  invokes("atem:function_calls", "atem:"),
  call`${TO}${firstOf([NAME], ["tools"])}<|message|><atem:function_calls>
    ${repeat(invoke("atem:").call)}</atem:function_calls>${optional("<|eom|>")}`,
].map((form) => ({ ...form, sentence: TO_USER }));

const SOLAR_ARGS = readTagged(
  "<|tool_arg:start|>",
  /([\w.-]+)/y,
  "<|tool_arg:value|>",
  "<|tool_arg:end|>",
);
const K3_KEY = / key="([^"<>&]+)"(?: type="(\w+)")?<\|sep\|>/y;
const K3_ARGS = readTagged(
  "<|open|>argument",
  K3_KEY,
  "",
  "<|close|>argument<|sep|>",
);

/**
 * Inkling's messages are blocks of a kind each; a call's may begin with its
 * tool's name.
 */
const BEFORE_NAME = String.raw`(?=[^<>\s]{0,64}<\|content_invoke_tool_json\|>)`;
const TO_TOOL = sticky(String.raw`<\|message_model\|>|${BEFORE_NAME}`);
const TEXT_BLOCK = {
  open: ["<|message_model|><|content_text|>", "<|content_text|>"],
  close: "<|end_message|>",
};

/** Harmony's header names the tool before or behind the channel. */
const START = String.raw`(?:<\|start\|>(?:assistant)?)?`;
const CHANNEL = String.raw`(?:<\|channel\|>(?:commentary|analysis))?`;
const MESSAGE = String.raw`<\|message\|>`;
const CONSTRAINT = String.raw`(?:<\|constrain\|>)?(?:json)?`;
const TO_FUNCTION = sticky(`${START} ?${CHANNEL} ?to=(?:functions\\.)?`);
const FUNCTION_MESSAGE = sticky(`${CHANNEL}\\s?${CONSTRAINT}\\s?${MESSAGE}`);
const FINAL_MESSAGE = {
  open: [
    "<|start|>assistant<|channel|>commentary<|message|>",
    "<|start|>assistant<|channel|>final<|message|>",
    "<|channel|>commentary<|message|>",
    "<|channel|>final<|message|>",
  ],
  close: "<|end|>",
};

/** Calls between two tokens, or without them. */
function inSection(
  open: CallToken,
  form: TextForm,
  close: CallToken,
): readonly Row[] {
  return byToken(section(open, form, close), form);
}

/** Calls between two tokens. */
function section(
  open: CallToken,
  { call: pieces }: TextForm,
  close: CallToken,
): TextForm {
  return { call: [open, repeat(pieces), close] };
}

/** A form whose last token is a stop token. */
function stopped(form: TextForm): TextForm {
  return { ...form, isStopToken: true };
}

/** Calls in JSON after a token; the one behind them is a stop token. */
function between(
  open: CallToken,
  close?: CallToken,
  calls: Piece = readCallLines,
): TextForm {
  return close === undefined
    ? { call: [open, calls] }
    : stopped({ call: [open, calls, close] });
}

/** A fence of another language shows a log, a test, an output. */
const FENCE_MARK = "(?:```|~~~)";
const FENCE_LANGUAGE =
  "json[5c]?|tool_?(?:calls?|code|use)?|function_?calls?|action";
const FENCE = new RegExp(
  String.raw`${FENCE_MARK}(?:${FENCE_LANGUAGE})?[ \t]*\r?\n`,
  "iy",
);
const FENCE_END = firstOf(["```"], ["~~~"]);

/** The line that opens a fence of a language; `json|` stands for `json` or none. */
function fenceOf(languages: string, lineBreak = String.raw`\r?\n`): RegExp {
  return sticky(`\`\`\`(?:${languages})[ \\t]*${lineBreak}`);
}

const FORMATS: Readonly<Record<TextFormatName, readonly Row[]>> = {
  hermes: byToken(stopped(call`<tool_call>${readMarkedCalls}</tool_call>`)),
  "qwen3-coder": byToken(
    stopped(section("<tool_call>", FUNCTION, "</tool_call>")),
    call`<tool_call><function=${NAME}>${PARAMETERS}</tool_call>`,
  ),
  glm: byToken(
    call`<tool_call>${NAME}${GLM_PAIRS}</tool_call>`,
    stopped(call`<tool_call>${NAME}>${readJsonArguments}</tool_call>`),
  ),
  laguna: byToken(
    stopped(
      call`<tool_call>${/(?:function\s*\n\s*)?/y}${NAME}${readJsonArguments}</tool_call>`,
    ),
  ),
  "invoke-tool-call": byToken(invokes("tool_call")),
  seed: byToken(section("<seed:tool_call>", FUNCTION, "</seed:tool_call>")),
  "tool-calls": byToken(call`<tool_calls>${readMarkedCalls}</tool_calls>`),
  llama: byToken(
    call`<|python_tag|>${repeat(
      [
        firstOf(
          [readCallLines],
          [readPythonMethod],
          [readPythonList],
          [readPythonLines],
        ),
      ],
      ";",
    )}`,
  ),
  "llama-python": byToken(
    between("<|python_start|>", "<|python_end|>", readPythonList),
  ),
  mistral: byToken(
    between("[TOOL_CALLS]", undefined, readCallList),
    call`[TOOL_CALLS]${NAME}${firstOf(["[CALL_ID]", CALL_ID, "[ARGS]"], ["[ARGS]"], [])}${readJsonArguments}`,
  ),
  "deepseek-v3": inSection(
    "<｜tool▁calls▁begin｜>",
    call`<｜tool▁call▁begin｜>${"function"}<｜tool▁sep｜>${NAME}
    ${"```json"}${readJsonArguments}${"```"}<｜tool▁call▁end｜>`,
    "<｜tool▁calls▁end｜>",
  ),
  "deepseek-v3.1": inSection(
    "<｜tool▁calls▁begin｜>",
    call`<｜tool▁call▁begin｜>${NAME}<｜tool▁sep｜>${readJsonArguments}<｜tool▁call▁end｜>`,
    "<｜tool▁calls▁end｜>",
  ),
  dsml: byToken(
    ...dsml("DSML", "tool_calls"),
    ...dsml("DSML", "function_calls").slice(0, 1),
    ...dsml("DSML", " calls"),
    ...dsml("GCML", "tool_calls"),
  ),
  harmony: byToken({
    ...call`${TO_FUNCTION}${NAME}${FUNCTION_MESSAGE}${readJsonArguments}<|call|>`,
    isStopToken: true,
    sentence: FINAL_MESSAGE,
  }),
  "kimi-k2": inSection(
    "<|tool_calls_section_begin|>",
    call`<|tool_call_begin|>${optional("functions.")}${NAME}${/:\d+/y}<|tool_call_argument_begin|>${readJsonArguments}<|tool_call_end|>`,
    "<|tool_calls_section_end|>",
  ),
  "kimi-k3": byToken({
    ...section(
      "<|open|>tools<|sep|>",
      call`<|open|>call tool="${NAME}"${/(?:index="\d{1,6}")?<\|sep\|>/y}${K3_ARGS}<|close|>call<|sep|>`,
      "<|close|>tools<|sep|>",
    ),
    sentence: {
      open: ["<|open|>response<|sep|>", ""],
      close: "<|close|>response<|sep|>",
    },
  }),
  plamo: byToken(
    section(
      "<|plamo:begin_tool_requests:plamo|>",
      call`<|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>${NAME}<|plamo:end_tool_name:plamo|>
      <|plamo:begin_tool_arguments:plamo|>${optional("<|plamo:msg|>")}${readJsonArguments}<|plamo:end_tool_arguments:plamo|>
      ${"<|plamo:end_tool_request:plamo|>"}`,
      "<|plamo:end_tool_requests:plamo|>",
    ),
  ),
  solar: byToken(
    call`<|tool_call:start|>${NAME}${SOLAR_ARGS}<|tool_call:end|>`,
  ),
  inkling: byToken({
    ...stopped(
      call`${TO_TOOL}${optional(NAME)}<|content_invoke_tool_json|>${readCallLines}<|end_message|>`,
    ),
    sentence: TEXT_BLOCK,
  }),
  "k2-horizon": inSection(
    "<ifm|tool_calls>",
    call`<ifm|tool_call>${firstOf([readCallLines], [NAME, argPairs("ifm|")])}</ifm|tool_call>`,
    "</ifm|tool_calls>",
  ),
  iquest: byToken(
    call`<iquest_tool_call>${NAME}${argPairs()}</iquest_tool_call>`,
    call`<iquestcoder_tool_call>${NAME}${argPairs()}</iquestcoder_tool_call>`,
  ),
  atem: byToken(...ATEM),
  "minimax-m2": byToken(invokes("minimax:tool_call", "", verbatim)),
  "minimax-m3": byToken(
    section(
      "]<]minimax[>[<tool_call>",
      call`${']<]minimax[>[<invoke name="'}${NAME}">${readElements("]<]minimax[>[")}]<]minimax[>[</invoke>`,
      "]<]minimax[>[</tool_call>",
    ),
  ),
  dots: byToken(
    invokes("dots_function_call"),
    call`<dots_function_call>${readCallLines}</dots_function_call>`,
  ),
  "gemma-function": byToken(
    stopped(
      call`<start_function_call>call:${NAME}${readMarked("<escape>")}<end_function_call>`,
    ),
  ),
  gemma: byToken(
    stopped(
      section(
        "<|tool_call>",
        call`${firstOf(["call:"], [":call:"])}${NAME}${readMarked('<|"|>')}`,
        "<tool_call|>",
      ),
    ),
    stopped(call`<|tool_call>call:${readPythonLines}<tool_call|>`),
  ),
  lfm2: byToken(
    call`<|tool_call_start|>${readPythonList}<|tool_call_end|>`,
    between("<|tool_call_start|>", "<|tool_call_end|>"),
  ),
  minicpm: byToken(
    call`<|tool_call_start|>${"```python"}${readPythonLines}${"```"}<|tool_call_end|>`,
  ),
  granite: byToken(between("<|tool_call|>", "<|/tool_call|>")),
  "granite-20b": byToken(between("<function_call>")),
  hunyuan: byToken(hunyuan(""), hunyuan(":opensource")),
  gigachat: byToken(
    between("<|function_call|>"),
    between(/(?:<\|message_sep\|>\s*)?function call<\|role_sep\|>/y),
  ),
  cohere: byToken({
    ...between("<|START_ACTION|>", "<|END_ACTION|>"),
    sentence: { open: ["<|START_RESPONSE|>"], close: "<|END_RESPONSE|>" },
  }),
  internlm: byToken(between("<|action_start|><|plugin|>", "<|action_end|>")),
  apertus: byToken(
    between("<|tools_prefix|>", "<|tools_suffix|>", readKeyedCalls),
  ),
  longcat: byToken(
    between("<longcat_tool_call>", "</longcat_tool_call>"),
    call`<longcat_tool_call>${NAME}${argPairs("longcat_")}</longcat_tool_call>`,
  ),
  step: byToken(
    section("<｜tool_calls_begin｜>", STEP_CALL, "<｜tool_calls_end｜>"),
  ),
  sarashina: byToken(between("<|tool_calls|>", undefined, readCallList)),
  "lm-studio": byToken(
    call`[TOOL_REQUEST]${readMarkedCalls}[END_TOOL_REQUEST]`,
  ),
  "tool-call-marks": byToken(
    call`[TOOL_CALL]${firstOf(ARROW_CALL, [readMarkedCalls])}[/TOOL_CALL]`,
  ),
  "function-element": byToken(
    stopped(
      call`<tool_call><function>${NAME}</function>${readJsonArguments}</tool_call>`,
    ),
  ),
  "function-tag": byText(
    behindProse(
      call`<function=${NAME}>${FUNCTION_BODY}</function>${optional("</tool_call>")}`,
    ),
    call`<function=${NAME}${optional("=")}${readJsonArguments}${optional(">")}</function>`,
    call`<function>${NAME}</function>${readJsonArguments}${optional("</function>")}`,
  ),
  invoke: byText(
    behindProse(invokes("function_calls")),
    behindProse(invoke()),
    behindProse(section("<function_calls>", NAMED_INVOKE, "</function_calls>")),
  ),
  "minicpm-xml": byText(
    call`${'<function name="'}${NAME}">${readTagged("<param name=", /"([^"<>]+)">/y, "", "</param>", { clean: readXmlText })}</function>`,
  ),
  olmo: byText(call`<function_calls>${readPythonLines}</function_calls>`),
  phi: byText(between("functools", undefined, readCallList)),
  "qwen-tools": byText(call`<tools>${readCallsWithArguments}</tools>`),
  nemotron: byText(between("<TOOLCALL>", "</TOOLCALL>")),
  "cohere-action": byText(
    call`Action:${fenceOf("json", "\n")}${readCallList}${"```"}`,
  ),
  cwm: byText(
    call`${/<tool:\s?function>/y}${NAME}${behindSpace}${readCommand("</tool>")}</tool>`,
  ),
  hyperclova: byText(call`-> tool/function_call${readCallList}`),
  rwkv: byText(
    call`**Tool Call:**${fenceOf("json|", "\n")}${readCallLines}${"```"}`,
  ),
  react: byText(
    call`${/(?:Thought:[^\n]*\n+)?Action:[ \t]*[`"'[]?/y}${NAME}${/[`"'\]]?\s*Action Input:/y}${readJsonArguments}`,
  ),
  "fenced-json": byForm(call`${FENCE}${readBareCalls}${FENCE_END}`),
  "fenced-python": byForm(
    call`${fenceOf("python|py|tool_code|")}${readPythonLines}${"```"}`,
  ),
  json: byForm({ call: [repeat([readBareCalls], ";")] }),
  "python-list": byForm({ call: [readPythonList] }),
  python: byForm({ call: [readPythonLines] }),
  elements: byForm(call`<${NAME}>${readElements()}${CLOSING_TAG}`),
  "gemma-bare": byForm(
    call`call:${NAME}${readMarked('<|"|>')}`,
    call`<call>${NAME}${readMarked('<|"|>')}`,
  ),
};

/**
 * Every form of a call in a text. A new one is an entry above and its cases.
 */
export const textFormats: readonly TextFormat[] = Object.entries(
  FORMATS,
).flatMap(([format, rows]) => rows.map((row) => ({ ...row, format })));

/**
 * The forms of a LangChain chat agent's action: JSON in a fence, in one that is
 * not closed, or bare.
 */
export const blobFormats: readonly TextFormat[] = [
  ...textFormats.filter(
    ({ format }) => format === "fenced-json" || format === "json",
  ),
  { format: "open-fence", marker: "none", call: [FENCE, readBareCalls] },
];
