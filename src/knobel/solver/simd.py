"""A strip of sixteen numbers as one value inside compiled code: load, store, add, scale, larger of two.

There are strips of doubles and, half as large, of singles: what an operation makes has the kind of what it is given.
Each `build_…` tells numba the types of an operation and gives it the LLVM instructions; how compiled code calls the
operations stands at the end. The numbers of a strip are its lanes.
"""

from collections.abc import Callable
from typing import Any, NewType

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.datamodel import models
from numba.core.extending import intrinsic, register_model
from numpy.typing import NDArray

from knobel.solver.arrays import LANES, Floats, SingleFloats

Strip = NewType("Strip", object)
"""What the type checker takes a strip for, of doubles or of singles."""

VECTOR = ir.VectorType(ir.DoubleType(), LANES)
SINGLE_VECTOR = ir.VectorType(ir.FloatType(), LANES)
INT_VECTOR = ir.VectorType(ir.IntType(64), LANES)
MASK_VECTOR = ir.VectorType(ir.IntType(1), LANES)


class StripType(types.Type):
    """What numba takes a strip for; its vector says of which numbers it is."""

    def __init__(self, name: str, vector: Any) -> None:
        super().__init__(name=name)
        self.vector = vector


class StripModel(models.PrimitiveModel):
    """A strip lives in as many vector registers as the processor needs."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, kind.vector)


STRIP_TYPE = StripType("Strip", VECTOR)
SINGLE_STRIP_TYPE = StripType("SingleStrip", SINGLE_VECTOR)
register_model(StripType)(StripModel)


def find_strip_type(array: Any) -> StripType:
    """Find the kind of strip that an array is made of."""
    return SINGLE_STRIP_TYPE if array.dtype == types.float32 else STRIP_TYPE


def point_at_lanes(context: Any, builder: Any, signature: Any, arguments: Any, kind: Any) -> Any:
    """Point at as many numbers of an array as a strip has lanes.

    Whether the array goes that far is looked at only where the compiler is told to check bounds, as the tests do.
    """
    array = context.make_array(signature.args[0])(context, builder, arguments[0])
    if context.enable_boundscheck:
        for last in (0, LANES - 1):
            place = builder.add(arguments[1], cgutils.intp_t(last))
            cgutils.do_boundscheck(context, builder, place, array.nitems)
    pointer = builder.gep(array.data, [arguments[1]], source_etype=kind.element)
    return builder.bitcast(pointer, kind.as_pointer())


def repeat_number(builder: Any, number: Any, kind: Any) -> Any:
    """Put a number into the first lane and copy that one into all."""
    first = builder.insert_element(ir.Constant(kind, ir.Undefined), number, cgutils.int32_t(0))
    everywhere = ir.Constant(ir.VectorType(cgutils.int32_t, LANES), [0] * LANES)
    return builder.shuffle_vector(first, ir.Constant(kind, ir.Undefined), everywhere)


def build_load(_typing: Any, array: Any, index: Any) -> Any:
    strip, bytes_each = find_strip_type(array), array.dtype.bitwidth // 8

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        # Strips begin at any upper total, so all that is sure is the alignment of one number.
        pointer = point_at_lanes(context, builder, signature, arguments, strip.vector)
        return builder.load(pointer, typ=strip.vector, align=bytes_each)

    return strip(array, index), emit


def build_store(_typing: Any, array: Any, index: Any, value: Any) -> Any:
    strip, bytes_each = find_strip_type(array), array.dtype.bitwidth // 8

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = point_at_lanes(context, builder, signature, arguments, strip.vector)
        builder.store(arguments[2], pointer, align=bytes_each)
        return context.get_dummy_value()

    return types.void(array, index, value), emit


def build_add(_typing: Any, left: Any, right: Any) -> Any:
    def emit(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        return builder.fadd(*arguments)

    return left(left, right), emit


def build_multiply(_typing: Any, left: Any, right: Any) -> Any:
    def emit(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        return builder.fmul(*arguments)

    return left(left, right), emit


def build_maximum(_typing: Any, left: Any, right: Any) -> Any:
    def emit(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        # In this form it is one instruction of the processor; of equal numbers the right one is taken.
        return builder.select(builder.fcmp_ordered(">", *arguments), *arguments)

    return left(left, right), emit


def build_scale(_typing: Any, value: Any, _factor: Any) -> Any:
    def emit(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        return builder.fmul(arguments[0], repeat_number(builder, arguments[1], value.vector))

    return value(value, types.float32 if value == SINGLE_STRIP_TYPE else types.float64), emit


def build_broadcast(_typing: Any, _number: Any) -> Any:
    def emit(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        return repeat_number(builder, arguments[0], VECTOR)

    return STRIP_TYPE(types.float64), emit


def build_broadcast_single(_typing: Any, _number: Any) -> Any:
    def emit(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        return repeat_number(builder, arguments[0], SINGLE_VECTOR)

    return SINGLE_STRIP_TYPE(types.float32), emit


def build_narrow(_typing: Any, value: Any) -> Any:
    def emit(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        return builder.fptrunc(arguments[0], SINGLE_VECTOR)

    return SINGLE_STRIP_TYPE(value), emit


def build_greater_mask(_typing: Any, left: Any, right: Any) -> Any:
    def emit(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        return builder.bitcast(builder.fcmp_ordered(">", *arguments), ir.IntType(LANES))

    return types.uint16(left, right), emit


def build_select_lanes(_typing: Any, value: Any, _lanes: Any) -> Any:
    def emit(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        wanted = builder.bitcast(arguments[1], MASK_VECTOR)
        return builder.select(wanted, arguments[0], ir.Constant(value.vector, None))

    return value(value, types.uint16), emit


def build_blend(_typing: Any, _lanes: Any, left: Any, right: Any) -> Any:
    def emit(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        return builder.select(builder.bitcast(arguments[0], MASK_VECTOR), arguments[1], arguments[2])

    return left(types.uint16, left, right), emit


def build_tag_lanes(_typing: Any, value: Any, _clear: Any, _tag: Any) -> Any:
    def emit(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        clear, tag = (repeat_number(builder, number, INT_VECTOR) for number in arguments[1:])
        bits = builder.and_(builder.bitcast(arguments[0], INT_VECTOR), clear)
        return builder.bitcast(builder.or_(bits, tag), VECTOR)

    return STRIP_TYPE(value, types.int64, types.int64), emit


def build_store_tags(_typing: Any, array: Any, index: Any, value: Any, _clear: Any) -> Any:
    width = array.dtype.bitwidth
    kind = ir.VectorType(ir.IntType(width), LANES)

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        tag_bits = repeat_number(builder, builder.not_(arguments[3]), INT_VECTOR)
        tags = builder.trunc(builder.and_(builder.bitcast(arguments[2], INT_VECTOR), tag_bits), kind)
        builder.store(tags, point_at_lanes(context, builder, signature, arguments, kind), align=width // 8)
        return context.get_dummy_value()

    return types.void(array, index, value, types.int64), emit


load: Callable[[Floats | SingleFloats, np.uintp], Strip] = intrinsic(build_load)
"""Take a strip from an array."""
store: Callable[[Floats | SingleFloats, np.uintp, Strip], None] = intrinsic(build_store)
"""Put a strip into an array."""
add: Callable[[Strip, Strip], Strip] = intrinsic(build_add)
"""Add lane by lane."""
multiply: Callable[[Strip, Strip], Strip] = intrinsic(build_multiply)
"""Multiply lane by lane."""
maximum: Callable[[Strip, Strip], Strip] = intrinsic(build_maximum)
"""Take the larger number in each lane."""
scale: Callable[[Strip, float], Strip] = intrinsic(build_scale)
"""Multiply all lanes by one number."""
broadcast: Callable[[float], Strip] = intrinsic(build_broadcast)
"""Put one number into all lanes."""
broadcast_single: Callable[[float], Strip] = intrinsic(build_broadcast_single)
"""Put one number into all lanes of a strip of singles."""
narrow: Callable[[Strip], Strip] = intrinsic(build_narrow)
"""Make a strip of singles of one of doubles."""
greater_mask: Callable[[Strip, Strip], np.uint16] = intrinsic(build_greater_mask)
"""Set a bit for each lane in which the left number is larger."""
select_lanes: Callable[[Strip, int | np.uint16], Strip] = intrinsic(build_select_lanes)
"""Keep the lanes whose bits are set, zero in the others."""
blend: Callable[[int | np.uint16, Strip, Strip], Strip] = intrinsic(build_blend)
"""Take the lanes whose bits are set from the first strip, the others from the second."""
tag_lanes: Callable[[Strip, int, int], Strip] = intrinsic(build_tag_lanes)
"""Keep the bits of every lane that the mask has, and write a tag into the others."""
store_tags: Callable[[NDArray[np.unsignedinteger], np.uintp, Strip, int], None] = intrinsic(build_store_tags)
"""Put the tags of all lanes into an array, given the mask they were written with."""
