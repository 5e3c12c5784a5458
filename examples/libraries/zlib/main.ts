import {
  Out, ZLIB_VERSION, Z_DEFAULT_COMPRESSION, Z_FINISH, Z_OK, Z_STREAM_END, addressOf, compress, compressBound, crc32, deflate, deflateEnd,
  deflateInit_, textAt, uncompress, zError, z_stream, zlibVersion,
} from "./build/typescript";

declare const console: { log(text: string): void };
declare const Buffer: { from(text: string): Uint8Array };

function check(code: number): void {
  if (code !== Z_OK) throw new Error(textAt(zError(code)) ?? `error ${code}`);
}

/** In one call. */
function compressed(source: Uint8Array): Uint8Array {
  const made = new Uint8Array(Number(compressBound(source.length)));
  const length = Out.u64(made.length);
  check(compress(made, length, source, source.length));
  return made.subarray(0, Number(length.value));
}

function uncompressed(source: Uint8Array, size: number): Uint8Array {
  const made = new Uint8Array(size);
  const length = Out.u64(size);
  check(uncompress(made, length, source, source.length));
  return made.subarray(0, Number(length.value));
}

/** Piece by piece. */
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

const text = "to be or not to be, that is the question; ".repeat(100);
const source = Buffer.from(text);
console.log(`version ${textAt(zlibVersion()) === ZLIB_VERSION ? "of the header" : ZLIB_VERSION}`);
const [whole, pieces] = [compressed(source), deflated(source)];
console.log(`${source.length} bytes, a tenth or less: ${[whole, pieces].every((made) => made.length * 10 <= source.length)}`);
const back = uncompressed(pieces, source.length);
console.log(`back ${back.length}, ${crc32(0, back, back.length) === crc32(0, source, source.length) ? "the same" : "others"}`);
try {
  uncompressed(source, source.length);
} catch (error) {
  console.log(`error: ${(error as Error).message}`);
}
