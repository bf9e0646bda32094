import { isContainer, isJsonObject } from "../json.ts";
import { readExactNumber } from "../read/numbers.ts";
import type { SchemaNode, Variant } from "../schema/node.ts";
import type { JsonObject, JsonValue } from "../types.ts";
import { foldName, slipOf, wordsOf } from "./names.ts";
import { isToolName } from "./repair-tool-name.ts";
import { edit, type Proposal, type ValueEdit, type Want } from "./types.ts";
import {
  ANSWERS,
  CALL_KEYS,
  ENVELOPES,
  hasClauses,
  IS_ENGLISH,
  isNoArguments,
  isNothing,
  LIST_KEYS,
  NAME_KEYS,
  NAMES_DEFAULT,
  NAMES_TRUTH,
  namesList,
  namesNothing,
  TAG_NAMES,
} from "./vocabulary.ts";
import {
  choicesIn,
  choicesOf,
  elementsOf,
  isOneThing,
  isWholeText,
  jsonNumberOf,
  listParts,
  MAX_WORD,
  opensContainer,
  sameChoice,
  showsForm,
} from "./written-values.ts";

type Proposals = readonly Proposal[];

/** An envelope with more keys is none. */
const MAX_KEYS = 8;
/** Among more choices than this, one slip leads to another of them. */
const MAX_CHOICES = 500;

/**
 * The edits of a single value. To add one, add a row; the catalogue in scripts/edits then asks for
 * an example, three inputs that it must refuse, and a sentence for the documentation.
 */
