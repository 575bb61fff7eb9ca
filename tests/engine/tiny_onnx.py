"""Write ONNX files that contain a few nodes.

The files are protocol buffers of onnx.proto3, with IR version 8.
"""

import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

type Attribute = int | float | tuple[int, ...]

_FLOAT, _INT64 = 1, 7


@dataclass(frozen=True)
class Node:
    kind: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: Mapping[str, Attribute] = field(default_factory=dict)


def model(
    nodes: Iterable[Node],
    inputs: Mapping[str, tuple[int, ...]],
    outputs: Mapping[str, tuple[int, ...]],
    constants: Mapping[str, NDArray[np.float32] | NDArray[np.int64]] | None = None,
) -> bytes:
    """Return the bytes of a model file. All inputs and outputs are float tensors of the given shapes."""
    graph = b"".join(
        [
            *(_part(1, _node(node)) for node in nodes),
            _part(2, b"tiny"),
            *(_part(5, _tensor(name, values)) for name, values in (constants or {}).items()),
            *(_part(11, _value(name, shape)) for name, shape in inputs.items()),
            *(_part(12, _value(name, shape)) for name, shape in outputs.items()),
        ]
    )
    return _number(1, 8) + _part(7, graph) + _part(8, _part(1, b"") + _number(2, 13))


def _node(node: Node) -> bytes:
    return b"".join(
        [
            *(_part(1, name.encode()) for name in node.inputs),
            *(_part(2, name.encode()) for name in node.outputs),
            _part(3, node.outputs[0].encode() + b"_node"),
            _part(4, node.kind.encode()),
            *(_part(5, _attribute(name, value)) for name, value in node.attributes.items()),
        ]
    )


def _attribute(name: str, value: Attribute) -> bytes:
    head = _part(1, name.encode())
    if isinstance(value, float):
        return head + _key(2, 5) + struct.pack("<f", value) + _number(20, 1)
    if isinstance(value, int):
        return head + _number(3, value) + _number(20, 2)
    return head + b"".join(_number(8, number) for number in value) + _number(20, 7)


def _tensor(name: str, values: NDArray[np.float32] | NDArray[np.int64]) -> bytes:
    kind = _FLOAT if values.dtype == np.float32 else _INT64
    dims = b"".join(_number(1, side) for side in values.shape)
    return dims + _number(2, kind) + _part(8, name.encode()) + _part(9, values.tobytes())


def _value(name: str, shape: tuple[int, ...]) -> bytes:
    dims = b"".join(_part(1, _number(1, side)) for side in shape)
    return _part(1, name.encode()) + _part(2, _part(1, _number(1, _FLOAT) + _part(2, dims)))


def _key(number: int, wire: int) -> bytes:
    return _varint(number << 3 | wire)


def _number(number: int, value: int) -> bytes:
    return _key(number, 0) + _varint(value & (1 << 64) - 1)


def _part(number: int, data: bytes) -> bytes:
    return _key(number, 2) + _varint(len(data)) + data


def _varint(value: int) -> bytes:
    low, rest = value & 127, value >> 7
    return bytes([low | 128]) + _varint(rest) if rest else bytes([low])
