// Runs JavaScript's simulator once for each line of a list: the program's file and class, the edges' file, how many vertices there are,
// whether edges have directions, the most iterations, and the file that takes what vertices show and keep. It is given to `node -e` in the
// folder of the package, whose name means that one there.

import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { Simulator } from "upcall/simulator";

for (const line of readFileSync(process.argv[1], "utf8").trimEnd().split("\n")) {
  const [file, name, edges, vertices, directed, iterations, to] = line.split("\t");
  const program = (await import(pathToFileURL(file)))[name];
  const simulator = new Simulator(program, { edges, vertices: Number(vertices), directed: directed === "true" });
  const { shown, own } = await simulator.run({ iterations: Number(iterations) });
  const row = (number, vertex) => [vertex, number, ...(own === undefined ? [] : [own[vertex]])].join("\t");
  writeFileSync(to, Array.from(shown, row).join("\n"));
}
