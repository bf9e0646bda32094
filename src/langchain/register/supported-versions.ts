/** A package that toolmend knows, and what of it `toolmend/register` hooks. */
export interface SupportedPackage {
  readonly name: string;
  /**
   * The versions that the behaviour suite passes with: `1`, `0.3`, or `0.3.44+`
   * within 0.3.
   */
  readonly versions: readonly string[];
  /** Versions that only a source patch supports. */
  readonly patchOnly?: readonly string[];
  /**
   * The entry points that hold the classes to hook, and the versions that have
   * them.
   */
  readonly hooks: readonly {
    readonly entry: string;
    readonly versions: readonly string[];
  }[];
}

/**
 * Which versions are touched is data: see compat/matrix/README.md, made by
 * `npm run test:matrix`.
 */
export const SUPPORTED_PACKAGES: readonly SupportedPackage[] = [
  {
    name: "@langchain/core",
    versions: ["0.3.44+", "1"],
    hooks: [
      { entry: "./tools", versions: ["0.3", "1"] },
      { entry: "./output_parsers", versions: ["0.3", "1"] },
    ],
  },
  {
    name: "@langchain/classic",
    versions: ["1"],
    hooks: [{ entry: "./agents", versions: ["1"] }],
  },
  {
    name: "langchain",
    versions: ["0.3", "1"],
    patchOnly: ["0.0.153"],
    hooks: [{ entry: "./agents", versions: ["0.3"] }],
  },
];

/**
 * Tells whether a full version begins, part by part, with one of those named;
 * after a `+`, the last part may be higher.
 */
export function isVersionOf(
  version: string,
  versions: readonly string[],
): boolean {
  return versions.some((named) =>
    named.endsWith("+")
      ? isAtLeast(version, named.slice(0, -1))
      : version === named || version.startsWith(`${named}.`),
  );
}

function isAtLeast(version: string, least: string): boolean {
  const line = least.slice(0, least.lastIndexOf(".") + 1);
  if (!version.startsWith(line)) return false;
  return (
    Number.parseInt(version.slice(line.length), 10) >=
    Number(least.slice(line.length))
  );
}

/** Names versions for people. */
export function showVersions(versions: readonly string[]): string {
  const names = versions.map((named) =>
    named.endsWith("+") ? `${named.slice(0, -1)} or later` : `${named}.x`,
  );
  return names.join(" and ");
}
