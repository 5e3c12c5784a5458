"""Several ways to pass the same messages, in turn, and the least of each: as bench/src/mpi/turns.rs, for programs in Python."""

import ctypes
import json
import statistics
import time

BATCH = 100e-6
LEAST = 5


class Turns:
    """What a rank measures with: `told` gives both ranks a number of rank 0's, `library` is that of bench/mpi."""

    def __init__(self, rank, told, seconds, library):
        self.rank, self.told, self.seconds = rank, told, seconds
        self.library = ctypes.CDLL(library)

    def in_c(self, how, function, data, count):
        """A way in C, on a numpy array."""
        run = getattr(self.library, function)
        run.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_long, ctypes.c_long]
        address = data.ctypes.data

        def batch(times):
            code = run(self.rank, address, count, times)
            if code:
                raise RuntimeError(f"{function}: MPI returns the error {code}")

        return "C", how, batch

    def back_and_forth(self, who, how, send, receive):
        """A way back and forth."""

        def batch(times):
            for _ in range(times):
                if self.rank == 0:
                    send()
                receive()
                if self.rank == 1:
                    send()

        return who, how, batch

    def _fitting(self, batch):
        begun, looks, least = time.perf_counter(), 0, BATCH
        while self.told(int(looks < 20 and time.perf_counter() - begun < 50e-3)):
            start = time.perf_counter()
            batch(2)
            least = min(least, (time.perf_counter() - start) / 2)
            looks += 1
        return self.told(min(max(int(BATCH / least), 1), 10_000))

    def measure(self, case, ways, count, size, messages):
        """Measures the ways and prints a row for each, one JSON object per line."""
        found = [(self._fitting(batch), []) for _, _, batch in ways]
        start = time.perf_counter()
        budget = self.seconds * len(ways)
        turn = 0
        while self.told(int(turn < LEAST or time.perf_counter() - start < budget)):
            for place in range(len(ways)):
                index = (place + turn) % len(ways)
                times, batches = found[index]
                batch = ways[index][2]
                batch(1)
                begun = time.perf_counter()
                batch(times)
                batches.append((time.perf_counter() - begun) * 1e9 / times / messages)
            turn += 1

        def least(batches):
            return statistics.mean(sorted(batches)[: -(-len(batches) // 10)])

        first = least(found[0][1])
        for (who, how, _), (times, batches) in zip(ways, found):
            row = {
                "case": case, "count": count, "bytes": size, "who": who, "how": how, "nanos": min(batches),
                "median": statistics.median(batches), "more": least(batches) - first, "batches": len(batches),
                "times": times * messages,
            }
            if self.rank == 0:
                print(json.dumps(row), flush=True)


def check(right, way):
    """Fails where what arrived is not what was sent."""
    if not right:
        raise RuntimeError(f"{way[0]} {way[1]}: what arrived is not what was sent")
