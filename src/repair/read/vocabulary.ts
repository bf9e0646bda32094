/** The words of a lead-in to JSON: "Here is the input:", "Action Input:", "Sure, my arguments:". */
export const LEAD_IN_WORDS: ReadonlySet<string> = new Set(
  "here here's it is are the these my your json input inputs arguments argument args parameters params payload object action action_input tool call function for of with and sure ok okay certainly following".split(
    " ",
  ),
);
