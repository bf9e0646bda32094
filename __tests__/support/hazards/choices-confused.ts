import { atMost, given, type HazardClass, refused, right } from "./hazard.ts";
import { choice, closed, flag, list, text } from "./schemas.ts";

const unit = (...units: [string, ...string[]]) => closed({ unit: choice(...units) });

export const choicesConfused: HazardClass = {
  name: "Choices confused",
  rule: "A choice is matched whole: no part of it, no list, no opposite. Case is ignored only where it carries no meaning.",
  groups: [
    given("milli is not mega", unit("mW", "kW"), [refused({ unit: "MW" })]),
    given("milli is not mega, of volts", unit("mV", "kV"), [refused({ unit: "MV" })]),
    given("mega is not milli, of hertz", unit("mHz", "kHz"), [refused({ unit: "MHz" })]),
    given("milligram is no megagram", unit("mg", "g"), [refused({ unit: "Mg" })]),
    given("millimetre is no megametre", unit("mm", "cm"), [refused({ unit: "Mm" })]),
    given("a capital begins a word", unit("mmol", "mol"), [
      right({ unit: "Mmol" }, { unit: "mmol" }),
    ]),
    given("a prefix, of litres", unit("ml", "l"), [refused({ unit: "ML" })]),
    ...["bar", "bit"].map((base) =>
      given("a capital begins a word, of units", unit(`m${base}`, `k${base}`), [
        right({ unit: `M${base}` }, { unit: `m${base}` }),
      ]),
    ),
    given("a small letter stands for a capital", unit("Mbit", "Gbit"), [
      right({ unit: "mbit" }, { unit: "Mbit" }),
    ]),
    given(
      "a capital stands for a small letter, though a megohm may be meant",
      unit("mohm", "kohm"),
      [right({ unit: "Mohm" }, { unit: "mohm" })],
    ),
    given("formats are no units", unit("json", "csv", "pdf"), [
      right({ unit: "JSON" }, { unit: "json" }),
      right({ unit: "CSV" }, { unit: "csv" }),
    ]),
    given("a question is no answer", closed({ state: choice("done", "restarted") }), [
      refused({ state: "done?" }),
      right({ state: "done." }, { state: "done" }),
    ]),
    given("bits are no bytes", unit("Gb", "Mb"), [
      refused({ unit: "GB" }),
      refused({ unit: "MB" }),
    ]),
    given("bytes are no bits", unit("MB", "GB"), [refused({ unit: "Mb" })]),
    given("megapascal is no millipascal", unit("mPa", "kPa"), [refused({ unit: "MPa" })]),
    given("nano is no mega", unit("nm", "mm"), [refused({ unit: "nM" })]),
    given("a gram is no gauss", unit("g", "kg"), [refused({ unit: "G" })]),
    given("small letters stand for choices in capitals", closed({ step: choice("M", "D") }), [
      right({ step: "m" }, { step: "M" }),
    ]),
    given("unless one is small", closed({ step: choice("M", "d") }), [refused({ step: "m" })]),
    given("signs are the name", closed({ language: choice("C", "C++", "C#") }), [
      refused({ language: "C+" }),
      refused({ language: "C-" }),
      atMost({ language: "c#" }, { language: "C#" }),
    ]),
    given("a sign is the value", closed({ shift: choice("+1", "-1") }), [
      refused({ shift: "1" }),
      refused({ shift: "*1" }),
    ]),
    given("an operator is not its neighbour", closed({ op: choice("<", ">", "=") }), [
      refused({ op: "<=" }),
      refused({ op: "!=" }),
      refused({ op: "<>" }),
    ]),
    given(
      "neither a denial nor a list nor a comparison is a choice",
      closed({ level: choice("low", "high") }),
      [
        refused({ level: "not low" }),
        refused({ level: "low or high" }),
        refused({ level: "low/high" }),
        refused({ level: "anything but low" }),
        refused({ level: "highest" }),
        refused({ level: "lower" }),
        refused({ level: "nicht hoch" }),
        refused({ level: "below" }),
        refused({ level: "very high" }),
        right({ level: "HIGH" }, { level: "high" }),
        right({ level: " low " }, { level: "low" }),
        right({ level: "'low'" }, { level: "low" }),
      ],
    ),
    given("a part of a choice is another one", closed({ genre: choice("Reggae", "Techno") }), [
      refused({ genre: "Reggaeton" }),
      refused({ genre: "Techno House" }),
      right({ genre: "reggae" }, { genre: "Reggae" }),
    ]),
    given("an opposite has the choice in it", closed({ state: choice("paid", "active") }), [
      refused({ state: "unpaid" }),
      refused({ state: "inactive" }),
      refused({ state: "not active" }),
      refused({ state: "pre-paid" }),
      refused({ state: "non-active" }),
    ]),
    given(
      "case, spaces and punctuation are free where one choice is meant",
      closed({ status: choice("in_progress", "waiting-for-parts", "Done") }),
      [
        right({ status: "In Progress" }, { status: "in_progress" }),
        right({ status: "IN-PROGRESS" }, { status: "in_progress" }),
        right({ status: "inProgress" }, { status: "in_progress" }),
        right({ status: "Waiting for parts" }, { status: "waiting-for-parts" }),
        right({ status: "DONE" }, { status: "Done" }),
        right({ status: "done." }, { status: "Done" }),
      ],
    ),
    given("words in capitals or not", closed({ order: choice("asc", "desc") }), [
      right({ order: "ASC" }, { order: "asc" }),
      right({ order: "Desc" }, { order: "desc" }),
      refused({ order: "ascdesc" }),
    ]),
    given("methods in small letters", closed({ method: choice("GET", "POST", "DELETE") }), [
      right({ method: "get" }, { method: "GET" }),
      right({ method: "Delete" }, { method: "DELETE" }),
      refused({ method: "PUT" }),
    ]),
    given("each of a list", closed({ days: list(choice("monday", "friday")) }), [
      right({ days: ["Monday", "FRIDAY"] }, { days: ["monday", "friday"] }),
      right({ days: "Monday" }, { days: ["monday"] }),
      refused({ days: ["Monday", "someday"] }),
    ]),
    given("true and false, and nothing between", closed({ lit: flag, "room?": text }), [
      right({ lit: "true" }, { lit: true }),
      right({ lit: "False" }, { lit: false }),
      right({ lit: "TRUE", room: "attic" }, { lit: true, room: "attic" }),
      refused({ lit: "maybe" }),
      refused({ lit: "not true" }),
      refused({ lit: "dimmed" }),
      refused({ lit: 2 }),
    ]),
  ],
};
