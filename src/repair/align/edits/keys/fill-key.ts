import { toPointer } from "../../../json/json-pointer.ts";
import { isJsonObject } from "../../../json/json-value.ts";
import type { SchemaNode, Variant } from "../../../schema/node.ts";
import type { JsonObject, JsonValue, Repair } from "../../../types.ts";
import { type Keyed, type KeyWant, missingKeys, undeclaredKeys } from "../../keys.ts";
import { givesConsent, wordsOf } from "../../names.ts";
import { DECLARED_DEFAULT, ONLY_POSSIBLE_TAG } from "../../reasons.ts";
import type { EditName } from "../edit.ts";
import type { KeyStep } from "./key-step.ts";

/** Names of fields that say what an object is, not what is to be done. */
const TAGS: ReadonlySet<string> = new Set(
  "type kind object version format schema jsonrpc".split(" "),
);
/** Words by which such a field says what is done all the same, or how. */
const DOING =
  /^(?:delet|remov|eras|wip|purg|drop|destroy|cancel|terminat|revok|reset|overwrit|replac|perman|irrevers|final|hard|forc|transfer|pay|charg|refund|send|submit|publish|buy|sell|order|book|sign|agree|accept|confirm|approv|grant|allow|yes|true|ok$|all|public|unlimit|immediat|recursiv)/;

/**
 * The tag of an object, which says what it is: `{"type": "text", "text": …}`. Only where it is all
 * that is missing, one value is possible whatever branch of a union is meant, and it cannot be a
 * consent: `confirm: true` is for the user to say.
 */
export const fillConstant: KeyStep = {
  name: "fill-constant",
  level: "eager",
  cost: 3,
  take(keyed, want) {
    const { object } = keyed;
    const isWhole = missingKeys(object, want.variant).length === 1 && holdsNothingElse(keyed, want);
    if (!isWhole || Object.keys(object).length === 0) return keyed;
    return fill(keyed, want, {
      edit: this,
      reason: ONLY_POSSIBLE_TAG,
      valueFor(node, key) {
        // The tag of a union says which branch was meant: that is for the model to say.
        const [only, ...others] = node.variants();
        if (want.branches.some((branch) => branch.properties.get(key) !== node)) return undefined;
        const value =
          others.length === 0 && only?.values?.length === 1 ? only.values[0] : undefined;
        const isTag = TAGS.has(wordsOf(key).at(-1) ?? "") && !givesConsent(key);
        return isTag && isLiteral(value) ? value : undefined;
      },
    });
  },
};

/**
 * Whether a value names a kind or a version. What is shouted is to be typed by hand: `DELETE`; and
 * what is done for good is for the model to say.
 */
function isLiteral(value: JsonValue | undefined): boolean {
  if (typeof value !== "string") return typeof value === "number";
  return value !== value.toUpperCase() && !wordsOf(value).some((word) => DOING.test(word));
}

/**
 * A required key that is missing and for which the schema declares a default; nothing of what the
 * model wrote may be left that could have been meant for it.
 */
export const fillDefault: KeyStep = {
  name: "fill-default",
  level: "eager",
  cost: 4,
  take(keyed, want) {
    if (!holdsNothingElse(keyed, want)) return keyed;
    return fill(keyed, want, {
      edit: this,
      reason: DECLARED_DEFAULT,
      // To be asked is the point of a field that must be filled in: its default is not an answer.
      valueFor: (node, key) => (givesConsent(key) ? undefined : node.default),
    });
  },
};

/** Whether every key is declared, further in as well. */
function holdsNothingElse({ object }: Keyed, { variant }: KeyWant): boolean {
  return isWholly(object, variant);
}

function isWholly(object: JsonObject, variant: Variant): boolean {
  if (undeclaredKeys(object, variant).length > 0) return false;
  return Object.entries(object).every(([key, value]) => {
    const node = variant.keyAt(key);
    return node === undefined || isWhollyAt(value as JsonValue, node);
  });
}

function isWhollyAt(value: JsonValue, node: SchemaNode): boolean {
  if (value === null || typeof value !== "object") return true;
  return node.variants().some((variant) => {
    if (isJsonObject(value)) {
      const isFree = variant.properties.size === 0 && !variant.closed;
      return variant.type === "object" && (isFree || isWholly(value as JsonObject, variant));
    }
    const isItemWhole = (item: JsonValue, index: number) => {
      const place = variant.itemAt(index);
      return place === undefined || isWhollyAt(item, place);
    };
    return variant.type === "array" && (value as JsonValue[]).every(isItemWhole);
  });
}

interface Filling {
  readonly edit: EditName;
  readonly reason: string;
  readonly valueFor: (node: SchemaNode, key: string) => JsonValue | undefined;
}

function fill(
  keyed: Keyed,
  { variant }: KeyWant,
  { edit: { name, level, cost }, reason, valueFor }: Filling,
): Keyed {
  return missingKeys(keyed.object, variant).reduce((done, key) => {
    const node = variant.properties.get(key);
    const found = node === undefined ? undefined : valueFor(node, key);
    if (found === undefined) return done;
    // Of a JSON Schema it is the very value that stands there.
    const value = structuredClone(found);
    const change: Repair = {
      fixer: name,
      path: toPointer([key]),
      before: undefined,
      after: value,
      level,
      reason,
    };
    return {
      object: { ...done.object, [key]: value },
      cost: done.cost + cost,
      changes: [...done.changes, change],
    };
  }, keyed);
}
