/** Where programs find each other. */

import { checked, type NativePort, type NativePublished } from "./native.js";

/** Where other programs may connect to, by `connect`, until it is closed. */
export class Port {
  /** @internal */
  constructor(private readonly native: NativePort) {}

  /** Its name, which others are told. */
  get name(): string {
    return checked(() => this.native.name_());
  }

  /** Tells others its name under that of a service, until what is returned is closed. */
  publish(service: string): Published {
    return new Published(checked(() => this.native.publish(service)));
  }

  /** Closes it. A second time does nothing. */
  close(): void {
    checked(() => this.native.release());
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** The name of a port under that of a service, until it is taken back. */
export class Published {
  /** @internal */
  constructor(private readonly native: NativePublished) {}

  /** Takes it back. A second time does nothing. */
  close(): void {
    checked(() => this.native.release());
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
