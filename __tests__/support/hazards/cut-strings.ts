import { atMost, given, type HazardClass, refused, right } from "./hazard.ts";
import { closed, flag, list, open, text } from "./schemas.ts";

export const cutStrings: HazardClass = {
  name: "Cut strings",
  rule: "A quote inside a text does not end it while the rest still belongs to it.",
  groups: [
    given("a bracket in quotes within a text", closed({ body: text, "urgent?": flag }), [
      atMost('{"body":"wrap it in {"} and send","urgent":true}', {
        body: 'wrap it in {"} and send',
        urgent: true,
      }),
      atMost('{"body":"close with "} please"}', { body: 'close with "} please' }),
      atMost('{"body":"the set {1, 2"} more"}', { body: 'the set {1, 2"} more' }),
      atMost('{"body":"Patient said "} stop" twice"}', { body: 'Patient said "} stop" twice' }),
      atMost('{"body":"siehe "} oben","urgent":false}', {
        body: 'siehe "} oben',
        urgent: false,
      }),
    ]),
    given("the key after a cut is not lost", open({ script: text, "host?": text }), [
      atMost('{"script":"echo "}" done","host":"web1"}', {
        script: 'echo "}" done',
        host: "web1",
      }),
      atMost('{"script":"x"} more", "host":"web1"}', { script: 'x"} more', host: "web1" }),
      atMost('{"script":"a "]" b","host":"web1"}', { script: 'a "]" b', host: "web1" }),
    ]),
    given("a command of a list stays one command", closed({ commands: list(text) }), [
      atMost('{"commands":["printf("}")"]}', { commands: ['printf("}")'] }),
      atMost('{"commands":["printf("}")","ls"]}', { commands: ['printf("}")', "ls"] }),
      atMost('{"commands":["echo "}"","ls"]}', { commands: ['echo "}"', "ls"] }),
      atMost('{"commands":["awk "{print}" f"]}', { commands: ['awk "{print}" f'] }),
      atMost('{"commands":["grep "]" log","ls"]}', { commands: ['grep "]" log', "ls"] }),
    ]),
    given("line breaks after a colon are line breaks", closed({ chat: text }), [
      right(String.raw`{"chat": "Q:\nWie geht es dir?\nA:\nGanz gut",}`, {
        chat: "Q:\nWie geht es dir?\nA:\nGanz gut",
      }),
      right(String.raw`{'chat': 'A:\nSalut toi\nB:\nBonjour'}`, {
        chat: "A:\nSalut toi\nB:\nBonjour",
      }),
      right(String.raw`{chat: "X:\nSeite eins\nY:\nSeite zwei"}`, {
        chat: "X:\nSeite eins\nY:\nSeite zwei",
      }),
      right(String.raw`{"chat": "Options:\nA:\nRoast beef\nB:\nNut roast",}`, {
        chat: "Options:\nA:\nRoast beef\nB:\nNut roast",
      }),
    ]),
    given("a backslash that escapes nothing is kept", closed({ path: text }), [
      right(String.raw`{"path":"D:\Daten\Kunden"}`, { path: String.raw`D:\Daten\Kunden` }),
      atMost(String.raw`{"path":"\\server\Daten\Kunden"}`.replace("\\\\", "\\\\\\\\"), {
        path: String.raw`\\server\Daten\Kunden`,
      }),
      right(String.raw`{"path":"^\d+\.\w$"}`, { path: String.raw`^\d+\.\w$` }),
      right(String.raw`{"path":"C:\users\new"}`, { path: String.raw`C:\users\new` }),
      atMost(String.raw`{"path":"D:\temp\x\report"}`, { path: String.raw`D:\temp\x\report` }),
      atMost(String.raw`{"path":"caf\u00g9"}`, { path: String.raw`caf\u00g9` }),
    ]),
    given("a text that is left open is not closed for the model", closed({ note: text }), [
      refused('{"note":"give 5 mg at}'),
      refused('{"note":"give 5 mg at'),
      refused('{"note":"give 5 mg at\\'),
      refused('{"note":"give 5 mg at\\"}'),
    ]),
  ],
};
