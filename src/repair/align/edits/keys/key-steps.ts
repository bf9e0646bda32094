import { correctKey } from "./correct-key.ts";
import { dropKey, dropRemark } from "./drop-key.ts";
import { fillConstant, fillDefault } from "./fill-key.ts";
import type { KeyStep } from "./key-step.ts";
import { namePositions } from "./name-positions.ts";
import { nestKeys } from "./nest-keys.ts";
import { gatherKeys, liftKeys } from "./regroup-keys.ts";
import { renameOnlyKey } from "./rename-only-key.ts";
import { respellKey } from "./respell-key.ts";

/** The edits of keys in the order in which they are tried: the surest first. */
export const keySteps: readonly KeyStep[] = [
  respellKey,
  nestKeys,
  correctKey,
  namePositions,
  liftKeys,
  gatherKeys,
  renameOnlyKey,
  fillConstant,
  fillDefault,
  dropKey,
  dropRemark,
];
