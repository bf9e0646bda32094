import type { MessageContent, ToolMessage } from "@langchain/core/messages";
import { cutText } from "../../repair/cut-text.ts";
import type { CallRecord } from "./call-records.ts";
import { withAnswerFields } from "./with-fields.ts";

/** The most repairs that a note names. */
const MAX_REPAIRS = 4;

/** The longest name of a fixer in a note. */
const MAX_NAME_LENGTH = 80;

/**
 * Adds a line to the answer of a call that was repaired, which tells the model what was repaired,
 * so that it stops making the mistake. The line has no values: only fixers, places and names.
 *
 * @param answer The answer. It is not changed.
 * @param records What was done to the calls of the message before it.
 * @returns A new answer; the same one where there is nothing to say, or it has been said.
 */
export function withRepairNote(answer: ToolMessage, records: readonly CallRecord[]): ToolMessage {
  const record = records.find(({ id }) => id === answer.tool_call_id);
  if (record === undefined || record.error !== undefined || hasNote(answer)) return answer;
  const changes = [
    ...(record.nameRepair ? [`the tool's name (${record.nameRepair.fixer})`] : []),
    ...record.repairs.map(
      ({ fixer, path }) =>
        cutText(fixer, MAX_NAME_LENGTH) +
        (path === "" ? "" : ` at ${cutText(path, MAX_NAME_LENGTH)}`),
    ),
  ];
  if (changes.length === 0) return answer;
  const more = changes.length - MAX_REPAIRS;
  const shown = changes.slice(0, MAX_REPAIRS).join("; ");
  const rest = more > 0 ? `; and ${more} more` : "";
  const note = `Note: your call was repaired before it was run: ${shown}${rest}. Next time, send the arguments as the tool's schema has them.`;
  return withAnswerFields(answer, {
    content: append(answer.content, note),
    response_metadata: { ...answer.response_metadata, toolmend: { noted: true } },
  });
}

function hasNote({ response_metadata }: ToolMessage): boolean {
  return (response_metadata as { toolmend?: unknown } | undefined)?.toolmend !== undefined;
}

function append(content: MessageContent, note: string): MessageContent {
  if (typeof content === "string") return content === "" ? note : `${content}\n\n${note}`;
  return [...content, { type: "text", text: note }];
}
