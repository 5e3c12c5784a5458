/** Asks a slow service about each key, many at a time, and emits what it answers. */
export class Fetch {
  static parameters = { url: { type: "text", default: "http://127.0.0.1:8080" } };

  /** @param {import("upcall").Context} context */
  open({ settings }) {
    this.url = settings.url ?? Fetch.parameters.url.default;
  }

  /**
   * @param {import("upcall").FlowObject} object
   * @param {import("upcall").Emit} emit
   */
  async onObject(object, emit) {
    // Connections are kept and used again; the signal ends the request when nobody waits for it any more.
    const answer = await fetch(`${this.url}/${encodeURIComponent(object.key)}`, { signal: object.signal });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${answer.url}: ${answer.status} ${answer.statusText}`);
    emit.put(object.key, text);
  }
}
