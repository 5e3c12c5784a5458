"""Text made small and large again, by zstd.h: in one call, and piece by piece."""

from ctypes import addressof, create_string_buffer

import zstd_native as zstd


def compressed(data: bytes, level: int) -> bytes:
    """The data as one frame."""
    room = bytearray(zstd.ZSTD_compressBound(len(data)))
    size = checked(zstd.ZSTD_compress(room, len(room), data, len(data), level))
    return bytes(room[:size])


def compressed_in_pieces(data: bytes, level: int) -> bytes:
    """The data as one frame, made in pieces of 32 bytes."""
    source, room = create_string_buffer(data, len(data)), create_string_buffer(32)
    taken = zstd.ZSTD_inBuffer(src=addressof(source), size=len(data))
    made = bytearray()
    context = zstd.ZSTD_createCCtx()
    try:
        checked(zstd.ZSTD_CCtx_setParameter(context, zstd.ZSTD_cParameter.ZSTD_c_compressionLevel, level))
        left = 1
        while left > 0:
            given = zstd.ZSTD_outBuffer(dst=addressof(room), size=len(room))
            left = checked(zstd.ZSTD_compressStream2(context, given, taken, zstd.ZSTD_EndDirective.ZSTD_e_end))
            made += room.raw[: given.pos]
    finally:
        zstd.ZSTD_freeCCtx(context)
    return bytes(made)


def uncompressed(frame: bytes) -> bytes:
    """What is in a frame that says how much that is."""
    room = bytearray(checked(zstd.ZSTD_getFrameContentSize(frame, len(frame))))
    size = checked(zstd.ZSTD_decompress(room, len(room), frame, len(frame)))
    return bytes(room[:size])


def checked(size: int) -> int:
    if zstd.ZSTD_isError(size):
        raise ValueError(str(zstd.ZSTD_getErrorName(size)))
    return size


def yes(right: bool) -> str:
    return "yes" if right else "no"


def main() -> None:
    text = ("The quick brown fox jumps over the lazy dog. " * 100).encode()
    small = [compressed(text, 19), compressed_in_pieces(text, 19)]
    print(f"{len(text)} bytes, compressed to less than 100: {yes(all(len(frame) < 100 for frame in small))}")
    print(f"the same again: {yes(all(uncompressed(frame) == text for frame in small))}")
    try:
        uncompressed(b"no zstd frame")
    except ValueError as error:
        print(f"error: {error}")


main()
