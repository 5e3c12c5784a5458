"""Text made small and large again, by zlib.h: in one call, and piece by piece."""

from ctypes import addressof, create_string_buffer

import zlib_native as zlib
from zlib_native import Out


def compressed(data: bytes) -> bytes:
    """The data in zlib's format."""
    size = Out(zlib.compressBound(len(data)))
    room = bytearray(size.value)
    check(zlib.compress(room, size, data, len(data)))
    return bytes(room[: size.value])


def deflated(data: bytes) -> bytes:
    """The data in zlib's format, made in pieces of 64 bytes."""
    source, room = create_string_buffer(data, len(data)), create_string_buffer(64)
    stream = zlib.z_stream(next_in=addressof(source), avail_in=len(data))
    check(zlib.deflateInit_(stream, zlib.Z_DEFAULT_COMPRESSION, zlib.ZLIB_VERSION, stream._size_))
    made = bytearray()
    status = zlib.Z_OK
    while status == zlib.Z_OK:
        stream.next_out = addressof(room)
        stream.avail_out = len(room)
        status = zlib.deflate(stream, zlib.Z_FINISH)
        made += room.raw[: len(room) - stream.avail_out]
    if status != zlib.Z_STREAM_END:
        check(status)
    check(zlib.deflateEnd(stream))
    return bytes(made)


def uncompressed(data: bytes, most: int) -> bytes:
    """What was compressed: at most so many bytes."""
    size = Out(most)
    room = bytearray(most)
    check(zlib.uncompress(room, size, data, len(data)))
    return bytes(room[: size.value])


def check(status: int) -> None:
    if status != zlib.Z_OK:
        raise ValueError(str(zlib.zError(status)))


def yes(right: bool) -> str:
    return "yes" if right else "no"


def main() -> None:
    text = ("The quick brown fox jumps over the lazy dog. " * 100).encode()
    small = [compressed(text), deflated(text)]
    print(f"{len(text)} bytes, compressed to less than 100: {yes(all(len(data) < 100 for data in small))}")
    print(f"checksum {zlib.crc32(0, text, len(text)):08x}")
    print(f"the same again: {yes(all(uncompressed(data, len(text)) == text for data in small))}")
    try:
        uncompressed(b"no zlib stream", 100)
    except ValueError as error:
        print(f"error: {error}")


main()
