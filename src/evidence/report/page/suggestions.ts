import { printName } from "../../print-name.ts";
import type { ShownSuggestions, Suggestion } from "../../suggest/suggestion.ts";
import { evidenceOf } from "../../suggest/write-fixers.ts";
import { html, type Markup } from "./html.ts";

const MOST = 40;

const VERDICTS = {
  write: "proven by structure, and corrections agree",
  listed: "not proven: for you to decide",
  review: "no correction is known: for you to decide",
} as const;

/**
 * Draws which fixers a log shows. No value of the log is in it.
 *
 * @param result What was found.
 */
export function drawSuggestions({ suggestions }: ShownSuggestions): Markup {
  const rest = suggestions.length - MOST;
  return html`
<section aria-labelledby="suggestions">
<h2 id="suggestions">Suggestions</h2>
<p class="note">Read off refused calls and their corrections, which nobody has said are right. <code>toolmend suggest --write</code> writes those that structure proves to a file, and shows the values that are left out here.</p>
${suggestions.length === 0 ? html`<p class="note">Nothing was found in enough conversations.</p>` : undefined}
<ol class="refusals">${suggestions.slice(0, MOST).map(drawOne)}</ol>
${rest > 0 ? html`<p class="note">${rest} more; --json has all.</p>` : undefined}
</section>`;
}

function drawOne(one: Omit<Suggestion, "call">): Markup {
  const { tool, code, verdict, why } = one;
  const text = printName(code, 400);
  return html`<li data-find="${printName(tool)} ${text}">
<p class="what"><b>${printName(tool)}</b> <span class="soft small">${VERDICTS[verdict]}</span></p>
<pre class="code">${text}</pre>
<p class="small facts">${evidenceOf(one)}.${why === undefined || verdict === "review" ? "" : ` Not written: ${printName(why, 200)}.`}</p></li>`;
}
