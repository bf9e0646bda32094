import { given, type HazardClass, refused, right } from "./hazard.ts";
import { closed, open, record, text } from "./schemas.ts";

const search = closed({ query: text });
const labels = closed({ name: text, labels: record(text) });

export const polluted: HazardClass = {
  name: "Forbidden keys",
  rule: "A faulty input with a key `__proto__`, `prototype` or `constructor` is rejected.",
  groups: [
    given("as a key that the schema forbids", search, [
      refused('{"query":"a","__proto__":{"admin":true}}'),
      refused("{'query':'a','__proto__':{'admin':true}}"),
      refused('{"query":"a","constructor":{"prototype":{"admin":true}},}'),
      refused('{"__proto__":{"query":"a"}}'),
      refused('{"__proto__":{"x":1},"query":"a"'),
      refused('{"constructor":{"x":1},"query":"a"'),
    ]),
    given("as a path", search, [
      refused({ query: "a", "__proto__.admin": true }),
      refused({ query: "a", "constructor.prototype.admin": true }),
    ]),
    given("in a map, beside a fault", labels, [
      refused('{"name":"a","labels":{"__proto__":"x"},}'),
      refused("{'name':'a','labels':{'__proto__':'x'}}"),
      refused({ name: "a", "labels.__proto__": "x" }),
      refused('{"name":"a","labels":{"__proto__":"x"}'),
    ]),
    given("in an envelope", search, [
      refused('{"arguments":{"__proto__":{"query":"a"}}}'),
      refused('{"arguments":"{\\"__proto__\\":{\\"query\\":\\"a\\"}}"}'),
    ]),
    given("where a name is only like one", open({ proto: text, builder: text }), [
      right({ Proto: "a", builder: "b" }, { proto: "a", builder: "b" }),
    ]),
  ],
};
