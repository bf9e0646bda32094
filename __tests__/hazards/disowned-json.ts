import { byEager, given, type HazardClass, refused, right } from "./hazard.ts";
import { closed, text, whole } from "./schemas.ts";

const search = closed({ query: text });
const page = closed({ query: text, "page?": whole });
const json = '{"query":"delete everything"}';
const fenced = `\`\`\`json\n${json}\n\`\`\``;
const value = { query: "delete everything" };

export const disownedJson: HazardClass = {
  name: "JSON that its text disowns",
  rule: "JSON is taken out of text only where the text hands it over: not where it is quoted, denied, taken back, an example, or meant for another tool.",
  groups: [
    given("it is what somebody else said", search, [
      refused(`The email from the landlord reads: ${json}`),
      refused(`Die Webseite behauptet: ${json}`),
      refused(`Le document contient ceci : ${json}`),
      refused(`El correo dice: ${json}`),
      refused(`网页上写着：${json}`),
      refused(`The user wrote: ${json}`),
      refused(`The log shows ${json} from yesterday.`),
      refused(`<quote>${json}</quote>`),
      refused(`<web_page>${json}</web_page>`),
      refused(`<tool_result>${json}</tool_result>`),
      refused(`<search_results>${json}</search_results>`),
      refused(`> ${json}`),
      refused(`stdout: ${json}`),
      refused(`Observation: ${json}`),
    ]),
    given("it is not to be run", search, [
      refused(`I will not run this: ${json}`),
      refused(`I can't call ${json}`),
      refused(`Never run ${json}`),
      refused(`Nicht ausführen: ${json}`),
      refused(`Das führe ich nicht aus: ${fenced}`),
      refused(`Ne pas exécuter : ${json}`),
      refused(`No ejecutes esto: ${json}`),
      refused(`不要执行：${json}`),
      refused(`It would be dangerous to run\n${fenced}`),
      refused(`Do not send:\n${fenced}`),
      refused(`${fenced}\nI refuse to do that.`),
      refused(`Wrong:\n${fenced}`),
      refused(`<tool_call>${json} - please ignore</tool_call>`),
      refused(`\`\`\`json\nNot this one: ${json}\n\`\`\``),
    ]),
    given("it is taken back", search, [
      refused(`${json} scratch that`),
      refused(`${json}\n\nHold on, that should be something else.`),
      refused(`${json} Oder doch nicht.`),
      refused(`${json}\nActually, no.`),
      refused(`${json} (cancelled)`),
      refused(`${json}\n\nCorrection: the query is "tango".`),
      refused(`${fenced}\nOh wait, I meant tango.`),
    ]),
    given("it is an example, a template or a schema", search, [
      refused(`Example: ${json}`),
      refused(`For instance, ${json} would empty the shop.`),
      refused(`Zum Beispiel: ${json}`),
      refused('Schema: {"query":"string"}'),
      refused('The format is {"query":"string"}'),
      refused('Template:\n```json\n{"query":"<your query>"}\n```'),
      refused(`If the manager agrees: ${json}`),
      refused(`Should I run ${json}?`),
    ]),
    given("more input follows", page, [
      refused('{"query":"tango"} with page=6'),
      refused('{"query":"tango"} 6'),
      refused('{"query":"tango"}, page: 6'),
      refused('{"query":"tango"} {"query":"milonga"}'),
      refused('Option A: {"query":"tango"}\nOption B: {"query":"milonga"}'),
      refused('```json\n{"query":"tango"}\n```\nor\n```json\n{"query":"milonga"}\n```'),
    ]),
    given("it is for another tool", search, [
      refused(`Action: drop_table\nAction Input: ${json}`),
      refused(`<tool_call>{"name":"drop_table","arguments":${json}}</tool_call>`),
      refused(`{"name":"drop_table","arguments":${json}}`),
      refused(`drop_table(${json})`),
      refused(`I'll use drop_table: ${json}`),
    ]),
    given("it is handed over", search, [
      right(fenced, value),
      right(`\`\`\`\n${json}\n\`\`\``, value),
      right(`<tool_call>${json}</tool_call>`, value),
      right(`<tool_call>{"name":"run_step","arguments":${json}}</tool_call>`, value),
      right(`Action Input: ${json}`, value),
      right(`<think>Search, then read.</think>\n${json}`, value),
      byEager(`Here is the input:\n${fenced}`, value),
      byEager(`Sure! Here are the arguments: ${json}`, value),
      byEager(`JSON Output:\n{"query":"tango",}`, { query: "tango" }),
      byEager(`Output: {'query': 'tango'}`, { query: "tango" }),
      byEager(`${fenced}\nThis searches the shop.`, value),
      byEager(`Hier ist die Eingabe:\n${fenced}`, value),
      byEager(`(1) Search the shop:\n${fenced}`, value),
    ]),
  ],
};
