import importlib
import os
import subprocess
import sys

VARIABLE = "UPCALL_ECHO_PYTHON"


def show(data):
    return bytes(data).hex()


def masked(data, mask):
    return bytes(byte & bits for byte, bits in zip(bytes(data), mask, strict=True))


class Check:
    """One implementation."""

    def __init__(self, choice):
        self.choice = choice
        self.echo = importlib.import_module("upcall_echo")
        self.wrong = 0
        self.refused = []

    def compare(self, name, what, expected, found):
        if expected != found:
            self.wrong += 1
            print(f"{name}: {what} ({self.choice}): expected {expected}, found {found}", flush=True)

    def seen(self, name, what):
        self.compare(name, f"{what}, first wrong byte that the library saw", -1, self.echo.upcall_echo_mismatch())

    def struct(self, name, python, size, align, offsets, whole, by_value, bits, plain, images):
        of = getattr(self.echo, python)
        sent, mask, returned, returned_mask = images
        self.compare(name, "size", size, of._size_)
        self.compare(name, "alignment", align, of._align_)
        for field, offset in offsets.items():
            self.compare(name, f"offset of {field}", offset, of._offsets_.get(field))
        if of._size_ != size:
            return
        value = of()
        # Bitfields are written and read by their names.
        memoryview(value).cast("B")[:] = plain
        for field, (number, _) in bits.items():
            setattr(value, field, number)
        answer = of()
        self.by_pointer(name, value, answer)
        self.compare(name, "returned by pointer", show(masked(returned, returned_mask)), show(masked(answer, returned_mask)))
        for field, numbers in bits.items():
            self.compare(name, f"bitfield {field}", numbers, (getattr(value, field), getattr(answer, field)))
        if by_value:
            self.by_value(name, value, returned, returned_mask)
        if whole:
            # Read and written field by field, all that counts is still there.
            again = of(**{field: getattr(value, field) for field in offsets})
            self.compare(name, "written by field", show(masked(sent, mask)), show(masked(again, mask)))

    def by_value(self, name, value, returned, mask):
        try:
            answer = getattr(self.echo, f"upcall_echo_value_{name}")(BEFORE, value, AFTER)
            self.seen(name, "by value")
            self.compare(name, "returned by value", show(masked(returned, mask)), show(masked(answer, mask)))
        except NotImplementedError:
            self.refused.append(name)

    def by_pointer(self, name, value, answer):
        getattr(self.echo, f"upcall_echo_pointer_{name}")(value, answer)
        self.seen(name, "by pointer")

    def number(self, name, python, size, signed, letter, images):
        of = getattr(self.echo, python)
        sent, _, returned, _ = images
        read = lambda data: int.from_bytes(data, sys.byteorder, signed=signed)
        answer = getattr(self.echo, f"upcall_echo_value_{name}")(BEFORE, of(read(sent)), AFTER)
        self.seen(name, "by value")
        self.compare(name, "returned by value", read(returned), int(answer))
        self.compare(name, "class of what is returned", of, type(answer))
        place = bytearray(size)
        self.by_pointer(name, memoryview(sent).cast(letter), memoryview(place).cast(letter))
        self.compare(name, "returned by pointer", read(returned), read(place))


def check(choice):
    checked = Check(choice)
    for name, python, size, align, offsets, whole, by_value, bits, plain, *images in STRUCTS:
        checked.struct(name, python, size, align, offsets, whole, by_value, bits, bytes.fromhex(plain), [bytes.fromhex(image) for image in images])
    for name, python, size, signed, letter, *images in NUMBERS:
        checked.number(name, python, size, signed, letter, [bytes.fromhex(image) for image in images])
    if checked.refused:
        names, more = checked.refused[:5], len(checked.refused) - 5
        also = f" and {more} more" if more > 0 else ""
        print(f"{choice} does not pass by value: {', '.join(names)}{also}", file=sys.stderr)
    return checked.wrong


def main():
    if VARIABLE in os.environ:
        # Not 1, which is an exception's.
        sys.exit(2 if check(os.environ[VARIABLE]) else 0)
    wrong = False
    for choice in ("native", "ctypes"):
        done = subprocess.run([sys.executable, __file__], env={**os.environ, VARIABLE: choice}, check=False)
        if done.returncode not in (0, 2):
            print(f"{choice}: the check ended with code {done.returncode}")
        wrong = wrong or done.returncode != 0
    print(f"checked {len(STRUCTS) + len(NUMBERS)} types")
    sys.exit(wrong)


main()
