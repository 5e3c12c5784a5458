// The demo of GraphChi's port to JavaScript: two numbers, an update that makes a third of them, and whatever lies around the update.
// It runs in a program of its own, after npm install: node fibonacci.mjs
import { Simulator } from "upcall/simulator";

/** Two numbers, of which the first becomes the second, and the second what an update says. */
class Updater {
  #simulator;
  #update;

  constructor(first, second) {
    const updater = this;
    // One vertex with an edge to itself: it keeps the first number, and sees the second on the edge.
    class Program {
      static own = "f64";
      static shown = "f64";

      start(vertex) {
        vertex.own = first;
        vertex.show(second);
      }

      update(vertex) {
        const seen = vertex.incoming.shown(0);
        vertex.show(updater.#update(vertex.own, seen));
        vertex.own = seen;
      }
    }
    this.#simulator = new Simulator(Program, { edges: [[0, 0]] });
  }

  setUpdate(update) {
    this.#update = update;
  }

  /** Ten iterations. */
  run() {
    return this.#simulator.run({ iterations: 10 });
  }

  vertex() {
    return this.#simulator.ran().own[0];
  }
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
