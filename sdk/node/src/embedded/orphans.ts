/** What the engine has of a worker thread of Node's, which may be terminated at any moment: it ends with the thread. */

import { isMainThread } from "node:worker_threads";
import { library } from "../find.js";
import { addon } from "./addon.js";

/** The library, on such a thread. */
const loaded = isMainThread ? undefined : library();

const kept = new Set<Native>();

interface Native {
  _address(): number;
}

/** Has it released, by that function of the library, where this thread ends before it is forgotten. */
export function remember(release: string, native: Native): void {
  if (loaded === undefined) return;
  addon.remember(loaded, release, native._address());
  kept.add(native);
}

/** To be called before it is released. */
export function forget(native: Native): void {
  if (kept.delete(native)) addon.forget(native._address());
}
