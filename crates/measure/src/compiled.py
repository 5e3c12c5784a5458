try:
    import numpy
    from upcall.compiled import compiled

    total = numpy.zeros(1, dtype=numpy.uint64)

    @compiled(takes="u64", state=total)
    def adding(value, into):
        into[0] += value

except ImportError:
    # Without numba nothing is measured.
    pass
