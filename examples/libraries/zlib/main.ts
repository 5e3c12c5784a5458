// Text made small and large again, by zlib.h: in one call, and piece by piece.

import {
  Out, ZLIB_VERSION, Z_DEFAULT_COMPRESSION, Z_FINISH, Z_OK, Z_STREAM_END, addressOf, compress, compressBound, crc32, deflate, deflateEnd,
  deflateInit_, textAt, uncompress, zError, z_stream,
} from "./build/typescript";

declare const console: { log(text: string): void };
declare const Buffer: { from(text: string): Uint8Array; compare(one: Uint8Array, other: Uint8Array): number };

function check(code: number): void {
  if (code !== Z_OK) throw new Error(textAt(zError(code)) ?? `error ${code}`);
}

/** The data in zlib's format. */
function compressed(source: Uint8Array): Uint8Array {
  const made = new Uint8Array(Number(compressBound(source.length)));
  const length = Out.u64(made.length);
  check(compress(made, length, source, source.length));
  return made.subarray(0, Number(length.value));
}

/** What was compressed: at most so many bytes. */
function uncompressed(source: Uint8Array, most: number): Uint8Array {
  const made = new Uint8Array(most);
  const length = Out.u64(most);
  check(uncompress(made, length, source, source.length));
  return made.subarray(0, Number(length.value));
}

/** The data in zlib's format, made in pieces of 64 bytes. */
function deflated(source: Uint8Array): Uint8Array {
  const room = new Uint8Array(64);
  const stream = new z_stream({ next_in: addressOf(source), avail_in: source.length });
  check(deflateInit_(stream, Z_DEFAULT_COMPRESSION, ZLIB_VERSION, z_stream.size));
  const made: number[] = [];
  let code = Z_OK;
  while (code === Z_OK) {
    stream.next_out = addressOf(room);
    stream.avail_out = room.length;
    code = deflate(stream, Z_FINISH);
    made.push(...room.subarray(0, room.length - stream.avail_out));
  }
  if (code !== Z_STREAM_END) check(code);
  check(deflateEnd(stream));
  return Uint8Array.from(made);
}

const yes = (right: boolean) => (right ? "yes" : "no");

const text = Buffer.from("The quick brown fox jumps over the lazy dog. ".repeat(100));
const small = [compressed(text), deflated(text)];
console.log(`${text.length} bytes, compressed to less than 100: ${yes(small.every((data) => data.length < 100))}`);
console.log(`checksum ${crc32(0, text, text.length).toString(16)}`);
console.log(`the same again: ${yes(small.every((data) => Buffer.compare(uncompressed(data, text.length), text) === 0))}`);
try {
  uncompressed(Buffer.from("no zlib stream"), 100);
} catch (error) {
  console.log(`error: ${(error as Error).message}`);
}
