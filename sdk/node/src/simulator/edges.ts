/** Reads lists of edges. */

import { readFileSync } from "node:fs";
import type { Edge } from "../graph/csr.js";
import type { Numeric } from "../numbers.js";
import { told } from "../told.js";

/**
 * The edges in a file: two vertices and, perhaps, a value on each line, between spaces, tabs or commas; lines that begin with `#` or
 * `%` are comments. Values are numbers, or bigints where `bigints` says so.
 */
export function readEdges(file: string, { bigints = false }: { bigints?: boolean } = {}): Edge[] {
  const edges: Edge[] = [];
  readFileSync(file, "utf8").split("\n").forEach((line, index) => {
    const words = line.split(/[\s,]+/).filter((word) => word !== "");
    if (words.length === 0 || /^[#%]/.test(words[0]!)) return;
    const [source, destination, value] = words;
    const vertices = [source, destination].map(Number);
    if (words.length > 3 || !vertices.every((vertex) => vertex >>> 0 === vertex)) {
      throw new Error(`${file}, line ${index + 1}: ${told(line.trim())} is no edge: write two vertices and, perhaps, a value`);
    }
    const [from, to] = vertices as [number, number];
    edges.push(value === undefined ? [from, to] : [from, to, number(value, bigints, `${file}, line ${index + 1}`)]);
  });
  return edges;
}

function number(text: string, bigints: boolean, where: string): Numeric {
  if (bigints && /^[+-]?\d+$/.test(text)) return BigInt(text);
  const value = Number(text);
  if (bigints || (Number.isNaN(value) && text.toLowerCase() !== "nan")) {
    throw new Error(`${where}: ${told(text)} is no value of an edge`);
  }
  return value;
}
