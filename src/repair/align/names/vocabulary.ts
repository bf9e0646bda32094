import { remembered, wordsOf } from "./fold-name.ts";

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** Words that many fields have in their names: that two names share one says nothing. */
const GENERIC = setOf(
  "id name type value key data number num no date time text list array string str info information item object obj input output param parameter arg argument field code content status state kind mode option result count total amount size index title label description note comment detail thing entry record property attribute setting config configuration format version level flag the a an of my this that it",
);

/** What a word is short for; only what is short for nothing else. */
const SHORT_FOR: ReadonlyMap<string, string> = new Map(
  "cmd=command msg=message txt=text pwd=password passwd=password qty=quantity src=source dst=destination dest=destination img=image dir=directory addr=address desc=description lang=language loc=location repo=repository env=environment cfg=configuration config=configuration params=parameter param=parameter args=argument num=number doc=document attr=attribute pkg=package db=database func=function fn=function expr=expression val=value idx=index qry=query q=query btn=button elem=element el=element ctx=context tel=telephone dept=department"
    .split(" ")
    .map((pair) => pair.split("=") as [string, string]),
);

/** Words by which a thing is pointed to or written down, where they end a name. */
const REFERENCE = setOf(
  "id path url uri link href name address selector locator identifier reference xpath handle query expression",
);

/** Units, and what quantities are measured in or written as. */
const UNITS = setOf(
  "ns us ms sec second minute min hour hr day week wk month quarter year yr decade epoch unix iso utc gmt mm cm km inch ft foot feet yard mile px pt em rem mg kg gram kilogram ton tonne lb lbs pound oz ounce ml dl cl liter litre gallon pint cup celsius fahrenheit kelvin deg degree rad radian bit byte kb mb gb tb kib mib gib kilobit megabit gigabit kilobyte megabyte gigabyte hz khz mhz ghz bps kbps mbps rpm fps mph kmh kph kw kwh wh volt amp watt joule cal kcal calorie pct percent percentage ratio fraction basis bp bps usd eur gbp jpy chf cny inr cent dollar euro yen pence penny meter metre kilometer kilometre centimeter millimeter millisecond microsecond nanosecond rupee peso franc dozen",
);

/** A word without its plural, and in full. */
export function stemOf(word: string): string {
  return remembered(stems, word, makeStem);
}

const stems = new Map<string, string>();

function makeStem(word: string): string {
  const full = SHORT_FOR.get(word);
  if (full !== undefined) return full;
  return inOneSpelling(withoutPlural(word));
}

/** The American spelling of a word that has another one: `colour`, `organisation`, `centre`. */
function inOneSpelling(word: string): string {
  if (word.length < 5) return word;
  return word
    .replace(/our(?=$|ed$|ite$|ing$)/, "or")
    .replace(/([a-z]{3}[lmnrdt])is(e|ed|er|ing|ation)$/, "$1iz$2")
    .replace(/lys(e|ed|er|ing)$/, "lyz$1")
    .replace(/([a-z][bt])re$/, "$1er")
    .replace(/^(lic|def|off)ence$/, "$1ense")
    .replace(/logue$/, "log")
    .replace(/^(cance|trave|labe|mode)ll(ed|ing|er)$/, "$1l$2");
}

/** Whether two words are one in two spellings. */
export function areOneWord(one: string, other: string): boolean {
  return one !== other && inOneSpelling(one) === inOneSpelling(other);
}

function withoutPlural(word: string): string {
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  // `boxes` and `statuses`, but `cases`, `sizes` and `caches`.
  if (/(?:ss|sh|ch|x|zz|tz|[^ao]us|[ai]as|lens|gas)es$/.test(word) && !/^n?ca?ches$/.test(word)) {
    return word.slice(0, -2);
  }
  return word.length > 3 && /[^sui]s$/.test(word) ? word.slice(0, -1) : word;
}

/** The words of a name by which it is compared, each once. */
export function stemsOf(name: string): readonly string[] {
  return [...new Set(wordsOf(name).map(stemOf))];
}

/** Whether a word says nothing of what a field is about. */
export function isGenericWord(stem: string): boolean {
  return GENERIC.has(stem) || stem.length === 1;
}

/** Whether a name could be that of a field of anything. */
export function isGeneric(name: string): boolean {
  return stemsOf(name).every(isGenericWord);
}

/** Whether a field holds what points to a thing, not something of the thing: a path, an id. */
export function isReference(name: string): boolean {
  return REFERENCE.has(stemOf(wordsOf(name).at(-1) ?? ""));
}

/** Whether a word is a unit, or what a quantity is written as. */
export function isUnit(word: string): boolean {
  return UNITS.has(word) || UNITS.has(stemOf(word));
}
