import { given, type HazardClass, refused, right } from "./hazard.ts";
import { choice, closed, flag, link, number, text, whole } from "./schemas.ts";

export const twoReadings: HazardClass = {
  name: "Two readings",
  rule: "If two repairs are equally good, neither is made.",
  groups: [
    given("a link that says one address and goes to another", closed({ url: link }), [
      refused({ url: "[https://bank.example](https://thief.example)" }),
      refused({ url: "https://a.example https://b.example" }),
      refused({ url: "https://a.example or https://b.example" }),
    ]),
    given("one value for two missing fields", closed({ title: text, artist: text }), [
      refused({ name: "Adagio" }),
      refused("Adagio"),
      refused({ tittle: "Adagio" }),
      refused('{"title":"Adagio"}'),
    ]),
    given("two spellings of one key with two values", closed({ roomId: text }), [
      refused({ room_id: "1", RoomId: "2" }),
      refused("{'roomId':'1','roomId':'2'}"),
      refused('{"RoomId":"1","RoomId":"2"}'),
      refused(JSON.stringify('{"roomId":"1","roomId":"2"}')),
      refused('{"input":{"roomId":"1","roomId":"2"}}'),
      refused({ roomId: 1, room_id: "2" }),
    ]),
    given("two inputs at once", closed({ query: text }), [
      refused('[{"query":"a"},{"query":"b"}]'),
      refused('{"query":"a"}{"query":"b"}'),
      refused([{ query: "a" }, { query: "b" }]),
      refused({ query: ["a", "b"] }),
    ]),
    given(
      "a date in two orders, a figure in words, a range",
      closed({ day: whole, rate: number }),
      [
        refused({ day: "3/4", rate: 1 }),
        refused({ day: 3, rate: "1,234" }),
        right({ day: 3, rate: "1.234,56" }, { day: 3, rate: 1234.56 }),
        refused({ day: 3, rate: "ten" }),
        refused({ day: 3, rate: "10-20" }),
        refused({ day: 3, rate: "about 5" }),
        refused({ day: 3, rate: "5 km" }),
        refused({ day: "3rd", rate: 1 }),
        refused({ day: 3.5, rate: 1 }),
        refused({ day: true, rate: 1 }),
      ],
    ),
    given(
      "one word, two choices",
      closed({ kind: choice("in_patient", "out_patient"), "x?": flag }),
      [
        refused({ kind: "patient" }),
        refused({ kind: "in/out patient" }),
        refused({ kind: 0 }),
        refused({ kind: ["in_patient", "out_patient"] }),
        refused({ kind: null }),
      ],
    ),
    given("an object for a text", closed({ body: text }), [
      refused({ body: { subject: "a", content: "b" } }),
      refused({ body: ["a", "b"] }),
      refused({ body: null }),
    ]),
  ],
};
