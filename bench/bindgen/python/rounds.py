"""Rounds of calls, the variants in turn."""

import itertools
import time

ROUNDS = 25
NANOS = 20e6
UNROLLED = 20


def measure(case, variants, in_one=1):
    """Prints a line for each variant: case, variant, and nanoseconds per item in each round; a call makes `in_one` items.

    A variant is its name, a function, and what it is called with.
    """
    timed = [(name, _loop(function, arguments)) for name, function, *arguments in variants]
    loops = [_enough(loop) for _, loop in timed]
    rounds = [[] for _ in timed]
    for _ in range(ROUNDS):
        for (_, loop), count, into in zip(timed, loops, rounds):
            into.append(_time(loop, count) / (count * UNROLLED * in_one))
    for (name, _), times in zip(timed, rounds):
        print(case, name, " ".join(f"{nanos:.2f}" for nanos in times), sep="\t", flush=True)


def _loop(function, arguments):
    names = [f"argument{place}" for place in range(len(arguments))]
    call = f"        call({', '.join(names)})\n" * UNROLLED
    source = f"def run(count, call, {', '.join(names)}):\n    for _ in repeat(None, count):\n{call}"
    scope = {"repeat": itertools.repeat}
    exec(source, scope)
    return lambda count: scope["run"](count, function, *arguments)


def _enough(loop):
    count = 1
    while (nanos := _time(loop, count)) < NANOS / 4:
        count *= 2
    return max(1, int(count * NANOS / nanos))


def _time(loop, count):
    start = time.thread_time_ns()
    loop(count)
    return time.thread_time_ns() - start
