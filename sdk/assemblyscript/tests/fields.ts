/** Programs that say what they need by fields, in a constructor, or by both. */

import { Context, Gather, GatherProgram, IntervalProgram, None, Vertex, VertexProgram, Vertices, handler } from "upcall";

abstract class Program extends VertexProgram<f64, None, f64> {
  update(vertex: Vertex<f64, None, f64>, context: Context): void {}
}

class Alone extends Program {
  outgoing: bool = true;
  selective: bool = true;
  writes: bool = true;
}

class WithConstructor extends Program {
  outgoing: bool = true;
  selective: bool = true;
  writes: bool = true;

  constructor(private times: i32) {
    super();
    this.times += 1;
  }
}

class WithoutValues extends Program {
  outgoing: bool;
  selective: bool;
  writes: bool;

  constructor() {
    super();
    this.outgoing = true;
    this.selective = true;
    this.writes = true;
  }
}

class OfConstructor extends Program {
  constructor() {
    super();
    this.outgoing = true;
    this.selective = true;
    this.writes = true;
  }
}

class Inherited extends Alone {}

class InheritedWithConstructor extends WithConstructor {
  constructor() {
    super(1);
  }
}

class TakenBack extends Alone {
  constructor() {
    super();
    this.writes = false;
  }
}

class AtOnce extends IntervalProgram<f64, None, f64> {
  outgoing: bool = true;
  selective: bool = true;
  writes: bool = true;

  constructor() {
    super();
  }

  interval(vertices: Vertices<f64, None, f64>, context: Context): void {}
}

class Gathered extends GatherProgram<f64, None, f64, f64> {
  gather: Gather = Gather.SUM;
  outgoing: bool = true;
  selective: bool = true;
  writes: bool = true;

  constructor() {
    super();
  }

  apply(vertex: Vertex<f64, None, f64>, gathered: f64, context: Context): void {}
}

handler("fields alone", () => new Alone());
handler("fields with a constructor", () => new WithConstructor(1));
handler("fields without values", () => new WithoutValues());
handler("fields of a constructor", () => new OfConstructor());
handler("fields inherited", () => new Inherited());
handler("fields inherited with a constructor", () => new InheritedWithConstructor());
handler("fields taken back", () => new TakenBack());
handler("fields at once", () => new AtOnce());
handler("fields gathered", () => new Gathered());
