"""Text made small and large again, by zlib.h."""

import zlib_native as zlib
from zlib_native import Out


def compressed(data: bytes) -> bytes:
    """The data in zlib's format."""
    size = Out(zlib.compressBound(len(data)))
    room = bytearray(size.value)
    check(zlib.compress(room, size, data, len(data)))
    return bytes(room[: size.value])


def uncompressed(data: bytes, most: int) -> bytes:
    """What was compressed: at most so many bytes."""
    size = Out(most)
    room = bytearray(most)
    check(zlib.uncompress(room, size, data, len(data)))
    return bytes(room[: size.value])


def check(status: int) -> None:
    if status != zlib.Z_OK:
        raise ValueError(str(zlib.zError(status)))


def main() -> None:
    text = ("The quick brown fox jumps over the lazy dog. " * 100).encode()
    small = compressed(text)
    print(f"{len(text)} bytes, compressed to less than 100: {len(small) < 100}")
    print(f"checksum {zlib.crc32(0, text, len(text)):08x}")
    print(f"the same again: {uncompressed(small, len(text)) == text}")
    try:
        uncompressed(b"no zlib stream", 100)
    except ValueError as error:
        print(f"error: {error}")


main()
