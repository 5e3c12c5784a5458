/** Frames of vertices: from one to the methods of a vertex program and back. */

import { About, Edges, Kind, NO_ITEM, Phase, VertexFrame, VertexTally, at, length, nextValues, tellsOfInterval } from "./abi";
import { Body } from "./body";
import { Context, begin, failure, hasFailed, scheduleTo } from "./context";
import { Emit } from "./emit";
import { failed } from "./failure";
import { numberName, sizeOf } from "./number";
import { Open } from "./open";
import { AnyProgram, Gather, Interval, Iteration } from "./program";
import { Vertex } from "./vertex";

/** No interval begins there. */
const NONE: u64 = u64.MAX_VALUE;

export class GraphBody<Shown, Own, Edge> extends Body {
  private vertex: Vertex<Shown, Own, Edge> = new Vertex<Shown, Own, Edge>();
  private context: Context = new Context();
  private opened: bool = false;
  /** Whether the program was told of the iteration. */
  private begun: bool = false;
  /** The first vertex and the pass of the interval that it was told of in this iteration. */
  private first: u64 = NONE;
  private pass: u64 = 0;

  constructor(private program: AnyProgram<Shown, Own, Edge>) {
    super();
  }

  kind(): u16 {
    return Kind.VERTEX;
  }

  kindName(): string {
    return "VERTEX";
  }

  flaw(): string | null {
    const program = this.program;
    if (program.writes && isReference<Edge>()) {
      return "it writes values of edges: declare their type as Edge, `extends VertexProgram<f64, None, f64>`";
    }
    if (program.form() != "gather") return null;
    const gather = program.gathers();
    if (gather == Gather.NONE) {
      return "it does not say how neighbours are gathered: add `gather: Gather = Gather.SUM` to it, or MIN, MAX or COUNT";
    }
    const comes = gather == Gather.SUM || gather == Gather.COUNT ? "f64" : numberName<Shown>();
    const taken = program.gathered();
    return comes == taken ? null : `its neighbours come to ${comes}, and it takes ${taken}: make that the third type of its GatherProgram`;
  }

  describe(emit: Emit): void {
    const program = this.program;
    emit.putTo(About.FORM, program.form(), "");
    if (!isReference<Own>()) emit.putTo(About.VALUE, "own", numberName<Own>());
    emit.putTo(About.VALUE, "shown", numberName<Shown>());
    if (!isReference<Edge>()) emit.putTo(About.VALUE, "edge", numberName<Edge>());
    if (program.outgoing) emit.putTo(About.NEEDS, "outgoing", "");
    if (program.selective) emit.putTo(About.NEEDS, "selective", "");
    if (program.writes) emit.putTo(About.NEEDS, "writes", "");
    const names: StaticArray<string> = ["", "sum", "min", "max", "count"];
    const gather = program.gathers();
    if (gather != Gather.NONE) emit.putTo(About.GATHER, names[gather], "");
  }

  open(open: Open): void {
    this.context.vertices = open.vertices;
    this.context.edges = open.edges;
    this.context.directed = open.directed;
    this.opened = true;
  }

  call(frame: usize): i32 {
    if (!this.opened) return failed(frame, NO_ITEM, "the handler was called before OPEN, which says what graph it is");
    const phase = load<u32>(frame, VertexFrame.PHASE);
    const iteration = load<u64>(frame, VertexFrame.ITERATION);
    const total = load<f64>(frame, VertexFrame.TOTAL);
    if (phase == Phase.AFTER) {
      this.begun = false;
      const ended = this.program.afterIteration(
        new Iteration(
          iteration,
          load<u64>(frame, VertexFrame.UPDATED),
          load<u64>(frame, VertexFrame.SCHEDULED),
          load<f64>(frame, VertexFrame.RESIDUAL),
          total,
        ),
      );
      store<u32>(frame, ended ? 1 : 0, VertexFrame.ENDED);
      return 0;
    }
    if (phase == Phase.INTERVAL) return this.afterInterval(frame);
    if (phase > Phase.INTERVAL) {
      const why = "the frame has a phase that this handler's SDK does not know: compile it with one as new as the engine";
      return failed(frame, NO_ITEM, why);
    }
    if (!this.whole(frame, phase == Phase.START)) {
      return failed(frame, NO_ITEM, "the frame's arrays are not as many elements as it says: the engine breaks the rules");
    }
    const context = this.context;
    const vertex = this.vertex;
    context.iteration = iteration;
    context.total = total;
    store<u64>(frame, 0, VertexFrame.WAKES);
    const woken = frame + VertexFrame.WOKEN;
    scheduleTo(at(woken), length(woken), frame + VertexFrame.WAKES, context.vertices, this.program.selective);
    begin();
    const starts = phase == Phase.START;
    if (starts || !this.begun) this.first = NONE;
    if (!starts && !this.begun) this.program.beforeIteration(iteration, total);
    this.begun = !starts;
    if (!starts) this.beforeInterval(frame);
    const writes = this.program.writes && !starts;
    vertex.open(frame, starts, this.program.outgoingOf(frame, context.directed), writes);
    const count = <usize>load<u64>(frame, VertexFrame.COUNT);
    const status = starts ? this.start(frame, count) : this.program.handOver(frame, count, vertex, context);
    vertex.close();
    return status;
  }

