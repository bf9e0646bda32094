/** Keeps a registry from being taken for options, with which it shares `level`: write `{ fixers }`. */
export interface NotRegistry {
  readonly forTool?: never;
}
