/** Greets whoever a line names. */
export class Greeter {
  /**
   * @param {import("upcall").FlowObject} object
   * @param {import("upcall").Emit} emit
   */
  onObject(object, emit) {
    const name = object.text();
    if (name.trim() === "") throw new Error("nobody is named");
    emit.put(object.key, `Hello, ${name}!`);
  }
}
