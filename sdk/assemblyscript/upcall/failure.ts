/** What a frame says of a failure. */

import { Head, at, length } from "./abi";

/** Writes a text, up to the end of a character; how many bytes it took. */
export function write(to: usize, room: usize, said: string): usize {
  const bytes = String.UTF8.encode(said);
  const start = changetype<usize>(bytes);
  let length: usize = bytes.byteLength;
  if (length > room) {
    length = room;
    while (length > 0 && (load<u8>(start + length) & 0xc0) == 0x80) length--;
  }
  memory.copy(to, start, length);
  return length;
}

/** Says in a frame why it has failed, and at which item. */
export function failed(frame: usize, item: u32, why: string): i32 {
  const to = at(frame + Head.TEXT);
  const room = length(frame + Head.TEXT);
  const type = write(to, room, "failure");
  store<u32>(frame, <u32>type, Head.TYPE_LEN);
  store<u32>(frame, <u32>write(to + type, room - type, why), Head.MESSAGE_LEN);
  store<u32>(frame, 0, Head.STACK_LEN);
  store<u32>(frame, item, Head.ITEM);
  return 1;
}
