"""A handler that adds doubles by numpy: the operation of a reduction."""

import numpy as np


class Sums:
    element = "f64"
    commutative = True

    def combine(self, source, into):
        into = np.asarray(into)
        np.add(np.asarray(source), into, out=into)
