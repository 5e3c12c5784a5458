"""Calls a library that is written in Rust."""

import array

import statistics_native as statistics

values = array.array("d", [1, 2, 3, 6])
print(f"version {statistics.statistics_version()}")
print(f"mean {statistics.mean(values):g}")
summary = statistics.summarize(values)
print(f"{summary.count} values from {summary.min:g} to {summary.max:g}")
print(f"{statistics.count_if(values, lambda value: value > 1.5)} are above 1.5")
print(statistics.greet("Python"))
with statistics.Sum(10.0) as running:
    running.add(1.0)
    print(f"sum {running.add(2.0):g}")
try:
    statistics.mean(array.array("d"))
except statistics.EmptyError as error:
    print(f"error {error.code}: {error.message}")
