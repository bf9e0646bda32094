import { eager, given, type HazardClass, refused, right } from "./hazard.ts";
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

/** Bare text for a field that takes any text: a phrase. */
function phrases(why: string, field: string, values: readonly string[]) {
  return given(
    why,
    closed({ [field]: text }),
    values.map((value) => eager(value, { [field]: value })),
  );
}

/** Bare text with plain words in it, which may be words of a sentence. */
function doubtful(field: string, values: readonly string[]) {
  return given(
    `a ${field} with plain words may be a sentence`,
    closed({ [field]: text }),
    values.map(refused),
  );
}

export const plainText: HazardClass = {
  name: "Plain text",
  rule: "A bare value for a tool with one required text is repaired: selectors, SQL, questions, paths, commands, names, links.",
  groups: [
    doubtful("command", [
      "awk '{print $1}' log",
      "cat <<END > a.txt\nhi\nEND",
      "delete everything",
    ]),
    bare("a bare path with a suffix may hold spaces", "path", ["../data/Kunden 2024.xlsx"]),
    doubtful("selector", ["div.card oder", "h1 then h2"]),
    bare("a bare command is the argument, with words beside its flags", "command", [
      "docker run -p 80:80 nginx",
      "grep -rn 'TODO' src",
      "kubectl get pods -n prod",
      "npm run build && npm test",
      "ps aux | wc -l",
      "find . -type f -exec wc -l {} +",
    ]),
    bare("a bare link to a file is the argument", "path", ["s3://bucket/key/data.parquet"]),
    bare("a bare query to its end is the argument", "sql", [
      "SELECT * FROM t WHERE a IN (1, 2) ORDER BY b DESC LIMIT 5;",
    ]),
    bare("a bare selector with tags is the argument", "selector", ["div.card:not(.sold) h3"]),
    bare("a bare selector is the argument", "selector", [
      "button:not([disabled])",
      "#main .row:first-child",
      "td[colspan='2']",
      "//a[contains(text(),'Next')]",
      'input[type="checkbox"]:checked',
      "div > p + span ~ a",
      "#pay-now",
      ".cart > button.primary",
      'input[name="email"]',
      "//button[@id='send']",
      "a:hover",
      "li:nth-child(2)",
      'a[href^="https"]',
      "[data-testid=submit]",
    ]),
    bare("a bare query is the argument", "sql", [
      "DELETE FROM t WHERE a = 'x'",
      "WITH a AS (SELECT 1) SELECT * FROM a",
      "INSERT INTO t (a, b) VALUES (1, 'x')",
      "SELECT title FROM songs WHERE year > 1990",
      "SELECT \"title\" FROM songs WHERE genre = 'jazz'",
      "SELECT count(*) FROM patients",
      "UPDATE orders SET state = 'sent' WHERE id = 7",
    ]),
    bare("a bare query with a verb of English is the argument", "sql", ["SELECT a is NULL FROM t"]),
    bare("a bare question is the argument", "question", [
      "Can you sort a list in O(n)?",
      "Why can't I log in?",
      "Is 5 > 3?",
      "Où est la gare ?",
      "今日の天気は？",
      'What does "carpe diem" mean?',
      "What's the weather in Zürich?",
      "Wie wird das Wetter in Graz?",
      "Quel temps fait-il à Lyon ?",
      "¿Qué tiempo hace en Lima?",
      "北京明天天气怎么样？",
      'Who composed the opera "Fidelio"?',
      "Which wards have free beds (today)?",
    ]),
    bare("a bare path is the argument", "path", [
      "/var/log/syslog",
      "./src/index.ts",
      "C:\\Users\\Ada\\notes.txt",
      "~/Musik/Bach",
      "report.pdf",
    ]),
    bare("a bare command is the argument", "command", [
      "mkdir -p a/{b,c}",
      "chmod 755 run.sh; ./run.sh",
      "ls -la",
      "rm -rf build/",
      'git commit -m "fix: typo"',
      'find . -name "*.ts"',
      "echo $HOME",
      'curl -s "https://api.example/a"',
      "ffmpeg -i in.mov out.mp4",
    ]),
    phrases("a bare name is the argument", "name", [
      "Symphony No. 5 in C minor, Op. 67",
      "Für Elise",
      "99 Luftballons",
      "São Paulo",
      "贝多芬",
      "Sonata No. 14",
    ]),
    doubtful("name", ["Error 404: not found", "Who is it?", "I could not find it."]),
    phrases("a bare link, address or id is a name as good as any", "name", [
      "https://example.org/a?b=c#d",
      "ada@example.org",
      "+49 89 1234-0",
    ]),
    bare("bare figures and codes are the argument", "name", ["2026-11-21", "42", "ORD-2024-0001"]),
    bare("a bare command with marks at its end is the argument", "command", ["sleep 9 &", "ls *"]),
    bare("a bare search is the argument", "query", ["user:octocat is:open"]),
    given("quotes around a selector are no part of it", closed({ selector: text }), [
      right("'#pay'", { selector: "#pay" }),
      right("`#pay`", { selector: "#pay" }),
    ]),
    given("quotes around all of it are no part of it", closed({ city: text }), [
      right('"Wien"', { city: "Wien" }),
      right("'Wien'", { city: "Wien" }),
    ]),
  ],
};
