"""A strip of sixteen doubles as one value inside compiled code: load, store, add, scale, larger of two."""

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.datamodel import models
from numba.core.extending import intrinsic, register_model

LANES = 16
VECTOR = ir.VectorType(ir.DoubleType(), LANES)


class StripType(types.Type):  # type: ignore[misc]
    """The type of a strip."""

    def __init__(self) -> None:
        super().__init__(name="Strip")


STRIP_TYPE = StripType()


@register_model(StripType)
class StripModel(models.PrimitiveModel):  # type: ignore[misc]
    """A strip lives in as many vector registers as the processor needs."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, VECTOR)


def point_at_strip(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Point at a strip within an array."""
    array = context.make_array(signature.args[0])(context, builder, arguments[0])
    pointer = builder.gep(array.data, [arguments[1]], source_etype=ir.DoubleType())
    return builder.bitcast(pointer, VECTOR.as_pointer())


@intrinsic
def load(typing: Any, array: Any, index: Any) -> Any:  # noqa: ARG001
    """Take a strip from an array."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load(point_at_strip(context, builder, signature, arguments), typ=VECTOR, align=8)

    return STRIP_TYPE(array, index), code


@intrinsic
def store(typing: Any, array: Any, index: Any, value: Any) -> Any:  # noqa: ARG001
    """Put a strip into an array."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.store(arguments[2], point_at_strip(context, builder, signature, arguments), align=8)
        return context.get_dummy_value()

    return types.void(array, index, value), code


@intrinsic
def add(typing: Any, left: Any, right: Any) -> Any:  # noqa: ARG001
    """Add lane by lane."""

    def code(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        return builder.fadd(arguments[0], arguments[1])

    return STRIP_TYPE(left, right), code


@intrinsic
def maximum(typing: Any, left: Any, right: Any) -> Any:  # noqa: ARG001
    """Take the larger of each two."""

    def code(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        left, right = arguments
        return builder.select(builder.fcmp_ordered(">", left, right), left, right)

    return STRIP_TYPE(left, right), code


@intrinsic
def scale(typing: Any, value: Any, factor: Any) -> Any:  # noqa: ARG001
    """Multiply all lanes by one number."""

    def code(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        return builder.fmul(arguments[0], emit_broadcast(builder, arguments[1]))

    return STRIP_TYPE(value, types.float64), code


@intrinsic
def broadcast(typing: Any, number: Any) -> Any:  # noqa: ARG001
    """Put one number into all lanes."""

    def code(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        return emit_broadcast(builder, arguments[0])

    return STRIP_TYPE(types.float64), code


def emit_broadcast(builder: Any, number: Any) -> Any:
    """Repeat a number over a vector."""
    first = builder.insert_element(ir.Constant(VECTOR, ir.Undefined), number, cgutils.int32_t(0))
    everywhere = ir.Constant(ir.VectorType(cgutils.int32_t, LANES), [0] * LANES)
    return builder.shuffle_vector(first, ir.Constant(VECTOR, ir.Undefined), everywhere)


@intrinsic
def greater_mask(typing: Any, left: Any, right: Any) -> Any:  # noqa: ARG001
    """Say in which lanes the left is larger, one bit a lane."""

    def code(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        return builder.bitcast(builder.fcmp_ordered(">", arguments[0], arguments[1]), ir.IntType(LANES))

    return types.uint16(left, right), code


@intrinsic
def select_lanes(typing: Any, value: Any, lanes: Any) -> Any:  # noqa: ARG001
    """Keep the lanes whose bits are set, zero in the others."""

    def code(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        wanted = builder.bitcast(arguments[1], ir.VectorType(ir.IntType(1), LANES))
        return builder.select(wanted, arguments[0], ir.Constant(VECTOR, None))

    return STRIP_TYPE(value, types.uint16), code
