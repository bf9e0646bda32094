import { describe, expect, test } from "@jest/globals";
import { type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import {
  faultsOfPayload,
  readPayload,
} from "../../../../support/langchain/middleware/threads/check-payload.ts";
import {
  type Form,
  signatureOf,
  threadMessage,
} from "../../../../support/langchain/middleware/threads/thread-message.ts";

const calls = ["call_1", "call_2"].map((id) => ({ id, name: "ask", args: { text: id } }));
const answer = (id: string) => new ToolMessage({ content: id, tool_call_id: id, name: "ask" });
const [first, second] = [answer("call_1"), answer("call_2")];

/** The verdict on a thread with a message of this form and these answers. */
function faultsOf(form: Form, answers: readonly BaseMessage[]): readonly string[] {
  const said = threadMessage(form, calls);
  return faultsOfPayload([new HumanMessage("Go."), said, ...answers, new HumanMessage("On.")]);
}

const OF_ALL = ["messages", "completions", "responses", "anthropic"];
const FORMS: readonly [Form, readonly string[]][] = [
  ["plain", [...OF_ALL, "google", "bedrock", "mistral", "ollama"]],
  ["anthropic", [...OF_ALL, "ollama"]],
  ["responses", [...OF_ALL, "google", "bedrock", "mistral", "ollama"]],
  ["google", [...OF_ALL, "google"]],
  ["chatGoogle", [...OF_ALL, "google", "chatGoogle"]],
  ["v1", [...OF_ALL, "bedrock"]],
];

describe.each(FORMS)("messages of the form %s", (form, names) => {
  const found = (answers: readonly BaseMessage[]) =>
    [...new Set(faultsOf(form, answers).map((fault) => fault.split(":")[0]))].sort();

  test("are valid if each call is answered in its order", () => {
    expect(faultsOf(form, [first, second])).toEqual([]);
    const said = threadMessage(form, calls);
    const payload = readPayload([new HumanMessage("Go."), said, first, second]);
    expect(payload.calls).toHaveLength(2 * names.length);
  });

  test("are invalid for each of their providers if the answers are in another order", () => {
    expect(found([second, first])).toEqual([...names].sort());
  });

  test("are invalid for each of their providers if one answer is missing, or one is superfluous", () => {
    // Mistral's converter leaves out a call without an answer.
    const rest = names.filter((name) => name !== "mistral").sort();
    expect(found([first])).toEqual(rest);
    expect(found([first, second, second])).toEqual([...names].sort());
  });
});

test("Google receives the signature of each call", () => {
  const sent = readPayload([threadMessage("google", calls)]);
  const signed = sent.calls.flatMap((call) => ("signature" in call ? [call.signature] : []));
  expect(signed).toEqual([signatureOf("call_1"), signatureOf("call_2")]);
});
