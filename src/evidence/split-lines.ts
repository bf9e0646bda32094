import { StringDecoder } from "node:string_decoder";

/** Takes text in parts, and hands it on in lines. */
export interface LineSplitter {
  add(chunk: Uint8Array | string): void;
  /** What follows the last line break is a line, too. */
  end(): void;
}

/**
 * Creates a splitter of text into lines. Empty lines and a byte order mark are passed over.
 *
 * @param onLine Told of each line, without its line break.
 * @param onTooLong Told of each line that is longer than `longest`, of which nothing is kept.
 * @param longest The longest line, in characters.
 */
export function createLineSplitter(
  onLine: (line: string) => void,
  onTooLong: () => void,
  longest: number,
): LineSplitter {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  let isSkipping = false;
  let isFirst = true;

  const tell = (line: string) => {
    if (isSkipping) isSkipping = false;
    else if (line.length > longest) onTooLong();
    else if (line !== "" && line !== "\r") onLine(line);
  };
  const addText = (text: string) => {
    let from = 0;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", from)) {
      tell(rest === "" ? text.slice(from, at) : rest + text.slice(from, at));
      rest = "";
      from = at + 1;
    }
    if (isSkipping) return;
    rest += text.slice(from);
    if (rest.length <= longest) return;
    onTooLong();
    rest = "";
    isSkipping = true;
  };
  return {
    add(chunk) {
      const text = typeof chunk === "string" ? chunk : decoder.write(chunk as Buffer);
      addText(isFirst && text.startsWith("\uFEFF") ? text.slice(1) : text);
      isFirst &&= text === "";
    },
    end() {
      addText(decoder.end());
      tell(rest);
      rest = "";
    },
  };
}
