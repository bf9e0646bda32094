/** Options of what returns its error: nobody is asked about it. */
export interface NoHandler {
  /** There is none: read the error that is returned. What wraps a tool or an agent has one. */
  readonly onUnfixable?: undefined;
}
