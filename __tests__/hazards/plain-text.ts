import { given, type HazardClass, right } from "./hazard.ts";
import { closed, type Spec, text } from "./schemas.ts";

/** Bare text as the only argument of a tool. */
function bare(why: string, field: string, values: readonly string[]) {
  const schema: Spec = closed({ [field]: text });
  return given(
    why,
    schema,
    values.map((value) => right(value, { [field]: value })),
  );
}

export const plainText: HazardClass = {
  name: "Plain text",
  rule: "A bare value for a tool with one required text stays repaired: selectors, SQL, questions, paths, commands, names, links.",
  groups: [
    bare("a bare selector is the argument", "selector", [
      "#pay-now",
      ".cart > button.primary",
      'input[name="email"]',
      "//button[@id='send']",
      "a:hover",
      "li:nth-child(2)",
      'a[href^="https"]',
      "div.card:not(.sold) h3",
      "[data-testid=submit]",
      "main ul li",
    ]),
    bare("a bare query is the argument", "sql", [
      "SELECT title FROM songs WHERE year > 1990",
      "SELECT \"title\" FROM songs WHERE genre = 'jazz'",
      "SELECT count(*) FROM patients",
      "SELECT * FROM t WHERE a IN (1, 2) ORDER BY b DESC LIMIT 5;",
      "UPDATE orders SET state = 'sent' WHERE id = 7",
    ]),
    bare("a bare question is the argument", "question", [
      "What's the weather in Zürich?",
      "Wie wird das Wetter in Graz?",
      "Quel temps fait-il à Lyon ?",
      "¿Qué tiempo hace en Lima?",
      "北京明天天气怎么样？",
      'Who composed the opera "Fidelio"?',
      "how do I reset a thermostat",
      "Which wards have free beds (today)?",
    ]),
    bare("a bare path is the argument", "path", [
      "/var/log/syslog",
      "./src/index.ts",
      "../data/Kunden 2024.xlsx",
      "C:\\Users\\Ada\\notes.txt",
      "~/Musik/Bach",
      "report.pdf",
      "s3://bucket/key/file.parquet",
    ]),
    bare("a bare command is the argument", "command", [
      "ls -la",
      "rm -rf build/",
      'git commit -m "fix: typo"',
      "docker run -p 80:80 nginx",
      'find . -name "*.ts"',
      "ps aux | wc -l",
      "echo $HOME",
      'curl -s "https://api.example/a"',
      "kubectl get pods -n prod",
      "ffmpeg -i in.mov out.mp4",
    ]),
    bare("a bare name, link or id is the argument", "name", [
      "Ada Lovelace",
      "O'Brien & Sons",
      "https://example.org/a?b=c#d",
      "ada@example.org",
      "ORD-2024-0001",
      "+49 89 1234-0",
      "2026-11-21",
      "São Paulo",
      "贝多芬",
      "Sonata No. 14",
      "C++",
      "42",
    ]),
    given("quotes around all of it are no part of it", closed({ city: text }), [
      right('"Wien"', { city: "Wien" }),
    ]),
  ],
};
