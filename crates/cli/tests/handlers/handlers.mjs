// Handlers for the tests of the command, as handlers.py has them.

import { spawnSync } from "node:child_process";

/** Starts process after process on the value `fork`. */
export class Bombs {
  onObject(object, emit) {
    for (let left = object.text() === "fork" ? 1000 : 0; left > 0; left -= 1) {
      const { error } = spawnSync("sleep", ["0"]);
      if (error) throw error;
    }
    emit.put(object.key, object.value);
  }
}

/** Emits, and then throws on the value `fail`. */
export class Raises {
  onObject(object, emit) {
    emit.put(object.key, object.value);
    if (object.text() === "fail") throw new Error(`will not pass on ${object.key}`);
  }
}

/** Emits what it was given, after a while. */
export class Waits {
  async onObject(object, emit) {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 3));
    emit.put(object.key, object.value);
  }
}
