import { atMost, given, type HazardClass, refused, right } from "./hazard.ts";
import { closed, flag, list, number, text, whole } from "./schemas.ts";

const trip = closed({ from: text, to: text, "seats?": whole });
const value = { from: "Ulm", to: "Bonn" };
const note = closed({ note: text, "tags?": list(text) });
const event = closed({ at: text });

export const plainJson: HazardClass = {
  name: "Plain faults of JSON",
  rule: "A syntax error with one reading is repaired.",
  groups: [
    given("quotes, commas and colons", trip, [
      right('{"from":"Ulm","to":"Bonn",}', value),
      right("{'from':'Ulm','to':'Bonn'}", value),
      right('{from:"Ulm",to:"Bonn"}', value),
      right('{"from":"Ulm" "to":"Bonn"}', value),
      right('{"from":"Ulm"\n"to":"Bonn"}', value),
      atMost('{"from" "Ulm","to":"Bonn"}', value),
      right("{“from”:“Ulm”,“to”:“Bonn”}", value),
      atMost('{"from":"Ulm",,"to":"Bonn"}', value),
      right('{"from":Ulm,"to":Bonn}', value),
      right('{"from":"Ulm","to":"Bonn"}}', value),
      right("{'from':'Ulm','to':'Bonn','seats':2}", { ...value, seats: 2 }),
      right('{"from":"Ulm","to":"Bonn","seats":2.}', { ...value, seats: 2 }),
      right('{"from":"Ulm","to":"Bonn","seats":None}', value),
      right('\ufeff{"from":"Ulm","to":"Bonn"}', value),
      atMost('"from":"Ulm","to":"Bonn"', value),
      atMost('{"from":"Ulm""to":"Bonn"}', value),
      atMost('{"from":"Ulm"}, "to":"Bonn"}', value),
      right('{\\n"from":"Ulm",\\n"to":"Bonn"\\n}', value),
    ]),
    given("comments that say nothing, wherever they are", trip, [
      right('{"from":"Ulm","to":"Bonn"} // ---', value),
      right('{// ----\n"from":"Ulm","to":"Bonn"}', value),
      right('{"from":"Ulm", #\n"to":"Bonn"}', value),
      right('{"from":"Ulm",/**/"to":"Bonn"}', value),
      right('{"from":"Ulm","to":"Bonn"/* === */}', value),
    ]),
    given("a comment that says something may bind what it stands beside", trip, [
      refused('{"from":"Ulm","to":"Bonn"} // by train'),
      refused('{// by train\n"from":"Ulm","to":"Bonn"}'),
      refused('{"from":"Ulm", # start\n"to":"Bonn"}'),
      refused('{"from":"Ulm",/* then */"to":"Bonn"}'),
      refused('{"from":"Ulm","to":"Bonn"/* 结束 */}'),
      refused('{"from":"Ulm","to":"Bonn","seats":5 /* 10 */}'),
    ]),
    given("a whole input in text, in a list, encoded twice", trip, [
      right(JSON.stringify(JSON.stringify(value)), value),
      right(JSON.stringify([value]), value),
      right(JSON.stringify({ input: value }), value),
      right(JSON.stringify({ arguments: JSON.stringify(value) }), value),
      right(`<tool_call>\n${JSON.stringify(value)}\n</tool_call>`, value),
      right(`\`\`\`json\n${JSON.stringify(value)}\n\`\`\``, value),
      right("```\n{'from':'Ulm','to':'Bonn'}\n```", value),
    ]),
    given("lone quotes within a text", note, [
      atMost('{"note":"He said "stop" twice"}', { note: 'He said "stop" twice' }),
      atMost("{'note':'It's late'}", { note: "It's late" }),
      right('{"note":"line one\nline two"}', { note: "line one\nline two" }),
      right('{"note":"tab\there"}', { note: "tab\there" }),
      right('{"note":"a","tags":["rot", grün]}', { note: "a", tags: ["rot", "grün"] }),
      right('{"note":"a","tags":["rot" "grün"]}', { note: "a", tags: ["rot", "grün"] }),
      right('{"note":"a","tags":["rot"、"grün"]}', { note: "a", tags: ["rot", "grün"] }),
      right('{"note":"a","tags":[rot, grün]}', { note: "a", tags: ["rot", "grün"] }),
      right('{"note":"a","tags":["rot","grün",]}', { note: "a", tags: ["rot", "grün"] }),
    ]),
    given("bare values", event, [
      atMost('{"at":2026-10-18T18:35:22Z}', { at: "2026-10-18T18:35:22Z" }),
      right('{"at":2026-10-18}', { at: "2026-10-18" }),
      atMost('{"at":10:30}', { at: "10:30" }),
      right('{"at":57eeeeb1-450b-482c-81b9-4be77e95dee2}', {
        at: "57eeeeb1-450b-482c-81b9-4be77e95dee2",
      }),
      right('{"at":/etc/hosts}', { at: "/etc/hosts" }),
      right('{"at":https://example.org/a}', { at: "https://example.org/a" }),
      right('{"at":Monday}', { at: "Monday" }),
      refused('{"at":next Monday!}'),
    ]),
    given("literals of Python and JavaScript", closed({ lit: flag, "dim?": number }), [
      right('{"lit":True}', { lit: true }),
      right("{'lit': False, 'dim': None}", { lit: false }),
      right('{"lit":true,"dim":undefined}', { lit: true }),
      right("{lit: true, dim: .5}", { lit: true, dim: 0.5 }),
    ]),
  ],
};
