export { wordDescribing } from "./names/described-by.ts";
export { editDistance } from "./names/edit-distance.ts";
export { foldName, wordsOf } from "./names/fold-name.ts";
export { isNear } from "./names/is-near.ts";
export { mayCount } from "./names/may-count.ts";
export { areOpposite, isOperator, namesRole, namesSide } from "./names/opposites.ts";
export { kinshipOf } from "./names/shared-word.ts";
export { isTypo, slipOf } from "./names/slip-of.ts";
export { isGeneric, isUnit } from "./names/vocabulary.ts";
