"""The greatest of each column, in Python."""

import numpy


class Peaks:
    element = "f64"
    commutative = True

    def combine(self, source: numpy.ndarray, into: numpy.ndarray) -> None:
        numpy.maximum(source, into, out=into)
