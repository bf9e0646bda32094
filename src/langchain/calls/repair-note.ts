import type { MessageContent, ToolMessage } from "@langchain/core/messages";
import { parsePointer } from "../../repair/json/json-pointer.ts";
import { showValue } from "../../repair/json/json-value.ts";
import { countRepairs } from "../../repair/records.ts";
import { cutText } from "../../repair/usage.ts";
import type { KeptRecord } from "./call-records.ts";
import { withAnswerFields } from "./with-fields.ts";

/** The most repairs that a note names. */
const MAX_REPAIRS = 4;

/** The most keys that a note names, and the longest, in characters. */
const MAX_KEYS = 12;
const MAX_KEY_LENGTH = 40;

/** The longest name of a fixer in a note. */
const MAX_NAME_LENGTH = 80;

/**
 * Adds a line to the answer of a call that was repaired, which tells the model what was repaired,
 * and which of its keys the tool does not have, so that it stops making the mistake. The line has
 * no values: only fixers, places and names, cut to length.
 *
 * @param answer The answer. It is not changed.
 * @param records What was done to the calls of the message before it.
 * @returns A new answer; the same one where there is nothing to say, or it has been said.
 */
export function withRepairNote(answer: ToolMessage, records: readonly KeptRecord[]): ToolMessage {
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
  const unlisted = countRepairs(record.repairs) - record.repairs.length;
  const notes = [...noteOfRepairs(changes, unlisted), ...noteOfUndeclaredKeys(record)];
  if (notes.length === 0) return answer;
  const note = notes.join("\n");
  return withAnswerFields(answer, {
    content: append(answer.content, note),
    response_metadata: { ...answer.response_metadata, toolmend: { noted: true } },
  });
}

function noteOfRepairs(changes: readonly string[], unlisted: number): string[] {
  if (changes.length === 0) return [];
  const more = changes.length + unlisted - MAX_REPAIRS;
  const shown = changes.slice(0, MAX_REPAIRS).join("; ");
  const rest = more > 0 ? `; and ${more} more` : "";
  return [
    `Note: your call was repaired before it was run: ${shown}${rest}. Next time, send the arguments as the tool's schema has them.`,
  ];
}

/** The keys that the tool did not hear, and those that it has. */
function noteOfUndeclaredKeys({ undeclared = [], declared = [] }: KeptRecord): string[] {
  if (undeclared.length === 0) return [];
  const places = undeclared.map((path) => parsePointer(path).join("."));
  const has = declared.length === 0 ? "It takes no arguments." : `It has: ${listed(declared)}.`;
  return [`Note: the tool has no argument ${listed(places)}, and may have ignored it. ${has}`];
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MAX_KEYS).map((name) => showValue(name, MAX_KEY_LENGTH));
  return names.length > MAX_KEYS ? `${shown.join(", ")}, …` : shown.join(", ");
}

function hasNote({ response_metadata }: ToolMessage): boolean {
  return (response_metadata as { toolmend?: unknown } | undefined)?.toolmend !== undefined;
}

function append(content: MessageContent, note: string): MessageContent {
  if (typeof content === "string") return content === "" ? note : `${content}\n\n${note}`;
  return [...content, { type: "text", text: note }];
}
