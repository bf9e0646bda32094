/** What people do with tools. */
export const DEEDS: ReadonlySet<string> = new Set(
  (
    "search look find check get fetch retrieve list query navigate go open visit browse click press tap select " +
    "choose pick type enter fill submit send create add make set start begin call use invoke run execute perform do " +
    "proceed try book reserve schedule place order buy purchase calculate compute convert read load view play scroll " +
    "turn switch update edit insert upload download generate build install locate gather collect obtain access apply " +
    "move copy rename log sign compile deploy connect zoom take help"
  ).split(" "),
);

/** Verbs whose object is the call itself. */
export const USES: ReadonlySet<string> = new Set(
  "call use invoke run execute perform do make send submit try proceed".split(" "),
);

/** Verbs of which the object may follow as text: "I'll read the message:". */
export const LEARNS: ReadonlySet<string> = new Set(
  "read view load check get list open find fetch retrieve access copy".split(" "),
);
/** Words that make another verb of one: "call off", "put aside", "look at". */
export const OTHERWISE: { readonly [verb: string]: readonly string[] | undefined } = {
  look: ["at", "over", "after", "down", "away", "past", "back"],
  check: ["with", "against", "back", "whether", "if"],
  call: ["off", "out", "on", "it", "this"],
  set: ["aside", "back"],
  run: ["by", "past", "from", "away", "into"],
  take: ["back", "issue", "exception", "offence", "note", "it", "this", "out", "apart"],
  make: ["fun", "note", "light", "sure", "up"],
  get: ["rid", "back", "away", "out"],
  send: ["back", "away"],
  do: ["without", "away"],
  go: ["over", "without", "against", "through", "easy"],
  play: ["down", "along"],
  turn: ["down", "away", "in"],
  read: ["out", "aloud"],
  type: ["out"],
  list: ["what", "why", "this"],
  pick: ["apart", "on"],
  move: ["on", "past", "away"],
  try: ["hard"],
  sign: ["off"],
  place: ["under"],
  copy: ["this"],
};
