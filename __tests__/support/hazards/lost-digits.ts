import { atMost, given, type HazardClass, refused, right } from "./hazard.ts";
import { choice, closed, list, number, text, whole } from "./schemas.ts";

const LONG = "90071992547409931";
const parcel = closed({ parcel: whole });
const version = closed({ version: text });

export const lostDigits: HazardClass = {
  name: "Lost digits and spelling",
  rule: "No digit is lost: a number that a double cannot hold is rejected, and text keeps its spelling.",
  groups: [
    given("a whole number with more digits than a double holds", parcel, [
      refused(`{"parcel":${LONG}}`),
      refused(`{'parcel': ${LONG}}`),
      refused(`{"parcel":"${LONG}"}`),
      refused({ parcel: LONG }),
      refused(`{parcel: -${LONG}}`),
      refused(JSON.stringify(`{"parcel":${LONG}}`)),
      refused(JSON.stringify({ arguments: `{"parcel":${LONG}}` })),
      refused(JSON.stringify({ name: "run_step", arguments: `{"parcel": ${LONG}}` })),
      refused(`{"input":{"parcel":${LONG}}}`),
      refused(`{"input":{"parcel":${LONG},}}`),
      refused(`\`\`\`json\n{"parcel":${LONG}}\n\`\`\``),
      refused(`<tool_call>{"name":"run_step","arguments":{"parcel":${LONG}}}</tool_call>`),
      refused(`[{"parcel":${LONG}}]`),
      refused(`{"parcel":[${LONG}]}`),
      refused(`run_step(parcel=${LONG})`),
      refused(LONG),
      refused(`{"Parcel":${LONG}}`),
    ]),
    given("one such number in a list", closed({ orders: list(whole) }), [
      refused(`{"orders":"[${LONG}, 5]"}`),
      refused({ orders: `[${LONG}, 5]` }),
      refused(`{"orders":["${LONG}"]}`),
      refused(`{"orders":${LONG}}`),
      refused(`{"orders":"${LONG},5"}`),
      refused(`{"orders":[5, ${LONG},]}`),
    ]),
    given("no rounding, no overflow, no underflow", closed({ rate: number }), [
      refused('{"rate":"0.12345678901234567891"}'),
      refused('{"rate":"1e400"}'),
      refused('{"rate":"1e-400"}'),
      refused("{'rate': 1e400}"),
      right('{"rate":"48.20"}', { rate: 48.2 }),
      right('{"rate":"-0.5"}', { rate: -0.5 }),
    ]),
    given("an id that only looks like a number", closed({ account: whole }), [
      refused('{"account":"1e5"}'),
      refused('{"account":"8e10"}'),
      refused('{"account":"00815"}'),
      refused('{"account":"12 items"}'),
      refused('{"account":"4711-3"}'),
      refused('{"account":"1,5"}'),
      refused({ account: 3.7 }),
      refused({ account: true }),
    ]),
    given("a version is no decimal", version, [
      right('{"version": 2.10}', { version: "2.10" }),
      right("{'version': 2.10}", { version: "2.10" }),
      right('{"version": 7.0}', { version: "7.0" }),
      right("{version: 1.20,}", { version: "1.20" }),
      right('```json\n{"version": 2.10}\n```', { version: "2.10" }),
      right(JSON.stringify('{"version": 2.10}'), { version: "2.10" }),
      right(JSON.stringify({ arguments: '{"version": 2.10}' }), { version: "2.10" }),
      right('{"Version": 2.10}', { version: "2.10" }),
      right('{"input":{"version": 2.10}}', { version: "2.10" }),
      atMost('{"version": 0.1234567890123456789}', { version: "0.1234567890123456789" }),
      atMost('{"version": 7e10}', { version: "7e10" }),
      atMost('{"version": 0e55021}', { version: "0e55021" }),
      atMost("{version: 0x00FF7F}", { version: "0x00FF7F" }),
      atMost("{version: +4989123}", { version: "+4989123" }),
      atMost("{version: 1_000}", { version: "1_000" }),
      atMost(`{"version": ${LONG}}`, { version: LONG }),
    ]),
    given("leading zeros are part of a postcode", closed({ postcode: text }), [
      atMost('{"postcode": 04109}', { postcode: "04109" }),
      atMost("{postcode: 00100}", { postcode: "00100" }),
    ]),
    given("each of a list is spelled as it was", closed({ versions: list(text) }), [
      right('{"versions":[3.10, 3.9]}', { versions: ["3.10", "3.9"] }),
      atMost('{"versions": 3.10}', { versions: ["3.10"] }),
      atMost('{"versions":[1.0, 1.00]}', { versions: ["1.0", "1.00"] }),
    ]),
    given(
      "one of several choices is meant by its spelling",
      closed({ release: choice("2.1", "2.10", "3.0") }),
      [
        right('{"release": 2.10}', { release: "2.10" }),
        right('{"release": 2.1}', { release: "2.1" }),
        right('{"release": 3.0}', { release: "3.0" }),
        right("{'release': 2.10}", { release: "2.10" }),
        refused('{"release": 2.100}'),
      ],
    ),
    given("an amount in text keeps its cents", closed({ total: text, "note?": text }), [
      right('{"total": 19.90}', { total: "19.90" }),
      right('{"total": 19.90, "note": 5}', { total: "19.90", note: "5" }),
      right({ total: 20 }, { total: "20" }),
    ]),
  ],
};
