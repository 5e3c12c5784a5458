"""Text made small and large again, by zstd.h."""

import zstd_native as zstd


def compressed(data: bytes, level: int) -> bytes:
    """The data as one frame."""
    room = bytearray(zstd.ZSTD_compressBound(len(data)))
    size = checked(zstd.ZSTD_compress(room, len(room), data, len(data), level))
    return bytes(room[:size])


def uncompressed(frame: bytes) -> bytes:
    """What is in a frame that says how much that is."""
    room = bytearray(checked(zstd.ZSTD_getFrameContentSize(frame, len(frame))))
    size = checked(zstd.ZSTD_decompress(room, len(room), frame, len(frame)))
    return bytes(room[:size])


def checked(size: int) -> int:
    if zstd.ZSTD_isError(size):
        raise ValueError(str(zstd.ZSTD_getErrorName(size)))
    return size


def main() -> None:
    text = ("The quick brown fox jumps over the lazy dog. " * 100).encode()
    small = compressed(text, 19)
    print(f"{len(text)} bytes, compressed to less than 100: {len(small) < 100}")
    print(f"the same again: {uncompressed(small) == text}")
    try:
        uncompressed(b"no zstd frame")
    except ValueError as error:
        print(f"error: {error}")


main()
