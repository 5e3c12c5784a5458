// Text made small and large again, by zstd.h: in one call, and piece by piece.

import {
  ZSTD_CCtx_setParameter, ZSTD_EndDirective, ZSTD_cParameter, ZSTD_compress, ZSTD_compressBound, ZSTD_compressStream2, ZSTD_createCCtx,
  ZSTD_decompress, ZSTD_freeCCtx, ZSTD_getErrorName, ZSTD_getFrameContentSize, ZSTD_inBuffer, ZSTD_isError, ZSTD_outBuffer, addressOf, textAt,
} from "./build/typescript";

declare const console: { log(text: string): void };
declare const Buffer: { from(text: string): Uint8Array; compare(one: Uint8Array, other: Uint8Array): number };

function checked(size: number | bigint): number {
  if (ZSTD_isError(size)) throw new Error(textAt(ZSTD_getErrorName(size)) ?? `error ${size}`);
  return Number(size);
}

/** The data as one frame. */
function compressed(source: Uint8Array, level: number): Uint8Array {
  const made = new Uint8Array(ZSTD_compressBound(source.length));
  return made.subarray(0, checked(ZSTD_compress(made, made.length, source, source.length, level)));
}

/** What is in a frame that says how much that is. */
function decompressed(frame: Uint8Array): Uint8Array {
  const made = new Uint8Array(checked(ZSTD_getFrameContentSize(frame, frame.length)));
  return made.subarray(0, checked(ZSTD_decompress(made, made.length, frame, frame.length)));
}

/** The data as one frame, made in pieces of 32 bytes. */
function compressedInPieces(source: Uint8Array, level: number): Uint8Array {
  const context = ZSTD_createCCtx();
  checked(ZSTD_CCtx_setParameter(context, ZSTD_cParameter.ZSTD_c_compressionLevel, level));
  const room = new Uint8Array(32);
  const input = new ZSTD_inBuffer({ src: addressOf(source), size: source.length });
  const made: number[] = [];
  for (let left = 1; left > 0; ) {
    const output = new ZSTD_outBuffer({ dst: addressOf(room), size: room.length });
    left = checked(ZSTD_compressStream2(context, output, input, ZSTD_EndDirective.ZSTD_e_end));
    made.push(...room.subarray(0, output.pos));
  }
  checked(ZSTD_freeCCtx(context));
  return Uint8Array.from(made);
}

const yes = (right: boolean) => (right ? "yes" : "no");

const text = Buffer.from("The quick brown fox jumps over the lazy dog. ".repeat(100));
const small = [compressed(text, 19), compressedInPieces(text, 19)];
console.log(`${text.length} bytes, compressed to less than 100: ${yes(small.every((frame) => frame.length < 100))}`);
console.log(`the same again: ${yes(small.every((frame) => Buffer.compare(decompressed(frame), text) === 0))}`);
try {
  decompressed(Buffer.from("no zstd frame"));
} catch (error) {
  console.log(`error: ${(error as Error).message}`);
}
