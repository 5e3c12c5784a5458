"""Reads orders: ``Ada: 3 apple 0.40, 1 melon 2.50``."""

from upcall import Emit, Object

from orders.pack import Line, Order


class Reader:
    def on_object(self, obj: Object[str], emit: Emit[Order]) -> None:
        customer, _, lines = obj.value.partition(": ")
        emit(obj.key, Order(customer, [line(text) for text in lines.split(", ")]))


def line(text: str) -> Line:
    count, item, price = text.split(" ")
    whole, _, cents = price.partition(".")
    return Line(item, int(count), int(whole) * 100 + int(cents))
