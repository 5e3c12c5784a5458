/** The word count's handlers in AssemblyScript, for WebAssembly: one splits lines, one counts. */

import { Emit, FlowObject, Handler, handler } from "upcall";
export * from "upcall/exports";

/** Emits each word of a line: the word is the key, the value is empty. */
class Splitter extends Handler {
  onObject(line: FlowObject, emit: Emit): void {
    const text = line.text();
    let start = -1;
    for (let at = 0; at <= text.length; at++) {
      const letter = at < text.length ? text.charCodeAt(at) : 0;
      const isLetter = (letter >= 0x41 && letter <= 0x5a) || (letter >= 0x61 && letter <= 0x7a);
      if (isLetter && start < 0) start = at;
      if (!isLetter && start >= 0) {
        emit.put(text.substring(start, at).toLowerCase(), "");
        start = -1;
      }
    }
  }
}

/** Keeps a count per word, and emits it. */
class Counter extends Handler {
  private counts: Map<string, u64> = new Map();

  onObject(word: FlowObject, emit: Emit): void {
    const key = word.key;
    const count = (this.counts.has(key) ? this.counts.get(key) : 0) + 1;
    this.counts.set(key, count);
    emit.put<u64>(key, count);
  }
}

handler("splitter", () => new Splitter());
handler("counter", () => new Counter());
