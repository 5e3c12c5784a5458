import { parentPort } from "node:worker_threads";
import { Environment } from "upcall/mpi";

try {
  Environment.start();
} catch (error) {
  parentPort.postMessage([error.message, Environment.isInitialized, Environment.isFinalized]);
}
