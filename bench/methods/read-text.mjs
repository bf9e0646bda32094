/**
 * Text → value. A value parsed by the vendor's API is copied, as some methods change their input in
 * place.
 *
 * @param {unknown} args
 * @param {(text: string) => unknown} parse
 */
export function readText(args, parse) {
  return typeof args === "string" ? parse(args) : structuredClone(args);
}
