/**
 * Tells whether a text that was read as no JSON holds what nobody writes but for JSON: an object
 * with a key, a list of objects, strings or numbers, a key without its brace, or thoughts. A selector
 * (`a[href="x"]`), a template (`Hello {name}`), a style (`div{color:red}`) or code (`f(x)[0]`)
 * holds none.
 *
 * @param text The text, without white space around it.
 */
export function looksLikeJson(text: string): boolean {
  return ANYWHERE.some((sign) => sign.test(text)) || AT_START.some((sign) => sign.test(text));
}

const ANYWHERE: readonly RegExp[] = [
  /[{｛](?:\s*,)?\s*(?:\\*["'“”„‟‘’‚`＂]|&(?:quot|#34);)/,
  /[{｛]\s*[\p{L}_$][\p{L}\p{N}_$-]{0,99}\s*:\s*["'“{[]/u,
  /[[［]\s*[{｛]/,
  /(?:^|[\s(:=,>])[[［]\s*\\*["'“]/,
];

const AT_START: readonly RegExp[] = [
  /^(?:[{｛]\s*){1,2}[\p{L}_$][\p{L}\p{N}_$-]{0,99}\s*[:=]/u,
  /^[{｛]\s*\/[/*]/,
  /^(?:[[［]\s*){1,64}-?\d[\d.]*\s*,/,
  /^["'“][^"'“”\n]{1,100}["'”]\s*[:=]/,
  /^(?:[[{(]\s*){64}/,
  /^<(?:think|thinking|thought|thoughts|reasoning|reflection)>/i,
];
