// Ways in which a rank may end while the others wait for it, or not.
import { Environment } from "upcall/mpi";

const how = process.argv[2];
const mpi = Environment.start();
const { world } = mpi;
const last = world.rank === world.size - 1;

/** Waits for a message that nobody sends. */
const forEver = () => world.receive(Uint8Array, world.rank, 99);

if (how === "throws") {
  if (last) throw new RangeError("beyond the pale");
  forEver();
} else if (how === "rejects") {
  if (last) await Promise.reject(new RangeError("beyond the pale"));
  forEver();
} else if (how === "disposes") {
  // What `using` does.
  try {
    if (last) throw new RangeError("beyond the pale");
    forEver();
  } finally {
    mpi[Symbol.dispose]();
  }
} else if (how === "exits") {
  if (last) process.exit(3);
  forEver();
} else if (how === "catches") {
  process.on("uncaughtException", () => {
    console.log("caught");
    world.barrier();
    mpi.finish();
  });
  setTimeout(() => {
    throw new RangeError("beyond the pale");
  });
} else if (how === "leaves") {
  // MPI is finalized at the exit.
  world.barrier();
  console.log("left");
} else {
  mpi[Symbol.dispose]();
  try {
    world.barrier();
  } catch (error) {
    console.log(error.kind);
  }
}
