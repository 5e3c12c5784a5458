"""A handler that combines arrays, and tells of itself when it fails."""


class Sums:
    """Adds. Where it is given a number that is none, it says how often it has been called."""

    element = "f64"
    commutative = True

    def __init__(self):
        self.calls = 0

    def combine(self, source, into):
        self.calls += 1
        for index, each in enumerate(source):
            if each != each or into[index] != into[index]:
                raise ArithmeticError(f"after {self.calls} calls")
            into[index] += each


class First:
    """The first of both: what is combined in another order than that of the ranks shows."""

    element = "u32"

    def combine(self, source, into):
        into[:] = source
