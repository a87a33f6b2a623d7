// What is covered, as bitsets: a big integer with a bit for each example.

import { number } from "../pieces.js";

export const LABELS = ["pos", "neg"];
export const has = (bits, n) => ((bits >> BigInt(n)) & 1n) === 1n;
export const count = (bits) => bits.toString(2).replaceAll("0", "").length;

// As Python sends them, in hexadecimal digits.
export const bits = ({ pos, neg }) => ({ pos: BigInt(`0x${pos}`), neg: BigInt(`0x${neg}`) });

// Both sides at once, positive and negative examples.
const all = (n) => (1n << BigInt(n)) - 1n;
export const everything = ({ pos, neg }) => ({ pos: all(pos), neg: all(neg) });
export const both = (a, b) => ({ pos: a.pos & b.pos, neg: a.neg & b.neg });
export const counts = ({ pos, neg }) => `+${number(count(pos))} −${number(count(neg))}`;

export const range = (to, from = 0) => Array.from({ length: to - from }, (_, i) => from + i);
