import { wordsOf } from "../names.ts";

/**
 * Checks whether a text stands where a value should, without being one: "unknown", "TODO",
 * "your query here", "not specified", a bare type.
 *
 * @param text The text, without white space around it.
 * @param field The field's name.
 */
export function namesNoValue(text: string, field: string): boolean {
  if (text.length > 100) return false;
  const bare = text.toLowerCase().replace(/^[\s([<{"'`*$%]+|[\s)\]>}"'`*%.!]+$/g, "");
  if (NO_VALUE.test(bare) || FOREIGN.test(bare) || isSlot(text)) return true;
  const words = wordsOf(bare);
  const ofField = new Set([...wordsOf(field), "the", "value", "your", "a", "an", "here", "my"]);
  const isAsked = /^(?:your|insert|enter|put|the|some|any)$/.test(words[0] ?? "");
  return isAsked && (words.at(-1) === "here" || words.slice(1).every((word) => ofField.has(word)));
}

const NO_VALUE =
  /^(?:n\/?a|none(?: (?:needed|required|given|provided|specified))?|null|nil|undefined|unknown|unspecified|todo|tbd|tba|fixme|placeholder|empty|blank|nothing|string|str|integer|boolean|not (?:specified|provided|given|available|applicable|known|found|needed|required|sure|set|defined)|no (?:value|input|query|arguments?|parameters?|params|data|answer|idea|action|selector)(?: (?:is |are )?(?:needed|required|given|provided|specified|available))?|null value|empty string|\?+|-+|\.{3,}|…)$/;

/** The same in other languages. */
const FOREIGN =
  /^(?:n\.a|nan|k\.\s?a|keine?(?: (?:angabe|angaben|ahnung|daten))?|unbekannt|nichts|leer|nicht (?:angegeben|bekannt|verfügbar|vorhanden)|inconnue?|aucune?|rien|vide|non (?:spécifié|précisé|disponible)|desconocid[oa]|ningun[oa]|nada|vac[ií]o|sin (?:datos|especificar)|no (?:especificado|disponible)|desconhecid[oa]|nenhum|sconosciut[oa]|nessun[oa]?|onbekend|geen|okänd|ukjent|ukendt|nieznan[ey]|brak|неизвестно|нет данных|пусто|不明|未知|未指定|无|無|なし|なにもない|없음|알 수 없음)$/iu;

/** What a template fills in: `${query}`, `{{query}}`, `%s`, `YOUR_QUERY`. */
function isSlot(text: string): boolean {
  return /^(?:\$\{\s?\w{1,60}\s?\}|\{\{[^{}\n]{1,60}\}\}|%[sd]|%\(\w{1,60}\)s|(?:YOUR|INSERT|ENTER|PUT)_[A-Z_\d]{1,60})$/.test(
    text,
  );
}
