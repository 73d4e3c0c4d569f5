"""A function to be compiled, in a file of its own beside which the compiler keeps it."""


def double(number: int) -> int:
    return 2 * number
