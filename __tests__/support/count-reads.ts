/**
 * Counts how often characters of a text are read while a function runs: every character that a string
 * method, a pattern or `JSON.parse` passes.
 *
 * @param run The function.
 */
export function countReads(run: () => unknown): number {
  let count = 0;
  const text = String.prototype;
  const { charAt, startsWith, slice, indexOf, lastIndexOf, includes, replace, split, match } = text;
  const { matchAll, trim, replaceAll } = text;
  const { exec } = RegExp.prototype;
  const { parse } = JSON;
  const whole = { includes, replace, replaceAll, split, match, matchAll, trim, lastIndexOf };
  try {
    text.charAt = function (this: string, at) {
      count += 1;
      return charAt.call(this, at);
    };
    text.startsWith = function (this: string, ...args) {
      count += 1;
      return startsWith.apply(this, args);
    };
    text.slice = function (this: string, ...args) {
      const part = slice.apply(this, args);
      count += part.length;
      return part;
    };
    text.indexOf = function (this: string, sought, from = 0) {
      const at = indexOf.call(this, sought, from);
      count += (at < 0 ? this.length : at) - from;
      return at;
    };
    for (const [name, method] of Object.entries(whole)) {
      Object.assign(text, {
        [name](this: string, ...args: never[]) {
          count += this.length;
          return (method as (...given: never[]) => unknown).apply(this, args);
        },
      });
    }
    RegExp.prototype.exec = function (this: RegExp, source) {
      const from = this.sticky || this.global ? this.lastIndex : 0;
      const found = exec.call(this, source);
      const end = found === null ? source.length : found.index + found[0].length;
      count += this.sticky ? (found?.[0].length ?? 1) : Math.max(0, end - from);
      return found;
    };
    JSON.parse = (source, reviver) => {
      count += String(source).length;
      return parse(source, reviver);
    };
    run();
    return count;
  } finally {
    Object.assign(text, { charAt, startsWith, slice, indexOf, ...whole });
    RegExp.prototype.exec = exec;
    JSON.parse = parse;
  }
}
