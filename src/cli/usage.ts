/** What each command is, and how it is called: the help. */
export const USAGE: Readonly<Record<string, string>> = {
  patch: `  toolmend patch [package…]            apply the source patches that fit the installed versions
    --check                            change nothing; exit 1 when one is not applied, or does not fit
    --reverse                          take them back
    --list                             what is installed, what there are patches for, what is applied
    --print                            the patch of one package as pnpm and yarn take it
    --partial                          leave out versions that there is no patch for, also with --check: else exit 1
    --force                            write also where other projects may use the same files
    --json                             with --check or --list: as JSON`,
  doctor: `  toolmend doctor [--json]             what is installed, and what is wrong with it; exit 1 on a problem`,
  repair: `  toolmend repair --schema FILE        repair the tool input on stdin by a JSON Schema; exit 2 when refused
    --level strict|safe|eager          how far to go (safe)
    --undeclared repair|refuse|leave   what becomes of keys that the schema does not declare (repair)
    --name NAME                        the tool's name, for the messages (tool)
    --explain                          say step by step why it is repaired or refused
    --json                             the whole result as JSON: the input with its repairs, or why it was refused`,
  record: `  toolmend record --from langsmith|otel FILE…   make a log of what others have recorded: exported runs; OTLP, Tempo, Phoenix
    --out FILE                         where to (the standard output)
    --schemas DIR                      the schemas of tools: TOOL.json; they come before those in the trace
    --level strict|safe|eager          how far repairs go (safe)
    --content none|keys|full           how much of what models wrote is in it (none)
    --valid count|each                 whether valid calls are counted by the minute, or written each (count)
    --redact FILE                      with content full: a module that exports redact(value, path), as for jsonlSink`,
  report: `  toolmend report LOG…                 what logs say (files, folders, - for the standard input; .gz)
    --out FILE                         as a page of HTML that needs nothing else
    --since 7d|2026-11-01              only from then on; what is before is compared with
    --by tool|model                    what the rows are (tool)
    --json                             as JSON`,
  suggest: `  toolmend suggest LOG…                which fixers a log shows; exit 2 when it holds no inputs
    --min-runs N                       in how many conversations a correction must be seen (3)
    --write FILE                       write those that structure proves, and the others as comments: fixers.suggested.ts
    --json                             as JSON, without values of the log`,
  replay: `  toolmend replay LOG…                 which calls of a log would be lost, changed or wrong; exit 1 when too many
    --fixers FILE                      with these fixers: a module that exports a registry as fixers, or default
    --schemas DIR                      with these schemas: TOOL.json
    --level strict|safe|eager          at this level (as each call was logged)
    --baseline FILE                    compared with what came out at the last --update, not with the log
    --update                           write what comes out now to the baseline (toolmend.baseline.json)
    --max-lost N, --max-changed N      how many calls may be lost, or changed (0)
    --max-contradicted N               how many may come out other than what corrected them (0)
    --json                             as JSON`,
  schemas: `  toolmend schemas MODULE --out DIR    write the JSON Schemas of the tools that a module exports: TOOL.json, for replay`,
};
