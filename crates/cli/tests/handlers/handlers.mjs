// Handlers for the tests of the command, as handlers.py has them.

/** Emits, and then throws on the value `fail`. */
export class Raises {
  onObject(object, emit) {
    emit.put(object.key, object.value);
    if (object.text() === "fail") throw new Error(`will not pass on ${object.key}`);
  }
}
