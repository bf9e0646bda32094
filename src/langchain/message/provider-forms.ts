import type { BaseMessage } from "@langchain/core/messages";
import { isJsonObject } from "../../repair/json.ts";
import type { JsonObject } from "../../repair/types.ts";

/** A call in a provider's form. */
export interface CallSite {
  /** Where the message holds it. */
  readonly place: "chunks" | SentPlace;
  /** Its index at that place. */
  readonly index: number;
  readonly id: string | undefined;
  readonly name: string;
  /** The arguments: text if the provider keeps text, else a value. */
  readonly args: unknown;
}

/** The fields of a call, a content block or metadata in a provider's form. */
export type FormFields = Record<string, unknown>;

/** The types of content blocks that are calls of the agent's own tools. */
const CALL_BLOCKS = new Set<unknown>(
  "tool_use tool_call invalid_tool_call functionCall".split(" "),
);

/** A call for the history. */
export interface HistoryCall {
  /** The call's id; none for OpenAI's old `function_call`. */
  readonly id: string | undefined;
  readonly name: string;
  readonly args: JsonObject;
  /** Why the call must not run: it then stands in `invalid_tool_calls`. */
  readonly error?: string;
  /**
   * For a call that must not run, the arguments as the model wrote them.
   * Default: unchanged.
   */
  readonly written?: string | undefined;
}

/** Where a message holds what providers are sent. */
export type SentPlace = "kwargs" | "output" | "content";

/**
 * How providers are sent a call: where its form stands, how it is read and
 * written.
 */
interface ProviderForm {
  list(message: BaseMessage): unknown;
  /** What an item says; `undefined` if it is no call. */
  read(
    item: FormFields,
  ): readonly [id: unknown, name: unknown, args: unknown] | undefined;
  write(item: FormFields, call: HistoryCall): FormFields;
}

export const FORMS: Readonly<Record<SentPlace, ProviderForm>> = {
  // OpenAI's chat completions, and providers that follow them.
  kwargs: {
    list: ({ additional_kwargs }) => additional_kwargs?.tool_calls,
    read: ({ id, function: called }) =>
      isJsonObject(called) ? [id, called.name, called.arguments] : undefined,
    write({ id, function: called, ...item }, call) {
      return {
        ...item,
        id: call.id ?? id,
        function: { ...(called as FormFields), ...asText(call) },
      };
    },
  },
  // OpenAI's responses.
  output: {
    list: ({ response_metadata }) =>
      (response_metadata as FormFields | undefined)?.output,
    read: ({ type, call_id, name, arguments: args }) =>
      type === "function_call" ? [call_id, name, args] : undefined,
    write: (item, call) => ({ ...item, call_id: call.id, ...asText(call) }),
  },
  // Anthropic, Bedrock, Google, and LangChain's own content blocks.
  content: {
    list: ({ content }) => content,
    read(block) {
      if (!CALL_BLOCKS.has(block.type)) return undefined;
      const { functionCall: called } = block;
      const { id, name, args, input } = isJsonObject(called) ? called : block;
      return [id, name, block.type === "tool_use" ? input : args];
    },
    write(block, { id, name, args, error }) {
      const { functionCall: called, error: _, ...fields } = block;
      if (block.type === "tool_use") return { ...block, id, name, input: args };
      if (isJsonObject(called)) {
        return {
          ...block,
          functionCall: {
            ...called,
            ...("id" in called && { id }),
            name,
            args,
          },
        };
      }
      if (error === undefined)
        return { ...fields, type: "tool_call", id, name, args };
      return {
        ...fields,
        type: "invalid_tool_call",
        id,
        name,
        args: JSON.stringify(args),
        error,
      };
    },
  },
};

export function asText({ name, args, written }: HistoryCall): {
  name: string;
  arguments: string;
} {
  return { name, arguments: written ?? JSON.stringify(args) };
}

/**
 * Whether a message's content is made of LangChain's own blocks
 * (`outputVersion: "v1"`).
 */
export function isOwnFormat(metadata: FormFields | undefined): boolean {
  return metadata?.output_version === "v1";
}

/** Whether a message is sent by `ChatGoogle` of `@langchain/google`. */
export function isChatGoogle(metadata: FormFields | undefined): boolean {
  return metadata?.model_provider === "google";
}

/**
 * Whether the next request has the calls of a message's content, and no others:
 * Google's client sends `functionCall` blocks, and `tool_calls` only beside
 * LangChain's own blocks (google 0.2.6; google.test).
 */
export function sendsContentCalls(metadata: FormFields | undefined): boolean {
  return isChatGoogle(metadata) && !isOwnFormat(metadata);
}

/** Whether a content block is a call in Google's form. */
export function isFunctionCall({ type }: FormFields): boolean {
  return type === "functionCall";
}

/** Finds the forms of calls that providers are sent, by place. */
export function sentSites(
  message: BaseMessage,
): readonly (readonly CallSite[])[] {
  return (Object.keys(FORMS) as SentPlace[]).map((place) =>
    sitesAt(place, message),
  );
}

function sitesAt(place: SentPlace, message: BaseMessage): readonly CallSite[] {
  const { list, read } = FORMS[place];
  const sites: CallSite[] = [];
  for (const [index, item] of itemsOf(list(message)).entries()) {
    const call = read(item);
    if (call === undefined) continue;
    const [id, name, args] = call;
    sites.push({
      place,
      index,
      id: textOf(id),
      name: textOf(name),
      args,
    });
  }
  return sites;
}

/** A text, or none: providers may give `null` in its place. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function itemsOf(list: unknown): readonly FormFields[] {
  return Array.isArray(list)
    ? list.map((item) => (isJsonObject(item) ? item : {}))
    : [];
}
