import { all } from "./all.mjs";

globalThis.smoke = all;
