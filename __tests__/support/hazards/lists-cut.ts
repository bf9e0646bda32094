import { atMost, eager, given, type HazardClass, refused, right } from "./hazard.ts";
import { closed, either, list, number, text, whole } from "./schemas.ts";

const words = closed({ items: list(text) });
const whole1 = (item: string) => atMost({ items: item }, { items: [item] });
const numbers = closed({ values: list(number) });

export const listsCut: HazardClass = {
  name: "Lists cut apart",
  rule: "Only a plain list is split: never inside quotes, brackets, links, code or decimals, nor if it says that it is incomplete.",
  groups: [
    given("a delimiter inside something is no delimiter", words, [
      whole1('"Meier, Eva" <eva@uni.example>'),
      whole1("https://maps.example/?ll=48,11"),
      whole1("img.{png,jpg}"),
      whole1("li:is(.a, .b)"),
      whole1("SELECT title, year FROM songs"),
      whole1("max(a, b)"),
      whole1("tar -cf a.tar --exclude={x,y}"),
      whole1("[a, b"),
      whole1("f(x; y)"),
      whole1("'Ulm, Bonn'"),
      atMost(
        { items: "'Ulm, Donau', Bonn" },
        { items: ["'Ulm, Donau', Bonn"] },
        {
          items: ["Ulm, Donau", "Bonn"],
        },
      ),
    ]),
    given("what is not all of it is no list", words, [
      whole1("all except red, blue"),
      whole1("everything but tenor, bass"),
      whole1("alles außer Mo, Di"),
      whole1("red, blue, ..."),
      whole1("red, blue, etc."),
      whole1("red, blue and so on"),
      whole1("not red, blue"),
      whole1("sauf lundi, mardi"),
    ]),
    given(
      "a word at a code, or a minus, may leave it out",
      words,
      ["A1、A2以外", "A1、A2など", "-A1, -A2"].map((items) => refused({ items })),
    ),
    given("what is said of one number is no list", closed({ mg: either(number, list(number)) }), [
      refused({ mg: { items: 5 } }),
      right({ mg: { value: 5 } }, { mg: 5 }),
      right({ mg: { items: [5] } }, { mg: [5] }),
    ]),
    given("a comma may be a decimal point", numbers, [
      refused({ values: "3,14" }),
      refused({ values: "1.000,50" }),
      refused({ values: "1,5; 2,5" }),
      refused('{"values":[1,5; 2,5]}'),
      refused({ values: "1 to 5" }),
      refused({ values: "1-5" }),
      right({ values: "[1, 2.5]" }, { values: [1, 2.5] }),
      right({ values: ["1", "2.5"] }, { values: [1, 2.5] }),
      right({ values: 7 }, { values: [7] }),
      refused({ values: ["1", "two"] }),
      refused({ values: [1, null, 3] }),
    ]),
    given("numbers that are ids are no places in a list", closed({ quantities: list(whole) }), [
      refused({ quantities: { "4711": 5, "4712": 7 } }),
      refused({ quantities: { "1": 5, "2": 7 } }),
      right({ quantities: { "0": 5, "1": 7 } }, { quantities: [5, 7] }),
    ]),
    given("no element is dropped", closed({ tracks: list(closed({ title: text })) }), [
      refused({ tracks: [{ title: "Adagio" }, { name: 5 }] }),
      refused({ tracks: [{ title: "Adagio" }, null] }),
      refused({ tracks: [{ title: "Adagio" }, "..."] }),
    ]),
    ...["authors", "attendees", "reviewers", "contact_names", "trustees", "to"].map((name) =>
      given("a person may be written with the last name first", closed({ [name]: list(text) }), [
        ...["Rossi, Eva", "de Vries, Anna", "Okafor Smith, Ngozi"].map((person) =>
          atMost({ [name]: person }, { [name]: [person] }),
        ),
        refused({ [name]: "Eva Rossi, Li Wei" }),
        eager({ [name]: "Eva, Li, Jo" }, { [name]: ["Eva", "Li", "Jo"] }),
      ]),
    ),
    given("a list that does not say of what may hold anybody", words, [
      whole1("Rossi, Eva"),
      whole1("Ulm, Bonn"),
    ]),
    ...["cities", "stations", "countries", "skills", "days", "currencies"].map((name) =>
      given(
        "two names may be one with its place, and a word may join the last",
        closed({ [name]: list(text) }),
        [
          refused({ [name]: "Ulm, Bonn" }),
          refused({ [name]: "Ulm, Bonn and Kiel" }),
          refused({ [name]: "ulm, bonn, and kiel" }),
          refused({ [name]: "ulm, bonn und kiel" }),
        ],
      ),
    ),
    given("a town with its country or state is one", closed({ cities: list(text) }), [
      ...["Toledo, Spain", "Toledo, Ohio", "Neuenburg, Schweiz", "Perth, Scotland"].map((city) =>
        atMost({ cities: city }, { cities: [city] }),
      ),
    ]),
    ...["locations", "venues", "shipping_addresses"].map((name) =>
      given("a place may be written with where it is", closed({ [name]: list(text) }), [
        atMost({ [name]: "Kornhaus, Ulm" }, { [name]: ["Kornhaus, Ulm"] }),
        atMost({ [name]: "12 Mill Lane, Leeds" }, { [name]: ["12 Mill Lane, Leeds"] }),
      ]),
    ),
    ...["titles", "chorus_lines", "comments", "phrases"].map((name) =>
      given("what is written in words may have a comma in it", closed({ [name]: list(text) }), [
        atMost(
          { [name]: "Pride, Prejudice and Zombies" },
          { [name]: ["Pride, Prejudice and Zombies"] },
        ),
        atMost({ [name]: "come rain, come shine" }, { [name]: ["come rain, come shine"] }),
      ]),
    ),
    given("what belongs together is not parted", closed({ dishes: list(text) }), [
      ...["fish and chips, peas", "Brot und Butter, Käse", "Fri, 3 April", "Ulm, den 3. Mai"].map(
        (dish) => atMost({ dishes: dish }, { dishes: [dish] }),
      ),
    ]),
    given("a plain list is a list", words, [
      eager({ items: "red, green, blue" }, { items: ["red", "green", "blue"] }),
      eager({ items: "Geige; Bratsche; Cello" }, { items: ["Geige", "Bratsche", "Cello"] }),
      eager({ items: "a.txt, b.txt" }, { items: ["a.txt", "b.txt"] }),
      right({ items: '["red","green"]' }, { items: ["red", "green"] }),
      right({ items: "['red', 'green']" }, { items: ["red", "green"] }),
      right({ items: "red" }, { items: ["red"] }),
      right({ items: ["red", 5] }, { items: ["red", "5"] }),
      right({ items: { item: ["red", "green"] } }, { items: ["red", "green"] }),
    ]),
  ],
};
