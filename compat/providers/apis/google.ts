import { ChatGoogle } from "@langchain/google";
import { ChatGoogleGenerativeAI } from "@langchain/google-genai";
import { type Api, type Body, serverEvents, type WrittenCall } from "../api.ts";

/** Gemini: arguments are objects, calls have no ids, and each is signed. */
export const googleGenai: Api = {
  name: "google-genai",
  text: { whole: false, streamed: false },
  model: (url, outputVersion) =>
    new ChatGoogleGenerativeAI({
      model: "gemini-2.5-test",
      apiKey: "none",
      maxRetries: 0,
      outputVersion,
      baseUrl: url,
    }),
  whole: (calls, { stop } = {}) => ({ json: response(calls, stop ?? "STOP") }),
  // Gemini sends calls in one piece, and the stop reason in an empty last part.
  streamed: (calls, { stop = "STOP" } = {}) =>
    serverEvents([response(calls, undefined), response(undefined, stop)]),
  sent: ({ contents }: Body) => {
    const parts = contents.flatMap((content: Body) => content.parts);
    return {
      calls: callsIn(parts),
      answers: parts.flatMap(({ functionResponse: answer }: Body) =>
        answer ? [{ text: answer.response.result ?? answer.response.error.details }] : [],
      ),
    };
  },
  cutOff: [
    ...["MAX_TOKENS", "SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT"],
    ...["SPII", "MALFORMED_FUNCTION_CALL", "OTHER"],
  ],
  finished: ["STOP", "FINISH_REASON_UNSPECIFIED"],
};

/** The same service by LangChain's newer client, which sends the blocks of the content. */
export const google: Api = {
  ...googleGenai,
  name: "google",
  model: (url, outputVersion) =>
    new ChatGoogle({
      model: "gemini-2.5-test",
      apiKey: "none",
      maxRetries: 0,
      outputVersion,
      endpoint: url,
    }),
  sent: ({ contents }: Body) => {
    const parts = contents.flatMap((content: Body) => content.parts);
    return {
      calls: callsIn(parts),
      answers: parts.flatMap(({ functionResponse: answer }: Body) =>
        answer ? [{ ...(answer.id && { id: answer.id }), text: answer.response.result }] : [],
      ),
    };
  },
};

function callsIn(parts: readonly Body[]) {
  return parts.flatMap(({ functionCall, thoughtSignature: signature }) =>
    functionCall ? [{ ...functionCall, ...(signature && { signature }) }] : [],
  );
}

function response(
  calls: readonly WrittenCall[] | undefined,
  finishReason: string | undefined,
): object {
  const made = (calls ?? []).map(({ id, name, args }) => ({
    functionCall: { name, args: JSON.parse(args) },
    thoughtSignature: `signature of ${id}`,
  }));
  const said = { text: calls === undefined ? "" : "Done." };
  return {
    candidates: [
      {
        index: 0,
        content: { role: "model", parts: made.length > 0 ? made : [said] },
        ...(finishReason && { finishReason }),
      },
    ],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2, totalTokenCount: 3 },
  };
}
