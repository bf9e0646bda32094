/**
 * Text → value. A value that the vendor's API has parsed already is copied, as some methods
 * change their input in place.
 *
 * @param {unknown} args
 * @param {(text: string) => unknown} parse
 */
export function readText(args, parse) {
  return typeof args === "string" ? parse(args) : structuredClone(args);
}
