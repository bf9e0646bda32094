import { isLogLine, type LogLine } from "./log-line.ts";
import { type ReadPlaces, readFiles } from "./read-files.ts";

/** What was read, and what was passed over. */
export interface LogRead {
  readonly files: number;
  /** Lines of a log. */
  readonly lines: number;
  /** Lines that are no JSON, or too long to be of a log: written half, mostly. */
  readonly torn: number;
  /** Lines that are JSON, and none of a log of this version. */
  readonly foreign: number;
}

/** The longest line that is read, in characters. A log's own lines have at most 8 kB. */
const LONGEST = 4 * 1024 * 1024;

/** Reads logs line by line, in the order of the files. */
export async function readLog(
  names: readonly string[],
  onLine: (line: LogLine) => void,
  places: ReadPlaces = {},
): Promise<LogRead> {
  const counts = { lines: 0, torn: 0, foreign: 0 };
  const skip = () => {
    counts.torn += 1;
  };
  const add = (text: string) => {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      skip();
      return;
    }
    if (isLogLine(value)) {
      counts.lines += 1;
      onLine(value);
    } else counts.foreign += 1;
  };
  const files = await readFiles(names, { ...places, longest: LONGEST }, () => ({ add, skip }));
  return { files, ...counts };
}
