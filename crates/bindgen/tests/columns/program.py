"""The columns as arrays of numpy, over the same memory."""

import numpy
import swarm

with swarm.Bodies(1000) as bodies:
    columns = bodies.columns()
    speed = numpy.asarray(columns.speed.elements())
    assert speed.dtype == numpy.float32 and speed.shape == (1000,) and speed.ctypes.data % 64 == 0
    assert speed.ctypes.data == columns.speed.data, "nothing is copied"
    assert numpy.asarray(columns.id.elements())[999] == 999 << 33
    corners = numpy.asarray(columns.corners.elements())
    assert corners.shape == (1000, 4, 2) and (corners[7] == [[7, -1]] * 4).all()
    print(f"{speed.sum():.0f} {bodies.total():.0f}")
    speed *= 2
    numpy.asarray(columns.engine.thrust.elements())[:] = 1.5
    places = columns.place.elements()
    assert len(places) == 1000 and places[7].row == 7
    places[7].column = 41
    print(f"{bodies.total():.0f}")
with swarm.Bodies(0) as nothing:
    assert len(nothing.columns().speed.elements()) == 0