export const valueEdits: readonly ValueEdit[] = [
  edit("read-number", "safe", { cost: 1 }, (value, { node }) => {
    const word = wordIn(value);
    const text = word === undefined ? undefined : jsonNumberOf(word);
    const wanted = node.of("number");
    if (word === undefined || text === undefined || wanted.length === 0) return [];
    const takesFraction = wanted.some(({ said }) => !said("type").includes("integer"));
    return /e/i.test(text) && !takesFraction ? [] : one(readExactNumber(text));
  }),
  edit("read-boolean", "safe", { cost: 1 }, (value, { node }) => {
    const word = wordIn(value)?.toLowerCase();
    if (node.of("boolean").length === 0) return [];
    return word === "true" || word === "false" ? one(word === "true") : [];
  }),
  edit("read-null", "safe", { cost: 1 }, (value, want) => {
    const { node } = want;
    // Beside choices, "none" may be another one.
    const isNull =
      isNothing(value) && (node.of("string").length === 0 || isAbsent(`${value}`, node));
    return node.of("null").length > 0 && isNull && !mayAskForNothing(want) ? one(null) : [];
  }),
  edit("write-scalar", "safe", { cost: 1 }, (value, want) => {
    const texts = want.node.of("string");
    if (typeof value === "boolean") {
      const isNamed = texts.some(({ values, description }) =>
        values === undefined ? NAMES_TRUTH.test(description) : values.includes(String(value)),
      );
      return isNamed ? one(String(value), "the field names true or false") : [];
    }
    if (typeof value !== "number") return [];
    if (!texts.some((text) => takesDigits(text, want))) return [];
    const spellings = want.run.spellings();
    if (spellings.has(value)) return one(spellings.get(value));
    const isExact = !Number.isInteger(value) || Number.isSafeInteger(value);
    return isExact && !String(value).includes("e") ? one(String(value)) : [];
  }),
  edit("write-json", "safe", { cost: 1 }, (value, { node, place, run: { objectAsText } }) => {
    if (!isContainer(value) || node.of("string").length === 0) return [];
    const isAsked = Array.isArray(objectAsText) ? objectAsText.includes(place.path) : objectAsText;
    return isAsked ? one(JSON.stringify(value)) : [];
  }),
  edit("respell-choice", "safe", { cost: 1 }, (value, { node }) => {
    const word = wordIn(value);
    const choice = word === undefined ? undefined : sameChoice(word, choicesOf(node));
    return one(choice, "the same but for case, spacing or punctuation");
  }),
  edit("clean-text", "safe", { cost: 1 }, (value, { node }) => {
    if (typeof value !== "string" || !freeTexts(node).some(hasPattern)) return [];
    return one(cleaned(value, node), "the schema takes only what stands inside");
  }),
  edit("parse-text", "safe", { cost: 1, unpacks: true }, (value, { node, run }) => {
    if (typeof value !== "string" || !PACKED.test(value)) return [];
    if (node.of("object").length + node.of("array").length === 0) return [];
    return one(run.parse(value), "the text is JSON, where no text is wanted");
  }),
  edit("drop-null", "safe", { cost: 1 }, (value, want) => (value === null ? leaveOut(want) : [])),
  edit("no-arguments", "safe", { cost: 1 }, (value, { node, place }) => {
    if (place.depth > 0 || isJsonObject(value) || !node.accepts({})) return [];
    if (value === null || (typeof value === "string" && value.trim() === "")) {
      return one({}, NOTHING_GIVEN);
    }
    const [only, ...others] = node.of("object");
    const takesNone =
      others.length === 0 && only?.properties.size === 0 && only.keyAt("_") === undefined;
    return takesNone && isNoArguments(value) ? one({}, "the tool takes no arguments") : [];
  }),
  edit("drop-empty-text", "safe", { cost: 2 }, (value, want) =>
    typeof value === "string" && isAbsent(value, want.node) ? leaveOut(want) : [],
  ),
  edit("read-yes-no", "eager", { cost: 2 }, (value, { node, place }) => {
    if (typeof value !== "string" || node.of("boolean").length === 0) return [];
    const word = value.trim().toLowerCase();
    const answer = ANSWERS.get(word);
    if (answer === undefined || !node.accepts(true) || !node.accepts(false)) return [];
    // `no` for `no_cache` may repeat the name, or deny it.
    if (wordsOf(place.key).includes(word)) return [];
    return one(answer, "the word answers yes or no");
  }),
  edit("wrap-in-array", "safe", { cost: 2, fits: "snug", maxRest: 3 }, (value, want) => {
    const { node, place } = want;
    if (value === null || Array.isArray(value) || place.inList) return [];
    if (node.of("array").length === 0 || !isOneElement(value, want)) return [];
    return one([value], "one value for a list of such");
  }),
  edit("wrap-bare-value", "safe", { cost: 2, fits: "snug", maxRest: 1 }, (value, want) => {
    if (want.place.depth > 0 || value === null || isJsonObject(value)) return [];
    return want.node.of("object").flatMap((variant) => asOnlyField(value, variant, want));
  }),
  edit("unwrap-array", "safe", { cost: 2, fits: "known", unpacks: true }, (value, { node }) => {
    const item = onlyItem(value);
    if (item === null || (!isContainer(item) && freeTexts(node).length > 0)) return [];
    const isMisplaced = isJsonObject(item) && node.of("object").length === 0;
    return isMisplaced ? [] : one(item, "the only element of a list, wanted by itself");
  }),
  edit("unwrap-envelope", "safe", { cost: 2, fits: "known", unpacks: true }, (value, want) => {
    const inner = isJsonObject(value) ? contentOf(value, want) : null;
    return inner === null ? [] : one(inner, "it stands in an envelope that is not declared");
  }),
  edit("list-from-numbered-keys", "safe", { cost: 2, fits: "snug" }, (value, { node }) => {
    if (!isJsonObject(value) || node.of("array").length === 0) return [];
    const keys = Object.keys(value);
    const isNumbered = keys.length > 0 && keys.every((key, index) => key === String(index));
    return isNumbered ? one(Object.values(value), "the keys are positions from 0 on") : [];
  }),
  edit("split-choices", "safe", { cost: 2 }, (value, { node }) => {
    if (typeof value !== "string" || opensContainer(value)) return [];
    return node.of("array").flatMap(({ itemAt }) => {
      const item = itemAt(0);
      const parts = item === undefined ? undefined : choicesIn(value, choicesOf(item));
      return one(parts, "every part is one of the choices");
    });
  }),
  edit("split-text", "eager", { cost: 3 }, (value, want) => {
    if (typeof value !== "string" || opensContainer(value)) return [];
    if (want.node.of("array").length === 0) return [];
    return one(listParts(value, want), "a plain list, parted by one sign");
  }),
  edit("correct-choice", "eager", { cost: 3, isAsked: true }, (value, { node, run }) => {
    const { texts } = choicesOf(node);
    if (typeof value !== "string" || value.length > MAX_WORD || texts.length > MAX_CHOICES)
      return [];
    const slips = texts.map((after) => ({ after, why: slipOf(value, after, !run.isForHints) }));
    const near = slips.filter(({ why }) => why !== undefined);
    return near.length === 1 ? near : [];
  }),
  edit("unwrap-text", "eager", { cost: 3, maxRest: 1, unpacks: true }, (value, { node }) => {
    const item = onlyItem(value);
    if (item === null || item === "" || isContainer(item)) return [];
    if (freeTexts(node).length === 0) return [];
    const isOfList = freeTexts(node).some(({ description }) => namesList(description));
    return isOfList ? [] : one(item, "the only element of a list, wanted by itself");
  }),
];

