/**
 * What toolmend uses of a Standard Schema (https://standardschema.dev, version 1): zod from 3.24
 * on, valibot, arktype and others have it.
 */
export interface StandardSchema {
  readonly "~standard": {
    readonly validate: (value: unknown) => StandardResult | Promise<StandardResult>;
  };
}

export type StandardResult =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** An issue; zod's carry more than the message and path that the standard asks for. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
  readonly code?: string;
  readonly keys?: readonly string[];
}
