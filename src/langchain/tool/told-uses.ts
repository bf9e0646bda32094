/** The configs of uses of tools that somebody else has told of, and will not tell of again. */
export const toldUses: WeakSet<object> = new WeakSet();
