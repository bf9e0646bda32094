import { isLeadIn } from "../../read/prose.ts";

/**
 * Checks whether a text is made of what stands around a call rather than of a value: the labels of
 * an agent's turn (`Thought:`, `Action:`), of a conversation (`assistant:`), tags and tokens of a
 * chat template, whole or cut, or words that say that JSON follows.
 *
 * @param text The text, without white space around it.
 * @param toolName The tool's name.
 * @param isMarkup Whether it is an element of HTML or XML, which may well begin and end with tags.
 */
export function isScaffold(text: string, toolName: string, isMarkup: boolean): boolean {
  return (
    LABEL.test(text.slice(0, 200)) ||
    CUT_LABEL.test(text) ||
    TURN.test(text) ||
    TOKEN.test(text) ||
    WIRE.test(text) ||
    LATER_TURN.test(text) ||
    /^#{2,4} (?:instructions?|context|system|user)\b/i.test(text) ||
    (!isMarkup && (/^<[A-Za-z/!?|｜]/.test(text) || CLOSING_TAG.test(text.slice(-60)))) ||
    /(?:^|\s)<\/?[A-Za-z|｜][\w|:-]{0,40}$/.test(text.slice(-60)) ||
    text.startsWith("```") ||
    HANDING_OVER.test(text.slice(0, 200)) ||
    (/\S[\s:]+\S/.test(text.slice(0, 400)) &&
      THING.test(text.slice(0, 400)) &&
      isLeadIn(`${text}:`, toolName))
  );
}

/** A label at the head of the text. */
const LABEL =
  /^[\s*_#>-]{0,6}(?:(?:my |final |next |the |tool |function |action |model |ai )?(?:thoughts?|thinking|reasoning|rationale|plan|reflection|analysis|critique|observations?|actions?|inputs?|tools?|functions?|calls?|answer|question|outputs?|results?|response|arguments|args|parameters|params|json|assistant|user|human|system|ai|bot|model|agent)|(?:step|turn) \d{1,3}|api|recipient)[*_]{0,2}\s{0,3}[:：](?!\w+ \w+:\w)/i;

/** The beginning of what announces JSON or an agent's turn, and nothing behind it. */
const CUT_LABEL =
  /^(?:(?:(?:sure|certainly|okay|ok|alright|great|of course|absolutely)[,.!] ?)?(?:here(?:'s|’s| i| is| are| ar)?(?: \w{0,4})?)|(?:sure|certainly|of course|absolutely)[,.!] ?\w{0,3}|thoughts?|action in(?:p|pu|put)?|observation|final answ(?:e|er)?)$/i;

/** A label of an agent's turn at the head of any line. */
const TURN =
  /(?:^|\n)[^\S\n]{0,8}[*_#-]{0,4} ?(?:thought|action|action input|observation|final answer)[*_]{0,2} ?:/i;

const TOKEN =
  /<[|｜]|[|｜]>|\[\/?(?:INST|TOOL_CALLS?|ARGS)\]|<\/?(?:tool_?|think|function[=_]|s>|invoke|arg_key|arg_value|parameter)/i;

/** Words of the wire, and of a stream of events. */
const WIRE =
  /^(?:assistant|json|(?:tool|function)_(?:calls?|code|use|result|response|input|output)|(?:finish|stop)_reason\b.{0,40}|\[DONE\]|(?:data|event|retry): ?\S.{0,200})$/i;

/** Somebody else's turn, on a line behind the first. */
const LATER_TURN = /\n[^\S\n]{0,8}(?:human|user|assistant|ai|system): /i;

/** The end of a tag that nothing opened, or of a template's part. */
const CLOSING_TAG = /^[^<]*(?:<\/[A-Za-z][\w:-]{0,40}>|<end[\w_]{0,20}>|\[\/[A-Z_]{2,20}\])$/;

const HANDING_OVER =
  /^(?:(?:sure|certainly|okay|ok|alright|great|of course|absolutely|yes)[,.!]? +)?(?:here(?:'s|’s| is| are) (?:the|your|my|a|an)\b|(?:i'll|i’ll|i will|i am going to|i'm going to|let me|let's|calling|using|invoking)(?: \w+){0,3} (?:tool|function|api)\b)/i;

const THING = /\b(?:json|inputs?|arguments?|args|parameters?|params|payload|tool|function|call)\b/i;
