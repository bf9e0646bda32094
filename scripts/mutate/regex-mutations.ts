// The mutations of a regular expression: an anchor or a lookaround is dropped, `+`, `?` and `{…}` become
// one, `*` at least one, a negated class is turned, an alternative or a flag is dropped.

/** A part of the literal, and what replaces it. */
export interface RegexMutation {
  readonly start: number;
  readonly end: number;
  readonly after: string;
}

/** A group that is open: where it began, and where its present alternative did. */
interface OpenGroup {
  readonly start: number;
  readonly isLookaround: boolean;
  readonly alternatives: { start: number; end: number }[];
  alternativeStart: number;
}

/** A sign with its escape, a class, the head of a group, a quantifier, or one other sign. */
const TOKEN =
  /\\(?:[pPu]\{[^}]*\}|k<[^>]*>|.)|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:<?[=!]|:|<\w+>))?|[*+?]\??|\{\d+(?:,\d*)?\}\??|./gsu;

const ANCHORS = new Set(["^", "$", "\\b", "\\B"]);

/** The mutations of a regular expression literal, flags included. Those that do not compile are left out. */
export function regexMutations(literal: string): RegexMutation[] {
  const bodyEnd = literal.lastIndexOf("/");
  const mutations: RegexMutation[] = [];
  const add = (start: number, end: number, after: string) => {
    mutations.push({ start, end, after });
  };
  const addAlternatives = ({ alternatives, alternativeStart }: OpenGroup, end: number) => {
    if (alternatives.length === 0) return;
    for (const alternative of alternatives) add(alternative.start, alternative.end + 1, "");
    add(alternativeStart - 1, end, "");
  };

  const groups: OpenGroup[] = [openGroup(1, "", 1)];
  for (const { 0: token, index } of literal.slice(0, bodyEnd).matchAll(TOKEN)) {
    if (index === 0) continue;
    const end = index + token.length;
    const group = groups.at(-1);
    if (group === undefined) return [];
    if (ANCHORS.has(token)) add(index, end, "");
    else if (token.startsWith("[^")) add(index, index + 2, "[");
    else if (token.startsWith("(")) groups.push(openGroup(index, token, end));
    else if (token === ")") {
      groups.pop();
      addAlternatives(group, index);
      if (group.isLookaround) add(group.start, end, "");
    } else if (token === "|") {
      group.alternatives.push({ start: group.alternativeStart, end: index });
      group.alternativeStart = end;
    } else if (/^\*/.test(token)) add(index, index + 1, "+");
    else if (/^[+?{]/.test(token)) add(index, end, "");
  }
  const [body] = groups;
  if (body !== undefined) addAlternatives(body, bodyEnd);

  for (const { index } of literal.slice(bodyEnd).matchAll(/[gimsy]/g)) {
    add(bodyEnd + index, bodyEnd + index + 1, "");
  }
  return mutations.filter((mutation) => compiles(literal, mutation));
}

function openGroup(start: number, head: string, alternativeStart: number): OpenGroup {
  return { start, isLookaround: /[=!]$/.test(head), alternatives: [], alternativeStart };
}

/** Whether a literal is a regular expression once it is mutated. An empty one would be a comment. */
function compiles(literal: string, { start, end, after }: RegexMutation): boolean {
  const mutated = literal.slice(0, start) + after + literal.slice(end);
  const bodyEnd = mutated.lastIndexOf("/");
  const body = mutated.slice(1, bodyEnd);
  if (body === "") return false;
  try {
    return new RegExp(body, mutated.slice(bodyEnd + 1)) instanceof RegExp;
  } catch {
    return false;
  }
}
