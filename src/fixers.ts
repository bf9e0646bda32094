/**
 * Fixers for the most frequent mistakes of models, to register for a tool. Does
 * not require LangChain.
 *
 * @module toolmend/fixers
 */

export {
  coerceTo,
  mapValue,
  renameKey,
  splitList,
  unwrapKey,
  wrapValue,
} from "./repair/fixers/built-in.ts";
