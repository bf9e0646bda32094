import { atMost, eager, given, type HazardClass, refused } from "./hazard.ts";
import { closed, flag, list, open, text } from "./schemas.ts";

const mail = closed({ to: text, body: text, "cc?": list(text), "urgent?": flag });
const plan = closed({ steps: list(closed({ do: text, "undo?": text })) });
const nested = closed({ site: closed({ host: text }) });

export const cutOff: HazardClass = {
  name: "Text that was cut off",
  rule: "Half an input is rejected. Only closing braces after complete values are added, at `eager`, and never inside a list.",
  groups: [
    given("inside a value", mail, [
      refused('{"to":"Eva","body":"Hallo Ev'),
      refused('{"to":"Eva","body":"Hallo","urgent":tr'),
      refused('{"to":"Eva","body":"Hallo","cc":["Li'),
      refused('{"to":"Eva","body":'),
      refused("{'to':'Eva','body':'Hallo Ev"),
      refused('```json\n{"to":"Eva","body":"Hallo Ev'),
      refused('<tool_call>{"name":"run_step","arguments":{"to":"Eva","body":"Hallo Ev'),
      refused(JSON.stringify({ arguments: '{"to":"Eva","body":"Hallo Ev' })),
    ]),
    given("where more was about to come", mail, [
      refused('{"to":"Eva","body":"Hallo",'),
      refused('{"to":"Eva","body":"Hallo","'),
      refused('{"to":"Eva","body":"Hallo","cc'),
      refused('{"to":"Eva","body":"Hallo","cc"'),
      refused('{"to":"Eva","body":"Hallo","cc":'),
      refused('{"to":"Eva","body":"Hallo","cc":["Li"'),
      refused('{"to":"Eva","body":"Hallo","cc":["Li",'),
      refused('{"to":"Eva","body":"Hallo","cc":['),
    ]),
    given("in an open list", plan, [
      refused('{"steps":[{"do":"a"},{"do":"b"}'),
      refused('{"steps":[{"do":"a"}'),
      refused('{"steps":[{"do":"a"'),
      refused('{"steps":[{"do":"a"},'),
      refused('{"steps":['),
      refused('[{"steps":[{"do":"a"}]'),
    ]),
    given("something that is required is not there", mail, [
      refused('{"to":"Eva"'),
      refused('{"to":"Eva",'),
      refused("{"),
    ]),
    given("only the last brace is missing", mail, [
      eager('{"to":"Eva","body":"Hallo"', { to: "Eva", body: "Hallo" }),
      eager('{"to":"Eva","body":"Hallo","cc":["Li"]', { to: "Eva", body: "Hallo", cc: ["Li"] }),
    ]),
    given("two braces are missing", nested, [
      eager('{"site":{"host":"db1"}', { site: { host: "db1" } }),
      eager('{"site":{"host":"db1"', { site: { host: "db1" } }),
    ]),
    given("an open schema takes no more on trust", open({ to: text }), [
      refused('{"to":"Eva","bcc":["Li"'),
      refused('{"to":"Eva","bcc":"L'),
      refused('{"to":"Eva",'),
      atMost('{"to":"Eva"', { to: "Eva" }),
    ]),
  ],
};
