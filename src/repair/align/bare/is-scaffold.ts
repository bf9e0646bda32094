import { isLeadIn } from "../../read/lead-in.ts";

/**
 * Checks whether a text is made of what stands around a call rather than of a value: the labels of
 * an agent's turn (`Thought:`, `Action:`), of a conversation (`assistant:`), tags and tokens of a
 * chat template, whole or cut, or words that say that JSON follows.
 *
 * @param text The text, without white space around it.
 * @param toolName The tool's name.
 */
export function isScaffold(text: string, toolName: string): boolean {
  return (
    LABEL.test(text.slice(0, 200)) ||
    CUT_LABEL.test(text) ||
    TURN.test(text) ||
    TOKEN.test(text) ||
    /^<[A-Za-z/!?|｜]/.test(text) ||
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
  /^[\s*_#>-]{0,6}(?:(?:my |final |next |the |tool |function |action |model |ai )?(?:thoughts?|thinking|reasoning|rationale|plan|reflection|analysis|critique|observations?|actions?|inputs?|tools?|functions?|calls?|answer|question|outputs?|results?|response|arguments|args|parameters|params|json|assistant|user|human|system|ai|bot|model|agent)|(?:step|turn) \d{1,3}|api|recipient)[*_]{0,2}\s{0,3}[:：]/i;

/** The beginning of what announces JSON or an agent's turn, and nothing behind it. */
const CUT_LABEL =
  /^(?:(?:(?:sure|certainly|okay|ok|alright|great|of course|absolutely)[,.!] ?)?(?:here(?:'s|’s| i| is| are| ar)?(?: \w{0,4})?)|(?:sure|certainly|of course|absolutely)[,.!] ?\w{0,3}|thoughts?|action in(?:p|pu|put)?|observation|final answ(?:e|er)?)$/i;

/** A label of an agent's turn at the head of any line. */
const TURN =
  /(?:^|\n)[^\S\n]{0,8}[*_#-]{0,4} ?(?:thought|action|action input|observation|final answer)[*_]{0,2} ?:/i;

const TOKEN =
  /<[|｜]|[|｜]>|\[\/?(?:INST|TOOL_CALLS?|ARGS)\]|<\/?(?:tool_?|think|function[=_]|s>|invoke|arg_key|arg_value|parameter)/i;

const HANDING_OVER =
  /^(?:(?:sure|certainly|okay|ok|alright|great|of course|absolutely|yes)[,.!]? +)?(?:here(?:'s|’s| is| are) (?:the|your|my|a|an)\b|(?:i'll|i’ll|i will|i am going to|i'm going to|let me|let's|calling|using|invoking)(?: \w+){0,3} (?:tool|function|api)\b)/i;

const THING = /\b(?:json|inputs?|arguments?|args|parameters?|params|payload|tool|function|call)\b/i;
