/** Checks whether a comment inside JSON takes it back, or says that it is only an example. */
export function takesBack(comment: string): boolean {
  return TAKING_BACK.test(comment.replace(/’/g, "'"));
}

const TAKING_BACK =
  /\b(?:not|never|cannot|no longer|don?'?t|\w{1,12}n't|wrong|instead|ignored?|disabled?|disabling|examples?|placeholders?|todo|fixme|dummy|samples?|obsolete|deprecated|cancel\w{0,5}|refus\w{1,4}|undo|fake|fill (?:in|me|this)|replace (?:this|me)|nicht|nie(?:mals)?|kein\w{0,2}|pas|jamais|nunca|niet|inte|ikke|aldrig)\b|не\s|нет|不|別|否|ない/i;
