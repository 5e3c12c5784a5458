// The demo of GraphChi's port to JavaScript: two numbers, an update that makes a third of them, and whatever lies around the update.
// It runs in the simulator, or in the engine over the file of a graph that is named: ../README.md has the commands.
import { Simulator } from "upcall/simulator";

const TEN = { iterations: 10 };

/** Two numbers, of which the first becomes the second, and the second what an update says. */
class Updater {
  #first;
  #second;
  #update;

  constructor(first, second) {
    this.#first = first;
    this.#second = second;
  }

  setUpdate(update) {
    this.#update = update;
  }

  /** Ten iterations. */
  async run() {
    const updater = this;
    // One vertex with an edge to itself: it keeps the first number, and sees the second on the edge.
    class Program {
      static own = "f64";
      static shown = "f64";

      start(vertex) {
        vertex.own = updater.#first;
        vertex.show(updater.#second);
      }

      update(vertex) {
        const seen = vertex.incoming.shown(0);
        vertex.show(updater.#update(vertex.own, seen));
        vertex.own = seen;
      }
    }
    const { own, shown } = await run(Program);
    [this.#first, this.#second] = [own[0], shown[0]];
  }

  vertex() {
    return this.#first;
  }
}

const [, , file] = process.argv;
let run = (program) => new Simulator(program, { edges: [[0, 0]] }).run(TEN);
if (file !== undefined) {
  const { Graph } = await import("upcall/graph");
  const graph = Graph.map(file);
  run = (program) => graph.run(program, TEN);
}

let product = 1;
const sums = new Updater(0, 1);
sums.setUpdate((first, second) => {
  product *= second;
  return first + second;
});
for (const number of [10, 20]) {
  await sums.run();
  console.log(`Fibonacci number ${number} is ${sums.vertex()}, and the product of those before and itself ${product}`);
}
const products = new Updater(1, 2);
products.setUpdate((first, second) => first * second);
await products.run();
console.log(`2 to the power of Fibonacci number 10 is ${products.vertex()}`);
