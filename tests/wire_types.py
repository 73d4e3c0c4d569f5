"""Write the types of the wire for the browser's code: `python -m tests.wire_types`, with `--check` only compare."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
from msgspec import inspect

from knobel.web.schema import build_schema, list_outgoing

TYPES = Path(__file__).parents[1] / "src" / "knobel" / "web" / "types" / "wire.d.ts"
HEAD = """/* Every message between browser and server. Made from their types in Python: python -m tests.wire_types */

declare namespace Wire {
"""
PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}

Schema: TypeAlias = Mapping[str, Any]


def write_types() -> str:
    """Write the schema of the wire as TypeScript."""
    schema, sent = build_schema(), list_sent_fields()
    parts = [
        write_interface(name, part, {*part.get("required", ()), *sent.get(name, ())})
        for name, part in schema["$defs"].items()
    ]
    unions = {"ClientMessage": schema["in"], "ServerMessage": schema["out"]}
    parts += [f"  type {name} = {write_type(union)};\n" for name, union in unions.items()]
    parts.append(f"  type Intent = {write_type(schema['$defs']['RoomCommand']['properties']['intent'])};\n")
    return HEAD + "\n".join(parts) + "}\n"


def list_sent_fields() -> dict[str, list[str]]:
    """List for each part of an outgoing message what is always in it; a client may leave defaults out, we do not."""
    outgoing = list_outgoing()
    _, parts = msgspec.json.schema_components(outgoing)
    found: dict[str, list[str]] = {}
    waiting: list[Any] = list(inspect.multi_type_info(outgoing))
    while waiting:
        one = waiting.pop()
        match one:
            case inspect.StructType(cls=cls, fields=fields) if cls.__name__ not in found and cls.__name__ in parts:
                plain = () if cls.__struct_config__.omit_defaults else fields
                unset = {each.name for each in msgspec.structs.fields(cls) if each.default is msgspec.UNSET}
                found[cls.__name__] = [each.encode_name for each in plain if each.name not in unset]
                waiting += [each.type for each in fields]
            case inspect.StructType(fields=fields) if one.cls.__name__ not in parts:
                waiting += [each.type for each in fields]
            case inspect.UnionType(types=types):
                waiting += types
            case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
                waiting.append(item)
    return found


def write_interface(name: str, part: Schema, required: set[str]) -> str:
    """Write one message or part of a message, with what it says about itself."""
    fields = [
        f"    {key}{'' if key in required else '?'}: {write_type(kind)};\n" for key, kind in part["properties"].items()
    ]
    about = " ".join(part.get("description", "").split())
    return f"  /** {about} */\n  interface {shorten(name)} {{\n{''.join(fields)}  }}\n"


def write_type(kind: Schema) -> str:
    """Write the type of one value."""
    if "$ref" in kind:
        return shorten(kind["$ref"].rpartition("/")[2])
    if "enum" in kind:
        return " | ".join(json.dumps(value) for value in kind["enum"])
    if "anyOf" in kind:
        return " | ".join(write_type(one) for one in kind["anyOf"])
    if kind["type"] == "array":
        return write_array(kind)
    if kind["type"] == "object":
        return f"Record<string, {write_type(kind['additionalProperties'])}>"
    return PLAIN[kind["type"]]


def write_array(kind: Schema) -> str:
    """Write a list, or a tuple whose places have types of their own."""
    if "prefixItems" in kind:
        return f"[{', '.join(write_type(one) for one in kind['prefixItems'])}]"
    item = write_type(kind["items"])
    return f"({item})[]" if " " in item else f"{item}[]"


def shorten(name: str) -> str:
    """Name a message of a family after what it holds: PositionMessage_SheetView_ is a SheetPositionMessage."""
    base, _, view = name.rstrip("_").partition("_")
    return f"{view.removesuffix('View')}{base}" if view else name


def main(*words: str) -> None:
    """Write the file, or with `--check` fail where it is out of date."""
    if "--check" not in words:
        TYPES.write_text(write_types(), encoding="utf-8")
    elif TYPES.read_text(encoding="utf-8") != write_types():
        sys.exit(f"{TYPES.name} is out of date: python -m tests.wire_types")


if __name__ == "__main__":
    main(*sys.argv[1:])
