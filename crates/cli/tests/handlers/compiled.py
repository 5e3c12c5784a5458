from upcall.compiled import compiled


@compiled(takes="u64", gives="u64")
def square(value):
    if value > 4_294_967_295:
        raise ValueError("too large")
    return value * value
