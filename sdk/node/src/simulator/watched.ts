/** Finds what a program has written that is not its own to write. */

import type { Columns, Edged } from "../graph/columns.js";
import type { Declared } from "../graph/declared.js";

/** A column of which a program writes the elements of its own vertices, if any. */
interface Column {
  readonly name: string;
  readonly at: number;
  readonly bytes: number;
  readonly count: number;
  readonly written: boolean;
  /** Whether its elements are those of vertices. */
  readonly vertices: boolean;
}

/** Columns as they were before a program was called. */
export class Watched {
  private readonly columns: readonly Column[];
  private readonly before: readonly Uint8Array[];

  constructor(private readonly of: Columns, { own, shown, edge, outgoing }: Declared) {
    const { vertices, edges } = of.csr;
    const all = (name: string, at: number, bytes: number, written = false): Column => ({
      name, at, bytes, count: vertices, written, vertices: true,
    });
    const side = (name: string, { begins, ids, places }: Edged): Column[] => [
      all(`begins of ${name} edges`, begins, 8),
      { name: `ids of ${name} edges`, at: ids, bytes: 4, count: edges, written: false, vertices: false },
      { name: `places of values of ${name} edges`, at: places, bytes: 8, count: edges, written: false, vertices: false },
    ];
    this.columns = [
      all("own", of.own, own?.bytes ?? 0, true),
      all("next", of.next, shown.bytes, true),
      all("what vertices showed", of.shown, shown.bytes),
      all("outDegrees", of.outDegrees, 4),
      { name: "values of edges", at: of.values, bytes: edge?.bytes ?? 0, count: edges, written: false, vertices: false },
      ...side("incoming", of.incoming),
      ...(outgoing ? side("outgoing", of.outgoing) : []),
    ];
    this.before = this.columns.map(({ at, bytes, count }) => of.room.memory.bytes.slice(at, at + bytes * count));
  }

  /** Throws where anything else was written than what these vertices have. */
  check(ids: readonly number[]): void {
    const { bytes: now } = this.of.room.memory;
    const mine = new Set(ids);
    this.columns.forEach(({ name, at, bytes, count, written, vertices }, index) => {
      const before = this.before[index]!;
      for (let element = 0; element < count; element++) {
        if (written && mine.has(element)) continue;
        for (let byte = bytes * element; byte < bytes * (element + 1); byte++) {
          if (now[at + byte] === before[byte]) continue;
          const whose = vertices ? ` of vertex ${element}` : ` at ${element}`;
          throw new Error(`${name}${whose} was written: a program writes own and next of the vertices that it is given, and nothing else`);
        }
      }
    });
  }
}
