/**
 * Checks a name against a pattern in which `*` stands for any characters and `?` for one. Takes no
 * regular expression: the steps are bounded by the product of the lengths.
 *
 * @param name The name.
 * @param pattern The pattern.
 */
export function matchesWildcard(name: string, pattern: string): boolean {
  let at = 0;
  let of = 0;
  let star = -1;
  let resume = 0;
  while (at < name.length) {
    if (pattern[of] === "*") {
      star = of;
      of += 1;
      resume = at;
    } else if (pattern[of] === "?" || pattern[of] === name[at]) {
      of += 1;
      at += 1;
    } else if (star >= 0) {
      of = star + 1;
      resume += 1;
      at = resume;
    } else {
      return false;
    }
  }
  while (pattern[of] === "*") of += 1;
  return of === pattern.length;
}
