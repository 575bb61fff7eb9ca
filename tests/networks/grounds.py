"""Train and measure the models that find kinds of ground, editor/engine/assets/grounds.npz.

`grounds.csv` lists the training photos with their source and license, and boxes of each kind that were drawn
by hand, in percent of the photo's width and height. The photos are not in this repository: FOLDER contains
them under any names, and they are recognized by their hash. Their embeddings are kept in FOLDER/embeddings.

    python -m tests.networks.grounds FOLDER            measures by cross-validation
    python -m tests.networks.grounds FOLDER --write    also trains on all photos and writes the weights
"""

import argparse
import csv
import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from editor.engine.colors import Floats
from editor.engine.pixels import working_copy
from editor.engine.targets.grounds import MIN_CERTAINTY
from editor.engine.vision.grounds import (
    CELLS,
    KINDS,
    NETWORK,
    Layers,
    cells_of,
    confidence_of,
    describe_cells,
    likelihoods,
    softmax,
)
from editor.engine.vision.network import ASSETS
from editor.engine.vision.segmentation import Embedding, encode
from editor.imaging import codecs

LABELS = Path(__file__).with_suffix(".csv")
NAMES = (*KINDS, "other")
_FOLDS = 5
_NEAR = 257  # number of values of a cell that do not depend on the whole photo
_ENCODER_PIXELS = 1024  # longer side of the copy of a photo that is encoded, in pixels
_SAMPLES = 25  # number of cells of each kind that are taken from a photo
_STEPS = 150  # number of steps of the optimizer
_HIDDEN = 32  # number of outputs of the hidden layer
_RATE = 0.02  # its first learning rate; it falls to zero along a cosine
_DECAY = 1e-4  # weight of the squared weights in the loss
_CERTAIN = 0.96  # likelihood of the labeled kind that the training aims at; the rest is divided equally
_COVERED = 0.5  # minimum share of a kind's labeled cells that its mask must cover to count as found
_WRONG = 0.3  # minimum share of a mask's labeled cells with another label at which the mask is wrong


@dataclass(frozen=True, eq=False)
class Photo:
    """A photo's described cells, and for each cell the number of its label, or -1."""

    sky: str
    cells: Floats
    labels: NDArray[np.int64]
    size: tuple[int, int]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.networks.grounds", description=__doc__)
    parser.add_argument("folder", type=Path, help="the folder with the photos")
    parser.add_argument("--write", action="store_true", help="write the weights")
    given = parser.parse_args()
    photos = list(_photos(given.folder))
    print(f"{len(photos)} photos")  # noqa: T201
    for line in measure(photos, _cross_validated(photos)):
        print(line)  # noqa: T201
    if given.write:
        stored = {name: values.astype(np.float16) for name, values in train(photos)._asdict().items()}
        np.savez(ASSETS / NETWORK, **stored)


def measure(photos: Sequence[Photo], results: Sequence[Floats]) -> Iterator[str]:
    """Yield a line for each kind: how often it was found where it is, and wrong masks.

    The sky counts in photos with a plain sky, and is wrong in photos without a sky.
    """
    for number, kind in enumerate(KINDS):
        there = found = absent = false = wrong = 0
        for photo, likely in zip(photos, results, strict=True):
            down, across = photo.size
            own = photo.labels == number
            is_sure = confidence_of(likely[number, :down, :across], kind) >= MIN_CERTAINTY[kind]
            mask = likely[number] > 0.5
            is_there = photo.sky == "plain" if kind == "sky" else bool(own.any())
            is_absent = photo.sky == "none" if kind == "sky" else not own.any()
            labeled = mask & (photo.labels >= 0)
            mistaken = float((labeled & ~own).sum()) / max(1, int(labeled.sum()))
            there, absent = there + is_there, absent + is_absent
            found += is_there and is_sure and mask[own].mean() >= _COVERED
            false += is_absent and is_sure
            wrong += is_sure and mistaken > _WRONG
        yield f"{kind}: found {found} of {there}, false {false} of {absent}, wrong masks {wrong}"


