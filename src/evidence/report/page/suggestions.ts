import { printName } from "../../print-name.ts";
import type {
  FixerSuggestion,
  SchemaProposal,
  SuggestResult,
  ToolNameSuggestion,
} from "../../suggest/suggestion.ts";
import { showCount, showPercent } from "../format.ts";
import { html, type Markup } from "./html.ts";

const MOST = 40;

/** How much of a fixer's code is shown, in characters. */
const CODE = 400;

const VERDICTS = {
  write: "agrees with the corrections that are known",
  listed: "not enough speaks for it",
  review: "to be reviewed: no correction is known",
} as const;

/** A fixer for inputs, or for a tool's name. */
type AnySuggestion = Pick<
  FixerSuggestion,
  "verdict" | "why" | "runs" | "heldOut" | "heldOutRuns" | "lowerBound"
> & {
  readonly title: string;
  readonly code: readonly string[];
  readonly changed?: string;
};

/**
 * Draws which fixers a log speaks for, with how they did on the calls that were held out.
 *
 * @param result What was found.
 */
export function drawSuggestions(result: SuggestResult): Markup {
  const { suggestions, toolNames, schemaProposals, holdOut } = result;
  const order = { write: 0, review: 1, listed: 2 };
  const all = [...suggestions.map(ofInput), ...toolNames.map(ofName)].sort(
    (one, other) => order[one.verdict] - order[other.verdict],
  );
  return html`
<section aria-labelledby="suggestions">
<h2 id="suggestions">Suggestions</h2>
<p class="note">Found by example in one half of the runs (by ${holdOut.by}) and counted on the other. To agree is to agree with what took a refused call’s place, which nobody has said was right. <code>toolmend suggest --write</code> writes the first of them to a file.</p>
${all.length === 0 ? html`<p class="note">Nothing was found that enough speaks for.</p>` : undefined}
<ol class="refusals">${all.slice(0, MOST).map(drawSuggestion)}</ol>
${schemaProposals.length === 0 ? undefined : drawProposals(schemaProposals)}
</section>`;
}

function ofInput(one: FixerSuggestion): AnySuggestion {
  const changed = `${showCount(one.validChanged)} of ${showCount(one.valid)} valid calls changed`;
  return { ...one, title: one.tool, changed };
}

function ofName(one: ToolNameSuggestion): AnySuggestion {
  return { ...one, title: one.to, code: [one.code] };
}

function drawSuggestion(suggestion: AnySuggestion, index: number): Markup {
  const { title, code, verdict, why, runs, heldOut, heldOutRuns, lowerBound, changed } = suggestion;
  const known = heldOutRuns.agree + heldOutRuns.contradict;
  const text = code.map((one) => printName(one, CODE)).join("\n");
  const id = `suggestion-${index + 1}`;
  return html`<li data-find="${printName(title)} ${text}">
<p class="what"><b>${printName(title)}</b> <span class="soft small">${VERDICTS[verdict]}</span></p>
<pre class="code" id="${id}">${text}</pre>
<p class="small facts"><button type="button" class="copy" data-of="${id}" aria-label="Copy the fixers for ${printName(title)}" hidden>Copy</button>Found in ${showCount(runs)} runs. Held out: ${showCount(heldOut.agree)} calls agree, ${showCount(heldOut.contradict)} contradict, ${showCount(heldOut.unlabelled)} unknown${
    known === 0 ? "" : `; at least ${showPercent(lowerBound)} agree (95%)`
  }${changed === undefined ? "" : `; ${changed}`}.${why === undefined ? "" : ` ${capital(printName(why, 200))}.`}</p></li>`;
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

function drawProposals(proposals: readonly SchemaProposal[]): Markup {
  return html`<h3>What schemas could say</h3>
<p class="note">Tested for acceptance only: nobody knows what a model writes by another schema.</p>
<ul class="small">${proposals
    .slice(0, MOST)
    .map(
      ({ tool, path, proposal, runs, accepted }) =>
        html`<li data-find="${printName(tool)} ${printName(path)}"><b>${printName(tool)}</b> <code>${printName(path)}</code>: ${printName(proposal, 200)} <span class="soft">(${showCount(runs)} runs${
          accepted === undefined
            ? ""
            : `; accepts ${showCount(accepted.inputs)} of ${showCount(accepted.of)} refused inputs`
        })</span></li>`,
    )}</ul>`;
}