  /** Tells the program of the interval that a frame's vertices are of, unless it was told. */
  private beforeInterval(frame: usize): void {
    if (!tellsOfInterval(frame)) return;
    const first = load<u64>(frame, VertexFrame.INTERVAL_FIRST);
    const pass = load<u64>(frame, VertexFrame.PASS);
    if (first == this.first && pass == this.pass) return;
    this.first = first;
    this.pass = pass;
    this.program.beforeInterval(this.interval(frame, 0, 0, 0));
  }

  private afterInterval(frame: usize): i32 {
    if (!tellsOfInterval(frame)) {
      return failed(frame, NO_ITEM, "a frame about an interval does not say which: the engine breaks the rules");
    }
    const updated = load<u64>(frame, VertexFrame.UPDATED);
    const interval = this.interval(frame, updated, load<f64>(frame, VertexFrame.RESIDUAL), load<f64>(frame, VertexFrame.TOTAL));
    this.program.afterInterval(interval);
    store<u32>(frame, this.program.repeatUpdates(interval) ? 1 : 0, VertexFrame.ENDED);
    return 0;
  }

  private interval(frame: usize, updated: u64, residual: f64, total: f64): Interval {
    return new Interval(
      load<u64>(frame, VertexFrame.ITERATION),
      load<u64>(frame, VertexFrame.INTERVAL_FIRST),
      load<u64>(frame, VertexFrame.INTERVAL_END),
      load<u64>(frame, VertexFrame.PASS),
      updated,
      residual,
      total,
    );
  }

  private start(frame: usize, count: usize): i32 {
    const tallies = at(frame + VertexFrame.TALLIES);
    const shift = ctz(load<u32>(frame, VertexFrame.BLOCK));
    memory.fill(at(frame + VertexFrame.OWN), 0, length(frame + VertexFrame.OWN));
    memory.fill(at(frame + VertexFrame.NEXT), 0, length(frame + VertexFrame.NEXT));
    for (let index: usize = 0; index < count; index++) {
      this.context.tally = tallies + <usize>(this.vertex.move(index) >> shift) * VertexTally.SIZE;
      this.program.start(this.vertex, this.context);
      if (hasFailed()) return failed(frame, <u32>index, failure!);
    }
    return 0;
  }

  /** Whether the arrays of a frame are as many elements as it says. */
  private whole(frame: usize, starts: bool): bool {
    const count = <usize>load<u64>(frame, VertexFrame.COUNT);
    const block = load<u32>(frame, VertexFrame.BLOCK);
    const ids = frame + VertexFrame.IDS;
    const gathers = this.program.form() == "gather";
    if (popcnt(block) != 1) return false;
    if (length(frame + VertexFrame.OWN) != count * sizeOf<Own>()) return false;
    if (length(frame + VertexFrame.NEXT) != count * sizeOf<Shown>()) return false;
    if (length(frame + VertexFrame.OUT_DEGREES) != count) return false;
    if (!starts && length(frame + VertexFrame.BEFORE) != count * sizeOf<Shown>()) return false;
    if (length(ids) != 0 && length(ids) != count) return false;
    if (!this.side(frame + VertexFrame.INCOMING, count, !gathers)) return false;
    const program = this.program;
    const goesOut = program.writes || (program.outgoing && this.context.directed);
    if (!this.side(frame + VertexFrame.OUTGOING, count, goesOut && !starts)) return false;
    if (program.writes && !starts && !this.writable(frame, count)) return false;
    if (gathers && !starts) {
      const comes = this.program.gathered() == "f64" ? <usize>8 : sizeOf<Shown>();
      if (length(frame + VertexFrame.GATHERED) != count * comes) return false;
    }
    if (count == 0) return true;
    const first = load<u64>(frame, VertexFrame.FIRST);
    const last = length(ids) == 0 ? first + count - 1 : <u64>load<u32>(at(ids) + ((count - 1) << 2));
    return last >= first && (last - first) / block < <u64>length(frame + VertexFrame.TALLIES);
  }

  /** Whether a frame has room for the values of all outgoing edges. */
  private writable(frame: usize, count: usize): bool {
    const field = nextValues(frame);
    if (field == 0) return false;
    const begins = at(frame + VertexFrame.OUTGOING + Edges.BEGINS);
    const ends = at(frame + VertexFrame.OUTGOING + Edges.ENDS);
    let edges: u64 = 0;
    for (let index: usize = 0; index < count; index++) {
      const begin = load<u64>(begins + (index << 3));
      const end = load<u64>(ends + (index << 3));
      // Where they end within those of the frame is looked at when the vertex is.
      if (begin > end || end > <u64>u32.MAX_VALUE) return false;
      edges += end - begin;
    }
    return edges <= <u64>(isReference<Edge>() ? 0 : length(field) / sizeOf<Edge>());
  }

  private side(edges: usize, count: usize, wanted: bool): bool {
    const begins = length(edges + Edges.BEGINS);
    const ids = length(edges + Edges.IDS);
    const places = length(edges + Edges.PLACES);
    if (length(edges + Edges.ENDS) != begins || length(edges + Edges.AT) != ids) return false;
    if (begins != count && (wanted || begins != 0)) return false;
    if (isReference<Edge>() || ids == 0 || places == ids) return true;
    return places == 0 && length(edges + Edges.VALUES) >= ids * sizeOf<Edge>();
  }
}
