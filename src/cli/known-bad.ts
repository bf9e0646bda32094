import { isVersionOf } from "../langchain/register/supported-versions.ts";

/** Versions by package name, as one package gets them, and its own. */
export type Versions = ReadonlyMap<string, string>;

/** Packages that do not work together. */
export interface KnownBad {
  readonly message: string;
  readonly remedy: string;
  holds(versions: Versions): boolean;
}

/** Which combinations are known not to work is data. */
export const KNOWN_BAD: readonly KnownBad[] = [
  {
    message: "langchain 1.x needs @langchain/core 1.x",
    remedy: "npm install @langchain/core@1",
    holds: (versions) => is(versions, "langchain", "1") && is(versions, "@langchain/core", "0"),
  },
  {
    message: "langchain 0.3 needs @langchain/core 0.3",
    remedy: "npm install @langchain/core@0.3, or langchain@1",
    holds: (versions) => is(versions, "langchain", "0.3") && is(versions, "@langchain/core", "1"),
  },
  {
    message: "@langchain/classic 1.x needs @langchain/core 1.x",
    remedy: "npm install @langchain/core@1",
    holds: (versions) =>
      is(versions, "@langchain/classic", "1") && is(versions, "@langchain/core", "0"),
  },
  {
    message: "zod before 3.25 has no Standard Schema, by which toolmend validates",
    remedy: "npm install zod@^3.25, or zod@4",
    holds: (versions) => {
      if (!versions.has("@langchain/core")) return false;
      const [major = 0, minor = 0] = (versions.get("zod") ?? "4").split(".").map(Number);
      return major < 3 || (major === 3 && minor < 25);
    },
  },
];

function is(versions: Versions, name: string, version: string): boolean {
  return isVersionOf(versions.get(name) ?? "", [version]);
}
