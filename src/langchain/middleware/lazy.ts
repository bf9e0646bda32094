// What few agents need, in one part: each part that is loaded by itself makes the others larger.

export { correctAnswer } from "./correct-answer.ts";
export { findHumanEdit, findLaterCorrections } from "./find-corrections.ts";
