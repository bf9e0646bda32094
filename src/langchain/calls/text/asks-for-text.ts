import type { BaseMessage } from "@langchain/core/messages";
import { textFormats } from "../../../repair/text-calls/formats.ts";
import { isAIMessage, isToolMessage } from "../is-ai-message.ts";
import { shownText } from "./shown-texts.ts";

/**
 * Checks whether a call in the answer may be what the user asked to be shown, or must not be made.
 *
 * @param history The messages before it.
 * @param format The call's format. In a form in which people show code or data to each other, a
 * question for any code or data counts; in a model's own markup, one for a call.
 */
export function asksForText(history: readonly BaseMessage[], format: string): boolean {
  const isCommon = textFormats.find((one) => one.format === format)?.isCommon === true;
  return askedLast(history).some((asked) => {
    if (FORBIDS.test(asked) || OTHER_TONGUES.test(asked)) return true;
    const rest = asked.replace(CALLS_BY_NAME, " ").replace(MEETINGS, " ");
    if (A_CALL.test(rest) || (ASKS_TO_SHOW.test(rest) && OF_A_CALL.test(rest))) return true;
    return isCommon && (ASKS_FOR_TEXT.test(rest) || (ASKS_TO_SHOW.test(rest) && CODE.test(rest)));
  });
}

/**
 * What was asked last: what the user said, also before tools were called for it, and before a
 * question that he answered in a few words.
 */
function askedLast(history: readonly BaseMessage[]): readonly string[] {
  const asked: string[] = [];
  for (const message of history.toReversed()) {
    if (isAIMessage(message) || isToolMessage(message)) continue;
    if (message._getType() !== "human") break;
    const text = shownText(message.content);
    asked.push(text);
    if (text.length > MAX_ANSWER || GOES_AHEAD.test(text)) break;
  }
  return asked;
}

/** The longest answer to a question, in characters, that says nothing by itself: "Yes, please." */
const MAX_ANSWER = 24;
const GOES_AHEAD = /\b(?:do|run|make|send|execute|call|go|proceed|confirm(?:ed)?|approved?)\b/i;

/** Words by which somebody asks for something to be shown. */
const ASKS_TO_SHOW =
  /\b(?:examples?|samples?|snippets?|syntax|formats?|templates?|explain|describe|document(?:ation)?|docs|show|see|demonstrate|illustrate|quote|repeat|recite|echo|print|write|draft|spell|type out|list|name|give|suggest|propose|generate|produce|output|return|create|make up|invent|convert|turn|translate|parse|reformat|review|correct|fix|wrong|right|would|could i|should i|how|which|what(?:'s| is| are| does| do| did| would| request)?)\b/i;
const OF_A_CALL =
  /\b(?:call(?:s|ed|ing)?|invo(?:ke|kes|king|cation)|tools?|functions? (?:signature|format|call)s?|markup|tags?|syntax|snippets?|payloads?|arguments?|parameters?|request body|api request|signature|fixture|training data|you (?:ran|run)|unit test|test case)\b/i;

const CODE = /\b(?:functions?|xml|json|code)\b/i;

/** Words by which somebody asks to be shown code or data. */
const ASKS_FOR_TEXT =
  /\b(?:examples?|samples?|snippets?|syntax|formats?|code|python|json|yaml|xml|explain|document(?:ation)?|docs|show me|write (?:me )?(?:a|the|some)|how (?:do|does|can|could|would|should|to)|how(?:'s| is)|what (?:does|would)|payloads?|request body)\b/i;

/** A call as a thing: "the tool call", "your last call". */
const A_CALL =
  /\b(?:tool|function|api)[- ]?call(?:s|ing)?\b|\b(?:a|an|the|this|that|my|your|which|what|valid|possible|last|one|some|any) (?:\w+ )?(?:call|invocation|payload)s?\b/i;

/** "Use the weather tool", "call the pay function": what is asked for is done by it. */
const CALLS_BY_NAME =
  /\b(?:use|using|call|run|invoke|execute|try|with|via|through) (?:(?:the|a|your|my) )?(?:[\w-]+ )?(?:tool|function)s?\b/gi;

/** Calls that people make to each other. */
const MEETINGS =
  /\b(?:schedule|book|set up|arrange|plan|join|cancel|move|have) (?:a|an|the|my|our) (?:[\w-]+ )?calls?\b/gi;

/** Words by which somebody wants nothing to be done, or not yet. */
const FORBIDS =
  /\b(?:don['’]?t|do not|never|without|not|nothing|no) (?:\w+ ){0,2}?(?:run|execut|call|invok|trigger|perform|do|use)(?:e|es|ing|ion|ed)?\b|\b(?:dry[- ]?run|simulat|pretend|imagin|hypothe|as text|as an example|for my approval|wait for|i(?:'ll| will) approve|draft .* first|(?:only|just) (?:propose|show|suggest|draft|write|print|tell))/i;

/** The same in other languages: an example, a call as a thing, or that nothing is to be run. */
const OTHER_TONGUES = new RegExp(
  [
    "beispiel|tool-?aufruf|(?:der|den|einen?|wie|sieht).{0,20}aufruf|wie rufe|nur (?:als )?text|nur zeigen",
    "(?:nicht|nichts|kein\\w*|niemals).{0,20}(?:ausf|aufruf|tun)|f[üu]hre? nichts",
    "exemple|l['’]appel\\b|un appel\\b|comment (?:appeler|utiliser)|n['’]ex[ée]cute|ne .{0,20}ex[ée]cut|sans ex[ée]cut",
    "ejemplo|llamada a|se llama a|c[óo]mo (?:llam|us)|(?:no|sin|nada) .{0,12}ejecut|ejecut\\w* nada",
    "esempio|una chiamata|non .{0,12}esegu|senza esegu|exemplo|uma chamada|n[ãa]o .{0,12}execut|sem execut",
    "пример|вызов (?:функц|инстр)|вызова|как (?:вызвать|вызывать|использовать)|(?:не|ничего) .{0,12}(?:выполн|запуск|вызыв)",
    "例子|示例|范例|样例|举例|(?:如何|怎么|怎样)(?:调用|使用)|工具调用|函数调用|(?:不|别|勿|莫|先)(?:要|用|许|可)?(?:执行|运行|调用)|只(?:显示|展示)",
    "例を|例は|呼び出しの|実行(?:し|せ)?(?:ない|ず|ないで)|呼び出さない|예를|예시|호출 예|실행하지|호출하지",
    "przykład|nie (?:wykon|uruch|wywoł)|örnek|çalıştırma\\b|çağırma\\b|voorbeeld|niet (?:uitvoer|aanroep)|exempel|(?:kör|anropa) inte|eksempel",
    "مثال|لا تنفذ|उदाहरण|मत चला|ví dụ|đừng (?:chạy|gọi)|contoh|jangan (?:jalankan|panggil)",
  ].join("|"),
  "iu",
);