def train(photos: Sequence[Photo]) -> Layers:
    """Return the models that give the photos' cells the likelihoods of their labels.

    Each kind in each photo weighs the same.
    """
    cells, labels, weights = _samples(photos)
    mean, deviation = cells.mean(0), cells.std(0) + np.float32(1e-3)
    values = (cells - mean) / deviation
    aims = np.eye(len(NAMES), dtype=np.float32)[labels] * _CERTAIN + (1 - _CERTAIN) / len(NAMES)
    near = values[:, :_NEAR]
    factors, bias = np.zeros((_NEAR, len(NAMES)), np.float32), np.zeros(len(NAMES), np.float32)
    random = np.random.default_rng(0)
    inner = random.normal(0, values.shape[1] ** -0.5, (values.shape[1], _HIDDEN)).astype(np.float32)
    outer = random.normal(0, _HIDDEN**-0.5, (_HIDDEN, len(NAMES))).astype(np.float32)
    inner_bias, outer_bias = np.zeros(_HIDDEN, np.float32), np.zeros(len(NAMES), np.float32)

    def slopes_of_factors() -> Iterator[Floats]:
        errors = (softmax(near @ factors + bias) - aims) * weights[:, None]
        yield near.T @ errors + _DECAY * factors
        yield errors.sum(0)

    def slopes_of_layers() -> Iterator[Floats]:
        hidden = np.maximum(values @ inner + inner_bias, 0)
        errors = (softmax(hidden @ outer + outer_bias) - aims) * weights[:, None]
        back = (errors @ outer.T) * (hidden > 0)
        yield values.T @ back + _DECAY * inner
        yield back.sum(0)
        yield hidden.T @ errors + _DECAY * outer
        yield errors.sum(0)

    _descend((factors, bias), slopes_of_factors)
    _descend((inner, inner_bias, outer, outer_bias), slopes_of_layers)
    return Layers(mean, deviation, factors, bias, inner, inner_bias, outer, outer_bias)


def _descend(weights: Sequence[Floats], slopes: Callable[[], Iterable[Floats]]) -> None:
    """Change the weights in place until the loss is small, with Adam (Kingma and Ba, 2015)."""
    drifts, squares = ([np.zeros_like(one) for one in weights] for _ in range(2))
    for step in range(1, _STEPS + 1):
        rate = _RATE * 0.5 * (1 + np.cos(np.pi * step / _STEPS))
        for one, drift, square, slope in zip(weights, drifts, squares, list(slopes()), strict=True):
            drift += 0.1 * (slope - drift)
            square += 0.02 * (slope**2 - square)
            unbiased = drift / (1 - 0.9**step), square / (1 - 0.98**step)
            one -= (rate * unbiased[0] / (np.sqrt(unbiased[1]) + 1e-8)).astype(np.float32)


def _samples(photos: Sequence[Photo]) -> tuple[Floats, NDArray[np.int64], Floats]:
    """Return some labeled cells, their labels, and their weights."""
    random = np.random.default_rng(0)
    cells, labels, weights = list[Floats](), list[int](), list[float]()
    for photo in photos:
        for number in range(len(NAMES)):
            places = np.argwhere(photo.labels == number)
            chosen = places[random.permutation(len(places))[:_SAMPLES]]
            cells.append(photo.cells[:, chosen[:, 0], chosen[:, 1]].T)
            labels += [number] * len(chosen)
            weights += [min(1, len(places) / _SAMPLES) / max(1, len(chosen))] * len(chosen)
    shares = np.array(weights, np.float32)
    return np.concatenate(cells), np.array(labels), shares / shares.sum()


def _cross_validated(photos: Sequence[Photo]) -> list[Floats]:
    """Return the likelihoods in each photo from models that were trained without that photo."""
    order = np.random.default_rng(1).permutation(len(photos))
    results = dict[int, Floats]()
    for fold in range(_FOLDS):
        held = set(order[fold::_FOLDS].tolist())
        layers = train([photo for number, photo in enumerate(photos) if number not in held])
        results |= {number: likelihoods(photos[number].cells, layers) for number in held}
    return [results[number] for number in range(len(photos))]


def _photos(folder: Path) -> Iterator[Photo]:
    files = {
        hashlib.sha256(path.read_bytes()).hexdigest(): path for path in folder.iterdir() if path.is_file()
    }
    (folder / "embeddings").mkdir(exist_ok=True)
    with LABELS.open(newline="") as rows:
        for row in csv.DictReader(rows):
            if row["sha256"] not in files:
                raise SystemExit(f"{row['path']} of {row['repository']} is not in {folder}.")
            embedding = _embedding(files[row["sha256"]], folder / "embeddings" / f"{row['sha256'][:12]}.npz")
            size = cells_of(embedding)
            yield Photo(row["sky"], describe_cells(embedding), _labels(row["boxes"], size), size)


def _embedding(path: Path, stored: Path) -> Embedding:
    if not stored.exists():
        picture = codecs.load(path)
        values = encode(working_copy(picture, _ENCODER_PIXELS)).values
        np.savez(stored, values=values, size=(picture.width, picture.height))
    with np.load(stored) as kept:
        width, height = kept["size"].tolist()
        return Embedding(kept["values"], width, height)


def _labels(boxes: str, size: tuple[int, int]) -> NDArray[np.int64]:
    """Return the number of the kind in each cell whose center is in a box, and -1 elsewhere."""
    labels = np.full((CELLS, CELLS), -1)
    y, x = ((np.arange(CELLS) + 0.5) / cells * 100 for cells in size)
    for box in boxes.split("; "):
        kind, *sides = box.split()
        left, top, right, bottom = map(float, sides)
        rows, columns = (y > top) & (y < bottom) & (y < 100), (x > left) & (x < right) & (x < 100)
        labels[np.ix_(rows, columns)] = NAMES.index(kind)
    return labels


if __name__ == "__main__":
    main()
