import { wordsOf } from "./fold-name.ts";

/** How words begin by which somebody agrees to something, or lets it be done. */
const CONSENT =
  /^(?:confirm|consent|accept|agree|approv|acknowledg|ack$|understand|understood|authori[sz]|permi(?:t|ss)|allow|grant|verif|certif|attest|affirm|ratif|sign$|signed|waive|overrid|force|really|sure$|ok$|okay$|yes$|proceed|commit$|irrevers|terms$|disclaim|liab|opt$|optin|bestaetig|bestätig|zustimm|einwillig|einverst|akzept|genehmig|freigab|erlaub|confirmer|confirmaci|confirmac|acuerd|acept|autoriz|autoris|consentim|accord$|conferm|accett|bevestig|godkän|bekræft)/u;

/** Whether a name is one at which somebody agrees to something: that is never for others to write. */
export function givesConsent(name: string): boolean {
  return wordsOf(name).some((word) => CONSENT.test(word));
}
