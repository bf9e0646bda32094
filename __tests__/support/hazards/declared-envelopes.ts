import { atMost, eagerAtMost, given, type HazardClass, refused, right } from "./hazard.ts";
import { anything, closed, either, flag, list, number, open, text, whole } from "./schemas.ts";

const book = closed({ "title?": text, "request?": closed({ title: text, pages: whole }) });
const place = open({ "city?": text, "query?": closed({ city: text, radius: number }) });
const item = closed({ "id?": text, "input?": closed({ id: text, live: flag }) });
const change = closed({ "dry_run?": flag, "payload?": closed({ dry_run: flag, mode: whole }) });
const mail = closed({ "to?": text, "body?": closed({ to: text, cc: list(text) }) });

export const declaredEnvelopes: HazardClass = {
  name: "A declared object taken for an envelope",
  rule: "A declared object is never unwrapped because something in it is wrong, and a description of a value is not the value.",
  groups: [
    given("a fault inside a declared object is no reason to throw it away", book, [
      refused({ request: { title: "Faust", pages: "many" } }),
      refused('{"request":{"title":"Faust","pages":"many"}}'),
      refused({ request: { title: "Faust", pages: null } }),
      refused({ request: { title: "Faust" } }),
      right(
        { request: { title: "Faust", pages: "120" } },
        { request: { title: "Faust", pages: 120 } },
      ),
    ]),
    given("nor where other keys are let through", place, [
      refused({ query: { city: "Graz", radius: "wide" } }),
      refused({ query: { city: "Graz", radius: [] } }),
      right({ query: { city: "Graz", radius: "2.5" } }, { query: { city: "Graz", radius: 2.5 } }),
    ]),
    given("nor for a name that is often an envelope", item, [
      refused({ input: { id: "9", live: "perhaps" } }),
      refused({ input: { id: "9", live: 2 } }),
    ]),
    given("nor to run in earnest what was a trial", change, [
      refused({ payload: { dry_run: false, mode: "fast" } }),
      refused({ payload: { dry_run: true, mode: {} } }),
    ]),
    given("nor to lose a copy to somebody", mail, [
      refused({ body: { to: "Eva", cc: { Li: 1 } } }),
    ]),
    given("the kind of a credential is not the credential", closed({ credential: text }), [
      refused({ credential: { type: "bearer" } }),
      refused({ credential: { kind: "certificate" } }),
      refused({ credential: { format: "pem" } }),
      refused({ credential: { encoding: "base64" } }),
      right({ credential: { value: "s3cr3t" } }, { credential: "s3cr3t" }),
      right({ credential: { credential: "s3cr3t" } }, { credential: "s3cr3t" }),
    ]),
    given("the kind of an image is not the image", closed({ image: text }), [
      refused({ image: { type: "jpeg" } }),
      refused('{"image":{"type":"jpeg"}}'),
      refused({ image: { media_type: "image/png" } }),
    ]),
    given(
      "the type of an amount is no amount",
      closed({ amount: either(text, open({ type: whole })) }),
      [refused({ amount: { type: "$42" } })],
    ),
    given("a key that means something is no wrapper", closed({ note: text }), [
      refused({ note: { inner: "x" } }),
      refused({ note: { deleted: "x" } }),
      refused({ note: { previous: "x" } }),
      refused({ note: { unit: "mg" } }),
    ]),
    given(
      "what a branch of the items takes as it is, is not unwrapped",
      closed({ items: list(either(anything, closed({ id: text }))) }),
      [atMost({ items: { wrapper: { id: "1" } } }, { items: [{ wrapper: { id: "1" } }] })],
    ),
    given("an envelope holds the input and nothing else", closed({ room: text, "lit?": flag }), [
      right({ input: { room: "attic", lit: true } }, { room: "attic", lit: true }),
      right({ arguments: { room: "attic" } }, { room: "attic" }),
      right({ parameters: { room: "attic" } }, { room: "attic" }),
      right({ run_step: { room: "attic" } }, { room: "attic" }),
      right({ name: "run_step", arguments: { room: "attic" } }, { room: "attic" }),
      right(JSON.stringify({ args: JSON.stringify({ room: "attic" }) }), { room: "attic" }),
      refused({ name: "open_gate", arguments: { room: "attic" } }),
      refused({ input: { room: "attic" }, lit: "perhaps" }),
      eagerAtMost({ input: { room: "attic" }, mood: "calm" }, { room: "attic" }),
      refused({ not: { room: "attic" } }),
      refused({ cancelled: { room: "attic" } }),
      refused({ example: { room: "attic" } }),
    ]),
  ],
};
