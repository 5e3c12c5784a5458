/** What the host gives, and the log. */

// @ts-ignore: decorator
@external("upcall", "grow")
export declare function hostGrow(need: u64, place: usize): i32;
// @ts-ignore: decorator
@external("upcall", "read")
export declare function hostRead(query: usize, found: usize): i32;
// @ts-ignore: decorator
@external("upcall", "log")
declare function hostLog(level: u32, text: usize, length: usize): void;
// @ts-ignore: decorator
@external("upcall", "failed")
declare function hostFailed(text: usize, length: usize, place: usize, placeLength: usize): void;

function write(level: u32, text: string): void {
  const line = String.UTF8.encode(text);
  hostLog(level, changetype<usize>(line), line.byteLength);
}

/** Lines of the engine's log, under the handler's name. */
export namespace log {
  export function error(text: string): void {
    write(1, text);
  }
  export function warn(text: string): void {
    write(2, text);
  }
  export function info(text: string): void {
    write(3, text);
  }
  export function debug(text: string): void {
    write(4, text);
  }
}

/** What a `throw` and whatever else ends an instance calls: `--use abort=~lib/upcall/host/abort`. */
export function abort(message: string | null, file: string | null, line: u32, column: u32): void {
  const said = String.UTF8.encode(message === null ? "it was aborted" : message);
  const source = file === null ? "?" : file;
  const place = String.UTF8.encode(`at ${source}:${line}:${column}`);
  hostFailed(changetype<usize>(said), said.byteLength, changetype<usize>(place), place.byteLength);
  unreachable();
}
