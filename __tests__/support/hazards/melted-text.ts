import { atMost, given, type HazardClass } from "./hazard.ts";
import { closed, flag, list, number, text, whole } from "./schemas.ts";

const tracks = closed({ tracks: list(text) });
const both = { tracks: ["Adagio", "Presto"] };
const site = closed({ icd: text, "site?": text });
const car = closed({ kind: text, "colour?": text });

export const meltedText: HazardClass = {
  name: "Melted text",
  rule: "Two elements of a list, or a value and the next key, never become one string.",
  groups: [
    given("what stands between two strings is no part of a string", tracks, [
      atMost('{"tracks":["Adagio"~"Presto"]}', both),
      atMost('{"tracks":["Adagio"!"Presto"]}', both),
      atMost('{"tracks":["Adagio"?"Presto"]}', both),
      atMost('{"tracks":["Adagio"^"Presto"]}', both),
      atMost('{"tracks":["Adagio"%"Presto"]}', both),
      atMost('{"tracks":["Adagio"::"Presto"]}', both),
      atMost('{"tracks":["Adagio"->"Presto"]}', both),
      atMost('{"tracks":["Adagio" or "Presto"]}', both),
      atMost('{"tracks":["Adagio" y "Presto"]}', both),
      atMost('{"tracks":["Adagio"和"Presto"]}', both),
      atMost('{"tracks":["Adagio"•"Presto"]}', both),
      atMost('{"tracks":["Adagio"—"Presto"]}', both),
      atMost('{"tracks":["Adagio"<br>"Presto"]}', both),
      atMost('{"tracks":["Adagio",,"Presto"]}', both),
      atMost('{"tracks":["Adagio", ,"Presto"]}', both),
      atMost('{"tracks":["Adagio",,,"Presto"]}', both),
      atMost('{"tracks":["Adagio".,"Presto"]}', both),
      atMost('{"tracks":["Adagio"/"Presto"]}', both),
      atMost('{"tracks":["Adagio"-"Presto"]}', both),
      atMost('{"tracks":["Adagio"|"Presto"]}', both),
      atMost('{"tracks":["Adagio"&"Presto"]}', both),
      atMost('{"tracks":["Adagio";"Presto"]}', both),
      atMost('{"tracks":["Adagio"and"Presto"]}', both),
      atMost('{"tracks":["Adagio" und "Presto"]}', both),
      atMost('{"tracks":["Adagio"、"Presto"]}', both),
      atMost('{"tracks":["Adagio"，"Presto"]}', both),
      atMost('{"tracks":["Adagio"=>"Presto"]}', both),
      atMost('{"tracks":["Adagio"\u00b7"Presto"]}', both),
      atMost("{'tracks':['Adagio',,'Presto']}", both),
    ]),
    given("a literal with a prefix is an element of its own", tracks, [
      atMost('{"tracks":["Adagio", r"Presto"]}', both),
      atMost('{"tracks":["Adagio", b"Presto"]}', both),
      atMost('{"tracks":["Adagio", @"Presto"]}', both),
      atMost('{"tracks":["Adagio", $"Presto"]}', both),
      atMost('{"tracks":["Adagio", +"Presto"]}', both),
      atMost('{"tracks":["Adagio", name="Presto"]}', both),
      atMost('{"tracks":["Adagio", Path("mid", "Presto")]}'),
      atMost('{"tracks":["Adagio", t("Presto")]}'),
      atMost('{"tracks":["Adagio", title.get("Presto")]}'),
    ]),
    given(
      "addresses stay apart, whatever slipped in between",
      closed({ to: list(text), subject: text }),
      [
        atMost('{"to":["eva@uni.example",,"li@uni.example"],"subject":"Hallo"}', {
          to: ["eva@uni.example", "li@uni.example"],
          subject: "Hallo",
        }),
        atMost('{"to":["eva@uni.example".,"li@uni.example"],"subject":"Hallo"}', {
          to: ["eva@uni.example", "li@uni.example"],
          subject: "Hallo",
        }),
      ],
    ),
    given("a value does not swallow the next key", site, [
      atMost('{"icd":"J45"{,"site":"lung"}', { icd: "J45", site: "lung" }),
      atMost('{"icd":"J45"[,"site":"lung"}', { icd: "J45", site: "lung" }),
      atMost('{"icd":"J45"|"site":"lung"}', { icd: "J45", site: "lung" }),
      atMost('{"icd":"J45"."site":"lung"}', { icd: "J45", site: "lung" }),
      atMost('{"icd":"J45" and "site":"lung"}', { icd: "J45", site: "lung" }),
      atMost('{"icd":"J45"-,"site":"lung"}', { icd: "J45", site: "lung" }),
    ]),
    given("a comma and a quote that were lost are no part of the value", car, [
      atMost('{"kind":"sedan"colour":"blue"}', { kind: "sedan", colour: "blue" }),
      atMost('{kind:"sedan"colour:"blue"}', { kind: "sedan", colour: "blue" }),
      atMost('{"kind":"sedan"colour:"blue"}', { kind: "sedan", colour: "blue" }),
    ]),
    given(
      "a quote too many after digits is no inch mark in an id",
      closed({ account: text, amount: number }),
      [
        atMost('{"account":"0815"","amount":7}', { account: "0815", amount: 7 }),
        atMost('{"account":"DE02 1203"","amount":7}', { account: "DE02 1203", amount: 7 }),
        atMost('{"account":"4711-3"","amount":7}', { account: "4711-3", amount: 7 }),
      ],
    ),
    given("a quote too many after a room's number", closed({ room: text, guest: text }), [
      atMost('{"room":"214"","guest":"Li Wei"}', { room: "214", guest: "Li Wei" }),
      atMost('{"room":"B12"","guest":"Li Wei"}', { room: "B12", guest: "Li Wei" }),
    ]),
    given("an address and a port stay two", closed({ ip: text, "port?": text }), [
      atMost('{"ip":"10.0.0.1":"port":"80"}', { ip: "10.0.0.1", port: "80" }),
      atMost('{"ip":"10.0.0.1"}"port":"80"}', { ip: "10.0.0.1", port: "80" }),
      atMost('{"ip":"10.0.0.1",port":"80"}', { ip: "10.0.0.1", port: "80" }),
      atMost('{"ip":"10.0.0.1,"port":"80"}', { ip: "10.0.0.1", port: "80" }),
      atMost('{"ip":"10.0.0.1","port":"80""}', { ip: "10.0.0.1", port: "80" }),
      atMost('{"ip":"10.0.0.1""}', { ip: "10.0.0.1" }),
    ]),
    given("keys and flags behind a spoilt separator", closed({ unit: text, armed: flag }), [
      atMost('{"unit":"hall"~"armed":true}', { unit: "hall", armed: true }),
      atMost('{"unit":"hall"\\,"armed":true}', { unit: "hall", armed: true }),
    ]),
    given("a doubled comma between keys is one comma", closed({ dose: whole, drug: text }), [
      atMost('{"drug":"heparin",,"dose":5}', { drug: "heparin", dose: 5 }),
      atMost('{"drug":"heparin";;"dose":5}', { drug: "heparin", dose: 5 }),
    ]),
  ],
};
