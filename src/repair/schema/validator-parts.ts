// What of the validator, and of what is said of faults, most inputs never need.

export { format, validate } from "@cfworker/json-schema";
export { findFaults } from "./find-faults.ts";
export { toIssues } from "./json-schema-issues.ts";
export { longestFor } from "./longest-for.ts";
