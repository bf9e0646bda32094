export { editDistance } from "./names/edit-distance.ts";
export { foldName, wordsOf } from "./names/fold-name.ts";
export { isNear } from "./names/is-near.ts";
export { areOpposite, isOperator } from "./names/opposites.ts";
export { isTypo, slipOf } from "./names/slip-of.ts";
