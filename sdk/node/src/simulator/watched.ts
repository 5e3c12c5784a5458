/** Finds what a program has written that is not its own to write. */

import type { Columns, Edged } from "../graph/columns.js";
import type { Declared } from "../graph/declared.js";
import type { Memory } from "../memory.js";

/** Elements in memory that a program sees. */
export interface Column {
  readonly name: string;
  readonly at: number;
  /** Of each element. */
  readonly bytes: number;
  readonly count: number;
  /** Whether a program writes the elements of the vertices that it is given, whose places are their numbers. */
  readonly written: boolean;
  /** Whose an element is: ` of vertex 3`. */
  whose(element: number): string;
}

/** Columns as they were before a program was called. */
export class Watched {
  private readonly before: readonly Uint8Array[];

  /** Takes also what a program may write, as a text. */
  constructor(private readonly memory: Memory, private readonly columns: readonly Column[], private readonly mine: string) {
    this.before = columns.map(({ at, bytes, count }) => memory.bytes.slice(at, at + bytes * count));
  }

  /** Throws where anything else was written than what these vertices have. */
  check(ids: readonly number[]): void {
    const { bytes: now } = this.memory;
    const mine = new Set(ids);
    this.columns.forEach(({ name, at, bytes, count, written, whose }, index) => {
      const before = this.before[index]!;
      for (let element = 0; element < count; element++) {
        if (written && mine.has(element)) continue;
        for (let byte = bytes * element; byte < bytes * (element + 1); byte++) {
          if (now[at + byte] === before[byte]) continue;
          throw new Error(
            `${name}${whose(element)} was written: a program writes ${this.mine} of the vertices that it is given, and nothing else`,
          );
        }
      }
    });
  }
}

const ofVertex = (element: number): string => ` of vertex ${element}`;
const atPlace = (element: number): string => ` at ${element}`;

/** What an interval of a program may write. */
export function writtenBy({ writes }: Declared): string {
  return writes ? "own, next and nextValues" : "own and next";
}

/** The columns of a whole graph. */
export function columnsOf(of: Columns, { own, shown, edge, seesOut }: Declared): Column[] {
  const { vertices, edges } = of.csr;
  const all = (name: string, at: number, bytes: number, written = false): Column => ({
    name, at, bytes, count: vertices, written, whose: ofVertex,
  });
  const ofEdges = (name: string, at: number, bytes: number): Column => ({
    name, at, bytes, count: edges, written: false, whose: atPlace,
  });
  const side = (name: string, { begins, ids, places }: Edged): Column[] => [
    all(`begins of ${name} edges`, begins, 8),
    ofEdges(`ids of ${name} edges`, ids, 4),
    ...(places === 0 ? [] : [ofEdges(`places of values of ${name} edges`, places, 8)]),
  ];
  return [
    all("own", of.own, own?.bytes ?? 0, true),
    all("next", of.next, shown.bytes, true),
    all("what vertices showed", of.shown, shown.bytes),
    all("outDegrees", of.outDegrees, 4),
    ofEdges("values of edges", of.values, edge?.bytes ?? 0),
    ...side("incoming", of.incoming),
    ...(seesOut ? side("outgoing", of.outgoing) : []),
  ];
}
