import { describe, expect, test } from "@jest/globals";
import { repairToolName } from "#src/repair/align/repair-tool-name.ts";

const offered = ["web_search", "getWeather", "delete_file", "create_event", "read_file_lines"];

describe("repairToolName", () => {
  test.each([
    ["WebSearch", "web_search"],
    ["web-search", "web_search"],
    ["get_weather", "getWeather"],
    ["functions.web_search", "web_search"],
    ["default_api:web_search", "web_search"],
    ["tools/web_search", "web_search"],
    ["assistant.web_search", "web_search"],
    ["web_search<|channel|>json", "web_search"],
    ["<|tool_call|>web_search", "web_search"],
    ["functions.web_search<|channel|>commentary", "web_search"],
    ['web_search({"query": "cats"})', "web_search"],
    ["web_search()", "web_search"],
    ["web_search({})", "web_search"],
    ["web_search</arg_key>", "web_search"],
    [" web_search ", "web_search"],
    ["`web_search`", "web_search"],
  ])("%s means %s, at safe", (name, meant) => {
    expect(repairToolName(name, offered)).toMatchObject({
      ok: true,
      name: meant,
      level: "safe",
    });
  });

  test.each([["type_read_file_lines", "read_file_lines"]])(
    "%s means %s, at eager",
    (name, meant) => {
      expect(repairToolName(name, offered)).toMatchObject({
        ok: true,
        name: meant,
        level: "eager",
      });
    },
  );

  test("a typo is only a hint, unless the agent has one tool and two more words match", () => {
    const hint = { ok: false, didYouMean: "read_file_lines" };
    expect(repairToolName("read_file_liens_", offered)).toMatchObject({ ok: false });
    const meant = { ok: true, name: "get_religion_history", fixer: "take-only-tool" };
    const only = ["get_religion_history"];
    expect(repairToolName("get_reilgion_history", only)).toMatchObject(meant);
    const more = [...only, "read_file_lines"];
    expect(repairToolName("get_reilgion_history", more)).toMatchObject({
      ...hint,
      didYouMean: "get_religion_history",
    });
    expect(repairToolName("get_region_history", only)).toMatchObject({ ok: false });
  });

  test.each([
    ["a word before it that undoes it", "undo-delete:delete", ["delete"]],
    ["a word before it that mocks it", "dry_run.delete_file", offered],
    ["words after it", "delete_file but only preview", offered],
    ["a list of tools", "delete_file, create_event", offered],
    ["a sum of tools", "delete_file+create_event", offered],
    ["a word in brackets", "delete_file(dry run)", offered],
    ["a namespace that is not known for one", "files.delete_file", offered],
    ["another tool", "send_email", offered],
    ["another verb", "update_event", offered],
    ["another verb, one letter off", "post_order", ["host_order"]],
    ["one for several", "get_users", ["get_user"]],
    ["several for one", "list_file", ["list_files"]],
    ["a verb before it", "delete_user_profile", ["user_profile"]],
    ["a verb before it, of two words", "archive_old_user_profile", ["user_profile"]],
    ["another prefix", "unsubscribe_user", ["subscribe_user"]],
    ["another letter", "load_model", ["lead_model"]],
    ["a word in its own right", "find_county", ["find_country"]],
    ["two slips", "delte_flie", ["delete_file"]],
    ["an opposite verb", "encode_text", ["decode_text"]],
    ["another ending", "archived_file", ["archive_file"]],
    ["the contrary", "import_data", ["export_data"]],
    ["a digit behind it", "search2", ["search"]],
    ["a digit behind it and a hyphen", "search-2", ["search"]],
    ["a digit behind it and _", "search_2", ["search"]],
    ["a digit behind it and a point", "search.2", ["search"]],
    ["another digit behind it", "search3", ["search2"]],
    ["no digit behind it", "search", ["search2"]],
    ["a digit behind two words", "web_search2", ["web_search"]],
    ["a digit behind three words", "find_web_page2", ["find_web_page"]],
    ["a digit behind three words, parted", "find_web_page_2", ["find_web_page"]],
    ["no digit behind three words", "find_web_page", ["find_web_page2"]],
    ["a digit before it", "2_find_web_page", ["find_web_page"]],
    ["a part of a name", "file", offered],
    ["a part of two names", "search", ["web_search", "file_search"]],
    ["as near to one as to another", "get_usr", ["get_user", "get_users"]],
    ["near to one, but another is nearly as near", "list_iten", ["list_item", "list_items"]],
    ["folded alike", "WebSearch", ["web_search", "websearch"]],
    ["nothing, of several tools", "", offered],
    ["no letters, of several tools", "[{", offered],
    ["a model's own tools", "python", ["run_python"]],
    ["an object's own name", "constructor", offered],
    ["no tools at all", "web_search", []],
    ["cut-off arguments", 'web_search{"query"', offered],
    ["cut-off arguments in words of tokens", 'web_search{"id": "tool', offered],
    ["a word before it in a token's form", "<dry_run>delete_file", offered],
    ["a word behind it in a token's form", "delete_file<|preview|>", offered],
  ])("%s is rejected", (_, name, names) => {
    expect(repairToolName(name, names)).toMatchObject({ ok: false });
  });

  describe("a prefix that several tools share may be left out", () => {
    const servers = [
      "mcp__Memory__read_graph",
      "mcp__files__read",
      "acme__prod__run",
      "acme__dev__stop",
    ];

    test.each([
      ["memory:read_graph", "mcp__Memory__read_graph"],
      ["MEMORY/ReadGraph", "mcp__Memory__read_graph"],
      ["memory__read_graph", "mcp__Memory__read_graph"],
      ["functions.memory:read_graph", "mcp__Memory__read_graph"],
      ["mcp.memory.read_graph", "mcp__Memory__read_graph"],
      ["prod:run", "acme__prod__run"],
    ])("%s means %s", (name, meant) => {
      expect(repairToolName(name, servers)).toMatchObject({ ok: true, name: meant, level: "safe" });
    });

    test.each([
      ["another server", "other:read_graph", servers],
      ["no server", "read_graph", servers],
      ["only what is shared", "acme:run", servers],
      ["only what is shared by call syntax", "mcp:read_graph", servers],
      ["a server before the server", "x:memory:read_graph", servers],
      ["a part of the server's name", "mem:read_graph", servers],
      ["a part of the tool's name", "memory:read", servers],
      ["the server alone", "memory:", servers],
      ["a prefix that one tool has", "prod:run", ["acme__prod__run", "mcp__files__read"]],
      ["the same tool of two servers", "memory:read_graph", [...servers, "mcp__Other__read_graph"]],
      ["the same server twice", "memory:read_graph", [...servers, "mcp__memory__readGraph"]],
      ["a tool without a server", "memory:read_graph", ["read_graph", "read_file"]],
    ])("%s: %s means nothing", (_, name, names) => {
      expect(repairToolName(name, names)).toMatchObject({ ok: false });
    });

    test("every other part of every name is rejected", () => {
      for (const tool of servers) {
        const [, server = "", last = ""] = tool.split("__");
        for (const name of [`${last}:${server}`, `${server}${last}`, `no_${server}:${last}`]) {
          expect([name, repairToolName(name, servers).ok]).toEqual([name, false]);
        }
      }
    });
  });

  test("a name without letters means the only tool, at eager", () => {
    expect(repairToolName("[{", ["web_search"])).toMatchObject({
      ok: true,
      name: "web_search",
    });
  });
});
