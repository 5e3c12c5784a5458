import {
  ZSTD_CONTENTSIZE_ERROR, ZSTD_CONTENTSIZE_UNKNOWN, ZSTD_EndDirective, ZSTD_VERSION_STRING, ZSTD_cParameter, ZSTD_CCtx_setParameter,
  ZSTD_compress, ZSTD_compressBound, ZSTD_compressStream2, ZSTD_createCCtx, ZSTD_decompress, ZSTD_freeCCtx, ZSTD_getErrorName,
  ZSTD_getFrameContentSize, ZSTD_inBuffer, ZSTD_isError, ZSTD_outBuffer, ZSTD_versionString, addressOf, textAt,
} from "./build/typescript";

declare const console: { log(text: string): void };
declare const Buffer: { from(text: string): Uint8Array };

function checked(code: number): number {
  if (ZSTD_isError(code)) throw new Error(textAt(ZSTD_getErrorName(code)) ?? `error ${code}`);
  return code;
}

/** In one call. */
function compressed(source: Uint8Array): Uint8Array {
  const made = new Uint8Array(ZSTD_compressBound(source.length));
  return made.subarray(0, checked(ZSTD_compress(made, made.length, source, source.length, 3)));
}

function decompressed(source: Uint8Array): Uint8Array {
  const size = ZSTD_getFrameContentSize(source, source.length);
  if (size === ZSTD_CONTENTSIZE_ERROR || size === ZSTD_CONTENTSIZE_UNKNOWN) throw new Error("not a frame of a known size");
  const made = new Uint8Array(Number(size));
  return made.subarray(0, checked(ZSTD_decompress(made, made.length, source, source.length)));
}

/** Piece by piece. */
function streamed(source: Uint8Array): Uint8Array {
  const context = ZSTD_createCCtx();
  checked(ZSTD_CCtx_setParameter(context, ZSTD_cParameter.ZSTD_c_checksumFlag, 1));
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

const source = Buffer.from("to be or not to be, that is the question; ".repeat(100));
console.log(`version ${textAt(ZSTD_versionString()) === ZSTD_VERSION_STRING ? "of the header" : ZSTD_VERSION_STRING}`);
const [whole, pieces] = [compressed(source), streamed(source)];
console.log(`${source.length} bytes, a tenth or less: ${[whole, pieces].every((made) => made.length * 10 <= source.length)}`);
const same = [whole, pieces].every((from) => decompressed(from).every((byte, index) => byte === source[index]));
console.log(`back ${decompressed(whole).length}, ${same ? "the same" : "others"}`);
try {
  checked(ZSTD_decompress(new Uint8Array(1), 1, whole, whole.length));
} catch (error) {
  console.log(`error: ${(error as Error).message}`);
}
