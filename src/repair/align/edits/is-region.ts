/** Parts of countries by which a town is told from others of its name. */
const STATES =
  "alabama alaska arizona arkansas california colorado connecticut delaware florida georgia hawaii idaho illinois indiana iowa kansas kentucky louisiana maine maryland massachusetts michigan minnesota mississippi missouri montana nebraska nevada new-hampshire new-jersey new-mexico new-york north-carolina north-dakota ohio oklahoma oregon pennsylvania rhode-island south-carolina south-dakota tennessee texas utah vermont virginia washington west-virginia wisconsin wyoming ontario quebec alberta manitoba england scotland wales queensland victoria bavaria hesse saxony tuscany catalonia";

const LANGUAGES = ["en", "de", "fr", "es", "it"];

let known: ReadonlySet<string> | undefined;

/** Checks whether a text is the name of a country or state: `Paris, France` is one place. */
export function isRegion(text: string): boolean {
  known ??= new Set([...STATES.split(" "), ...countries()]);
  return known.has(text.toLowerCase().replace(/\s+/g, "-"));
}

/** The names of all countries, as the platform has them. */
function countries(): string[] {
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const codes = letters.flatMap((one) => letters.map((other) => one + other));
  return LANGUAGES.flatMap((language) => {
    const names = new Intl.DisplayNames([language], { type: "region", fallback: "none" });
    return codes.flatMap((code) => names.of(code)?.toLowerCase().replace(/\s+/g, "-") ?? []);
  });
}
