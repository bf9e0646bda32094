import type { ToolInputError } from "../errors/tool-input-error.ts";
import type { RepairOptions } from "../options.ts";
import type { Resolution } from "../resolution.ts";
import type { JsonValue, NameRepair, ToolLike } from "../types.ts";
import type { CorrectionSource } from "./input-event.ts";
import type { Origin } from "./origin.ts";

/** A call, and what became of it. */
export interface ToldCall {
  /** What the model wrote. */
  readonly raw: unknown;
  /** `undefined` where none of that name was offered. */
  readonly tool: ToolLike | undefined;
  readonly resolution: Resolution;
  /** The id of the tool call. Default: that of the `toolCall` in the options. */
  readonly callId?: string | undefined;
  /** Where it came from. Default: the `origin` of the options. */
  readonly origin?: Origin | undefined;
  /** How the tool's name was changed, where it was. */
  readonly nameRepair?: NameRepair | undefined;
  /** Whether LangChain would have lost the call. */
  readonly rescued?: boolean | undefined;
  /** Whether a tool that tells by itself may get the call after it was told of here. */
  readonly isHandedOn?: boolean | undefined;
  /** Whether it may have been told of by another place, which handed it on. */
  readonly wasHandedOn?: boolean | undefined;
}

/** What a call of a tool is known by again. */
export interface KnownCall {
  readonly toolName: string;
  /** What the tool is run with. */
  readonly input: unknown;
  readonly callId: string | undefined;
}

/** How the call was repaired, who is told, and where it came from. */
export type Telling = RepairOptions & { readonly origin?: Origin | undefined };

/** An input that was refused, as far as it is told of. */
export interface RefusedInput
  extends Pick<ToolInputError, "toolName" | "issues" | "causingData" | "jsonSchema"> {
  readonly toolCall?: { readonly id?: string | undefined } | undefined;
}

/** Which input stands for one that was refused. */
export interface ToldCorrection {
  /** Why the first was refused; it says of which tool and call it was. */
  readonly error: RefusedInput;
  readonly source: CorrectionSource;
  /** The id of the call that replaces it. */
  readonly by: string | undefined;
  /** What it was run with instead. */
  readonly toolInput: JsonValue | undefined;
}
