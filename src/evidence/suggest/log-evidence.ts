import type { JsonSchema } from "../../repair/types.ts";
import type { CallLine, CorrectionLine, LogLine } from "../log-line.ts";
import { joinCorrections } from "./join-corrections.ts";
import type { LoggedInput } from "./logged-input.ts";

/** Gathers what a log says that fixers can be learnt from, or tried on. */
export interface LogEvidence {
  /** Takes one line of the log. */
  readonly add: (line: LogLine) => void;
  /** Joins what was taken: each refused call with its correction. */
  readonly read: () => LoggedInputs;
}

/** The calls of a log whose inputs were written down. */
export interface LoggedInputs {
  /** In the order of the log; pairs without a line of the refused call last. */
  readonly inputs: readonly LoggedInput[];
  readonly schemaOf: (tool: string, hash: string | undefined) => JsonSchema | undefined;
  readonly counts: EvidenceCounts;
}

/** How much of a log could be used. */
export interface EvidenceCounts {
  /** Lines of calls and corrections. */
  readonly lines: number;
  /** Of these, those whose input was not written down: the content of the log is `none` or `keys`. */
  readonly withoutInput: number;
  /** Inputs of calls without the id of a run or thread. */
  readonly withoutRun: number;
  /** Inputs whose schema is not in the log. */
  readonly withoutSchema: number;
}

/** Creates what lines of a log are gathered in. */
export function createLogEvidence(): LogEvidence {
  const schemas = new Map<string, JsonSchema>();
  const calls: CallLine[] = [];
  const corrections: CorrectionLine[] = [];
  let withoutInput = 0;
  return {
    add(line) {
      if (line.kind === "schema") {
        const { jsonSchema } = line;
        if (jsonSchema === null || typeof jsonSchema !== "object") return;
        schemas.set(schemaKey(line.tool, line.schema), jsonSchema as JsonSchema);
      } else if (line.kind === "call") {
        if (line.raw === undefined) withoutInput += 1;
        else calls.push(line);
      } else if (line.kind === "correction") {
        if (line.toolInput === undefined) withoutInput += 1;
        else corrections.push(line);
      }
    },
    read() {
      const inputs = joinCorrections(calls, corrections);
      const schemaOf = schemasIn(schemas);
      const isMissing = ({ tool, schema }: LoggedInput) =>
        schema !== undefined && schemaOf(tool, schema) === undefined;
      const counts = {
        lines: calls.length + corrections.length + withoutInput,
        withoutInput,
        withoutRun: inputs.filter(({ run }) => run === undefined).length,
        withoutSchema: inputs.filter(isMissing).length,
      };
      return { inputs, schemaOf, counts };
    },
  };
}

/** Apart, as what looks them up would keep all lines in memory, were it made beside them. */
function schemasIn(schemas: ReadonlyMap<string, JsonSchema>): LoggedInputs["schemaOf"] {
  return (tool, hash) => (hash === undefined ? undefined : schemas.get(schemaKey(tool, hash)));
}

function schemaKey(tool: string, hash: string): string {
  return `${hash} ${tool}`;
}