const NOTHING_GIVEN = "nothing is given, and nothing need be";

function one(after: JsonValue | undefined, why?: string): Proposals {
  return after === undefined ? [] : [{ after, why }];
}

/** Leaves an empty value out, unless it may be an instruction. */
function leaveOut(want: Want): Proposals {
  const isMeant = !want.place.isOptional || mayAskForNothing(want);
  return isMeant ? [] : [{ after: undefined, why: NOTHING_GIVEN }];
}

/** A short text without the quotes around it. */
function wordIn(value: JsonValue): string | undefined {
  return typeof value === "string" && value.length <= MAX_WORD ? unquoted(value) : undefined;
}

/** Text without the one pair of quotes around it. */
function unquoted(text: string): string {
  const trimmed = text.trim();
  const [first = ""] = trimmed;
  const isQuoted = trimmed.length > 1 && trimmed.endsWith(first) && `"'\``.includes(first);
  return isQuoted ? trimmed.slice(1, -1).trim() : trimmed;
}

/** Text that begins and ends like JSON, a tuple or a quoted text. */
const PACKED = /^\s*(?:\[.*\]|\{.*\}|(["'`]).*\1)\s*$/s;

function freeTexts(node: SchemaNode): readonly Variant[] {
  return node.of("string").filter(({ values }) => values === undefined);
}

/** A pattern that repeats a group may take forever. */
const hasPattern = ({ said }: Variant) =>
  said("format").length > 0 || said("pattern").some((one) => !/\)[*+{]/.test(`${one}`));

/** The only element of a list; null if it has none or several. */
function onlyItem(value: JsonValue): JsonValue {
  return Array.isArray(value) && value.length === 1 ? (value[0] as JsonValue) : null;
}

/** The text that a format or pattern takes: without spaces, one pair of quotes or brackets. */
function cleaned(text: string, node: SchemaNode): string | undefined {
  const trimmed = text.trim();
  if (trimmed !== text && node.accepts(trimmed)) return trimmed;
  const formats = node.of("string").flatMap(({ said }) => said("format"));
  const isAddress = formats.some((format) => format === "uri" || format === "email");
  const bare = isAddress ? trimmed.replace(/^<([^<>\s]*)>$/, "$1") : trimmed;
  const ways = new Set([unquoted(trimmed), bare]);
  const taken = [...ways].filter((way) => way !== trimmed && way !== "" && node.accepts(way));
  return taken.length === 1 ? taken[0] : undefined;
}

/** Whether a text can only stand for no value, as Python's `None` mostly does; "none" may be "no". */
function isAbsent(text: string, node: SchemaNode): boolean {
  const word = text.length < MAX_WORD ? text.trim() : text;
  if (/^(?:null|undefined)?$/i.test(word)) return true;
  const mayBeNone = node.variants().every(({ values }) => values === undefined);
  return word === "None" && mayBeNone && (node.default ?? "") === "";
}

/** Whether an empty value may be an instruction: "null clears it". */
function mayAskForNothing({ node, place, run }: Want): boolean {
  const own = node.variants().flatMap(saidOf);
  const around = [...place.around.flatMap(saidOf), run.toolDescription ?? ""];
  // Leaving out a flag that is on by default sets it, which may be a consent.
  if (node.default === true || [...own, ...around].some(namesNothing)) return true;
  if (node.default !== undefined || own.some((text) => NAMES_DEFAULT.test(text))) return false;
  // More than a name may say so in other words, or in another language.
  const isName = /^(?:(?:[^\s\p{Po}\p{Lo}]+ ?){0,3}|\p{Lo}{1,4})$/u.test(own.join(". "));
  return !isName || around.some((text) => hasClauses(text) && !IS_ENGLISH.test(text));
}

/** What the schema says of a place: titles, descriptions, examples. */
function saidOf({ said, description }: Variant): readonly string[] {
  const examples = said("examples").flat();
  const texts = [...said("title"), description, ...examples.map((each) => JSON.stringify(each))];
  return texts.filter((text): text is string => typeof text === "string" && text !== "");
}

/** Digits that are no JSON number (`00123`, `5kg`, `v1`, but `ISBN-13`), letters for digits (`MM`), a quoted word. */
const OTHER_FORM =
  /(?<![\p{L}\p{N}])(?:([\p{L}#])\1+(?![\p{L}\p{N}])|0\d|(?!\p{Lu}{3,}-\d)[\p{L}\p{Sc}+#-]+\d)|\d[\p{L}:/-]|"\p{L}[^"\p{N}]*"/u;

/** Whether nothing that is said of a text, or around it, shows another form than that of a JSON number. */
function takesDigits(text: Variant, { place, run }: Want): boolean {
  const shown = [...[text, ...place.around].flatMap(saidOf), ...text.said("default")];
  return text.values !== undefined || !OTHER_FORM.test([...shown, run.toolDescription].join(" "));
}

/** Whether a bare value is one element: no text that may hold several, or none. */
function isOneElement(value: JsonValue, want: Want): boolean {
  const elements = elementsOf(want);
  if (isJsonObject(value)) return elements.some(({ type }) => type === "object");
  if (typeof value !== "string") return true;
  if (opensContainer(value) || isNothing(value)) return false;
  const areChoices = elements.length > 0 && elements.every(({ values }) => values !== undefined);
  const { place, node } = want;
  const [said = ""] = [...node.of("array"), ...elements].flatMap(saidOf);
  return areChoices || (isOneThing(value) && showsForm(value, place.key, said, true));
}

/** A bare value as the only required field, or the only field. */
function asOnlyField(value: JsonValue, variant: Variant, { run }: Want): Proposals {
  const { properties, required } = variant;
  const [name, ...others] = required.size > 0 ? required : properties.keys();
  const node = name === undefined ? undefined : properties.get(name);
  if (name === undefined || node === undefined || others.length > 0) return [];
  if (Array.isArray(value) && node.of("array").length === 0) return [];
  if (typeof value !== "string") return one({ [name]: value });
  const isString = run.bareText === "string";
  const text = isString ? value.trim() : unquoted(value);
  const isWhole = isWholeText(text, [...properties.keys(), run.toolName]);
  if (run.bareText === "none" || !isWhole) return [];
  const description = node.variants()[0]?.description ?? "";
  // If the field takes no free text, the schema shows what the text is.
  if (freeTexts(node).length === 0) return one({ [name]: text });
  const isMarked = isString || text !== value.trim();
  return showsForm(text, name, description, isMarked) ? one({ [name]: text }) : [];
}

const JSON_TYPE = /^(?:string|number|integer|boolean|object|array|null)$/i;

/**
 * The content of an envelope that the schema does not declare: `{"input": …}`, `{"<tool>": …}`,
 * `{"items": […]}`, a whole call of this tool, a field filled in as its own schema.
 */
function contentOf(object: JsonObject, want: Want): JsonValue | undefined {
  const entries = Object.entries(object) as [string, JsonValue][];
  const [first] = entries;
  if (first === undefined || entries.length > MAX_KEYS) return undefined;
  const declared = [...want.node.of("object"), ...elementsOf(want)];
  const isDeclared = (key: string) =>
    declared.some(
      ({ keyAt, properties }) =>
        keyAt(key) !== undefined || [...properties.keys()].map(foldName).includes(foldName(key)),
    );
  if (entries.length === 1) return isDeclared(first[0]) ? undefined : contentAt(first, want);
  const { type, value } = object;
  const isSchema = entries.length === 2 && typeof type === "string" && JSON_TYPE.test(type);
  if (isSchema && !isDeclared("type") && !isDeclared("value")) return value;
  return want.place.depth > 0 ? undefined : argumentsIn(entries, want, isDeclared);
}

const isPacked = (value: JsonValue) =>
  typeof value === "string" ? opensContainer(value) : isContainer(value);

/** The value at the only key, if that is an envelope's, the tool's or the field's own name. */
function contentAt([key, inner]: [string, JsonValue], want: Want): JsonValue | undefined {
  const { node, place, run } = want;
  const [folded, own] = [foldName(key), foldName(place.key)];
  const takesObject = node.of("object").length > 0;
  const isEnvelope =
    ENVELOPES.has(folded) || folded === foldName(run.toolName) || /^[\s_.:'"()[\]{}]*$/.test(key);
  const isList = node.of("array").length > 0 && LIST_KEYS.has(folded) && isPacked(inner);
  // `{ day: { days: 5 } }` may be another thing.
  const owns = isPacked(inner) ? [own, `${own}s`, own.replace(/s$/, "")] : [own];
  const isOwn = own !== "" && owns.includes(folded);
  const isContent = isPacked(inner) ? isOwn || (takesObject && isEnvelope) : isOwn && !takesObject;
  return isList || isContent ? inner : undefined;
}

/** The arguments in a whole call of this tool, if its other keys are those of a call. */
function argumentsIn(
  entries: readonly [string, JsonValue][],
  { run: { toolName } }: Want,
  isDeclared: (key: string) => boolean,
): JsonValue | undefined {
  const held = entries.find(
    ([key, value]) => ENVELOPES.has(foldName(key)) && isPacked(value) && !isDeclared(key),
  );
  const inner = held?.[1];
  const inside = isJsonObject(inner) ? Object.keys(inner) : [];
  const beside = entries.filter((entry) => entry !== held);
  const isOfCall = beside.every(
    ([key, value]) =>
      isOfThisCall(foldName(key), value, toolName) && (!isDeclared(key) || inside.includes(key)),
  );
  const keys = [...beside.map(([key]) => key), ...inside];
  return isOfCall && keys.some((key) => NAME_KEYS.has(foldName(key))) ? inner : undefined;
}

/** Whether a value beside the arguments is this tool's name, an id, or marks a call. */
function isOfThisCall(key: string, value: JsonValue, toolName: string): boolean {
  if (NAME_KEYS.has(key)) return typeof value === "string" && isToolName(value, toolName);
  const word = typeof value === "string" ? foldName(value) : "";
  return CALL_KEYS.has(key) && (key !== "type" || TAG_NAMES.has(word) || NAME_KEYS.has(word));
}
