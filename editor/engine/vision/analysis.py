"""The analysis of everything visible in a photo.

The analysis is made once and kept in a file for all edits.
"""

import io
import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from editor.engine.pixels import Box, working_copy
from editor.engine.threads import has_room_for_two, two_threads
from editor.engine.vision import VERSION as VERSION
from editor.engine.vision.faces import Face
from editor.engine.vision.grounds import Ground, find_grounds
from editor.engine.vision.network import unload_networks
from editor.engine.vision.people import real_faces
from editor.engine.vision.prominent import prominent_logits
from editor.engine.vision.salient_object import find_salient_object
from editor.engine.vision.segmentation import EMBEDDING_SHAPE, LOGITS_SHAPE, Embedding, encode
from editor.engine.vision.text import TextLine, read_text
from editor.engine.vision.things import Thing, detect
from editor.imaging import codecs
from editor.imaging.picture import Bytes, Picture

_ENCODER_PIXELS = 1024  # longer side, in pixels, of the working copy for the encoder and the subject network


@dataclass(frozen=True, eq=False)
class Analysis:
    """The findings in a photo of `width` x `height` pixels.

    `subject` is a mask of the most prominent thing (320 x 320, 0 to 255). `grounds` is None if the photo was
    not searched for grounds, and `embedding` is None if the embedding was not kept. `prominent` holds the
    logits of the decoder's mask of the most prominent part. It is kept together with the embedding, and is
    None if nothing is prominent.
    """

    width: int
    height: int
    things: tuple[Thing, ...]
    faces: tuple[Face, ...]
    text: tuple[TextLine, ...]
    subject: Bytes
    grounds: tuple[Ground, ...] | None = None
    embedding: Embedding | None = None
    prominent: NDArray[np.float16] | None = None
    version: int = VERSION

    def save(self, path: Path) -> None:
        """Write the analysis to a file, an archive in numpy's .npz format."""
        facts = {
            "version": self.version,
            "width": self.width,
            "height": self.height,
            "things": self.things,
            "faces": [asdict(face) for face in self.faces],
            "text": [asdict(line) for line in self.text],
            "grounds": self.grounds and [(ground.kind, ground.confidence) for ground in self.grounds],
        }
        arrays: dict[str, Any] = {"facts": np.frombuffer(json.dumps(facts).encode(), np.uint8)}
        arrays["subject"] = self.subject
        for number, ground in enumerate(self.grounds or ()):
            arrays[f"ground_{number}"] = ground.mask
        if self.embedding is not None:
            arrays["embedding"] = self.embedding.values
        if self.prominent is not None:
            arrays["prominent"] = self.prominent
        archive = io.BytesIO()
        np.savez_compressed(archive, **arrays)
        path.write_bytes(archive.getvalue())

    @classmethod
    def load(cls, path: Path) -> "Analysis":
        """Read an analysis. Raises ValueError if the analysis has a different version or cannot be read."""
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
                return cls._from_arrays(dict(archive))
        except (KeyError, TypeError, AttributeError, EOFError, BadZipFile) as error:
            raise ValueError("The analysis cannot be read.") from error

    @classmethod
    def _from_arrays(cls, arrays: dict[str, Any]) -> "Analysis":
        facts = json.loads(arrays["facts"].tobytes())
        if facts["version"] != VERSION:
            raise ValueError(f"The analysis has version {facts['version']}, not {VERSION}.")
        width, height = facts["width"], facts["height"]
        grounds = facts["grounds"]
        values, prominent = arrays.get("embedding"), arrays.get("prominent")
        for array, shape in ((values, EMBEDDING_SHAPE), (prominent, LOGITS_SHAPE)):
            if array is not None and (array.shape != shape or array.dtype != np.float16):
                raise ValueError("The analysis cannot be read.")
        return cls(
            width,
            height,
            tuple(Thing(kind, score, Box(*box)) for kind, score, box in facts["things"]),
            tuple(Face(Box(*one["box"]), one["score"], _points(one["landmarks"])) for one in facts["faces"]),
            tuple(
                TextLine(_points(one["corners"]), Box(*one["box"]), one["text"], one["score"])
                for one in facts["text"]
            ),
            arrays["subject"],
            None
            if grounds is None
            else tuple(
                Ground(kind, confidence, arrays[f"ground_{number}"])
                for number, (kind, confidence) in enumerate(grounds)
            ),
            None if values is None else Embedding(values, width, height),
            prominent,
        )


def analyze(picture: Picture) -> Analysis:
    """Return the analysis of everything visible in a picture, including its embedding.

    This needs 1.0 to 1.5 GB of address space and a few seconds. Networks are unloaded after use, so that few
    of them are in memory at a time. If there is room for it, the things, faces, and text are found in a
    second thread, which takes a quarter less time. The result is the same.
    """
    if has_room_for_two():
        with ThreadPoolExecutor(1) as beside:
            finding = beside.submit(_find_things, picture)
            masks = _find_masks(picture)
            things, faces, text = finding.result()
    else:
        things, faces, text = _find_things(picture)
        unload_networks()
        masks = _find_masks(picture)
    unload_networks()
    subject, embedding, prominent = masks
    grounds = find_grounds(embedding)
    return Analysis(
        picture.width, picture.height, things, faces, text, subject, grounds, embedding, prominent
    )


def _find_things(picture: Picture) -> tuple[tuple[Thing, ...], tuple[Face, ...], tuple[TextLine, ...]]:
    things = detect(picture)
    return tuple(things), tuple(real_faces(picture, things)), tuple(read_text(picture))


def _find_masks(picture: Picture) -> tuple[Bytes, Embedding, NDArray[np.float16] | None]:
    """Return the saliency, the embedding, and the logits of the prominent part's mask."""
    small = working_copy(picture, _ENCODER_PIXELS)
    with two_threads():
        subject = np.round(find_salient_object(small) * 255).astype(np.uint8)
        unload_networks()
        embedding = Embedding(encode(small).values, picture.width, picture.height)
        unload_networks()
        return subject, embedding, prominent_logits(subject, embedding)


def analyze_file(photo_path: str, output_path: str, small_path: str | None = None) -> dict[str, Any]:
    """Analyze a photo file, write the analysis to a file, and return its version and the photo's size.

    `small_path` is a second file for the analysis without its embedding. The findings are written only to the
    files and are not returned, because they can be personal. Raises PhotoError if the photo cannot be read.
    """
    analysis = analyze(codecs.load(Path(photo_path)))
    analysis.save(Path(output_path))
    if small_path:
        replace(analysis, embedding=None, prominent=None).save(Path(small_path))
    return {"version": analysis.version, "width": analysis.width, "height": analysis.height}


def _points(pairs: list[list[float]]) -> tuple[tuple[float, float], ...]:
    return tuple((x, y) for x, y in pairs)
