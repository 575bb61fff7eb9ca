"""Run and draw the judged edits: `python -m tests.judged_edits FOLDER --photos FOLDER`.

The table `tests/judged/edits.csv` holds requests for photos that the engine was not tuned to, with a
verdict on each. The photos are not part of the repository: the table names their sources and SHA-256 values,
and the folder of photos holds them under the names in the table.

The command carries out every request, writes the result as NUMBER.png or the refusal as NUMBER.txt, and draws
sheets of twelve edits, before and after. `--only` carries out some of the edits. Without a folder of photos,
the command prints the figures of the table.

    uv run --group test python -m tests.judged_edits /tmp/judged --photos /tmp/photos --only remove
"""

import argparse
import csv
import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import batched
from pathlib import Path

from PIL import Image, ImageDraw

from editor.engine.language.explain import explain
from editor.engine.run import carry_out
from editor.engine.vision.analysis import Analysis, analyze
from editor.imaging.codecs import read, save
from editor.imaging.errors import JobError
from editor.imaging.limits import STORED
from editor.imaging.picture import Picture
from editor.options import EditOptions, Region
from tests.contact_sheets import TILE, font, sentence_tile, tile

TABLE = Path(__file__).parent / "judged" / "edits.csv"
VERDICTS = ("good", "fair", "poor", "wrong", "refused rightly", "refused wrongly")
_DELIVERED = VERDICTS[:4]
_SHEET_COLUMNS, _SHEET_EDITS = 2, 12


@dataclass(frozen=True)
class JudgedEdit:
    """A row of the table.

    `box` is "x y width height" as shares of the photo, or empty. It is given if the first answer was to click
    the thing. `first` is the verdict before the faults that this table showed were corrected.
    """

    number: str
    kind: str
    photo: str
    source: str
    license: str
    sha256: str
    prompt: str
    box: str
    first: str
    verdict: str
    reason: str

    @property
    def regions(self) -> tuple[Region, ...]:
        if not self.box:
            return ()
        x, y, width, height = map(float, self.box.split())
        return (Region(x, y, width, height),)


def judged_edits() -> list[JudgedEdit]:
    """Return the rows of the table."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        return [JudgedEdit(**row) for row in csv.DictReader(file)]


def figures(verdicts: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield the lines of a table of pairs of a kind and a verdict, with the shares that have limits."""
    counts: dict[str, Counter[str]] = {}
    for kind, verdict in verdicts:
        for row in (kind, "all"):
            counts.setdefault(row, Counter())[verdict] += 1
    yield " ".join(("kind      ", *VERDICTS, "good+fair", "wrong", "refused"))
    for kind, count in sorted(counts.items(), key=lambda item: item[0] == "all"):
        numbers = (f"{count[verdict]:{len(verdict)}}" for verdict in VERDICTS)
        yield " ".join((f"{kind:10}", *numbers, *_shares(count)))


def _shares(count: Counter[str]) -> tuple[str, str, str]:
    """Return the shares of good or fair and of wrong results, and of wrong refusals among all requests."""
    delivered = max(sum(count[verdict] for verdict in _DELIVERED), 1)
    return (
        f"{(count['good'] + count['fair']) / delivered:9.0%}",
        f"{count['wrong'] / delivered:5.1%}",
        f"{count['refused wrongly'] / max(count.total(), 1):7.1%}",
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.judged_edits", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", help="where the results and the sheets go")
    parser.add_argument("--photos", type=Path, help="the folder of the photos that the table names")
    parser.add_argument("--only", nargs="*", default=[], help="kinds or numbers of edits")
    given = parser.parse_args()
    edits = judged_edits()
    if given.folder is None or given.photos is None:
        first, last = ([(edit.kind, getattr(edit, of)) for edit in edits] for of in ("first", "verdict"))
        print("First:", *figures(first), "Now:", *figures(last), sep="\n")  # noqa: T201
        return
    given.folder.mkdir(parents=True, exist_ok=True)
    chosen = [edit for edit in edits if not given.only or {edit.kind, edit.number} & set(given.only)]
    for edit in chosen:
        _run(edit, given.photos, given.folder)
    for path in _draw(chosen, given.photos, given.folder):
        print(path)  # noqa: T201


def _run(edit: JudgedEdit, photos: Path, folder: Path) -> None:
    """Carry out an edit and write its result or its refusal."""
    result, refusal = folder / f"{edit.number}.png", folder / f"{edit.number}.txt"
    result.unlink(missing_ok=True)
    refusal.unlink(missing_ok=True)
    photo = _photo(edit, photos)
    options = EditOptions(outputs=1, regions=edit.regions)
    plan = explain(edit.prompt, regions=edit.regions)
    try:
        if not plan.accepted:
            refusal.write_text(plan.message, encoding="utf-8")
            return
        (made,) = carry_out(plan, [photo], options, analysis=_analysis(edit, photo, folder))
    except JobError as refused:
        refusal.write_text(refused.message, encoding="utf-8")
        return
    save(made, result, "png")
    if made.notices:
        result.with_suffix(".notice").write_text(" ".join(map(str, made.notices)), encoding="utf-8")


def _photo(edit: JudgedEdit, photos: Path) -> Picture:
    content = (photos / edit.photo).read_bytes()
    if hashlib.sha256(content).hexdigest() != edit.sha256:
        raise SystemExit(f"{edit.photo} is not the photo of the table: its SHA-256 differs.")
    return read(content, STORED)


def _analysis(edit: JudgedEdit, photo: Picture, folder: Path) -> Analysis:
    """Return the stored analysis of the photo, or analyze it and store the analysis."""
    path = folder / f"{edit.sha256}.npz"
    if not path.exists():
        analyze(photo).save(path)
    return Analysis.load(path)


def _draw(edits: Sequence[JudgedEdit], photos: Path, folder: Path) -> Iterator[Path]:
    """Write the sheets of each kind and yield their paths."""
    for kind in dict.fromkeys(edit.kind for edit in edits):
        of_kind = [edit for edit in edits if edit.kind == kind]
        for number, part in enumerate(batched(of_kind, _SHEET_EDITS, strict=False), 1):
            path = folder / f"{kind}-{number}.png"
            _sheet([_pair(edit, photos, folder) for edit in part]).save(path)
            yield path


def _sheet(pairs: Sequence[Image.Image]) -> Image.Image:
    rows = list(batched(pairs, _SHEET_COLUMNS, strict=False))
    heights = [max(pair.height for pair in row) for row in rows]
    page = Image.new("RGB", (pairs[0].width * _SHEET_COLUMNS, sum(heights)), "white")
    top = 0
    for row, height in zip(rows, heights, strict=True):
        for column, pair in enumerate(row):
            page.paste(pair, (column * pair.width, top))
        top += height
    return page


def _pair(edit: JudgedEdit, photos: Path, folder: Path) -> Image.Image:
    """Return the photo and the result or the refusal side by side, below the prompt.

    The verdict is not shown, because it would influence the next one.
    """
    before = tile(_photo(edit, photos), edit.photo)
    after = _after(edit, folder)
    pair = Image.new("RGB", (2 * TILE + 24, max(before.height, after.height) + 34), "white")
    ImageDraw.Draw(pair).text((2, 4), f"{edit.number}. {edit.prompt}", "black", font=font(18))
    pair.paste(before, (0, 30))
    pair.paste(after, (TILE + 8, 30))
    return pair


def _after(edit: JudgedEdit, folder: Path) -> Image.Image:
    result = folder / f"{edit.number}.png"
    if not result.exists():
        return sentence_tile((folder / f"{edit.number}.txt").read_text(encoding="utf-8"))
    notice = result.with_suffix(".notice")
    words = notice.read_text(encoding="utf-8") if notice.exists() else ""
    return tile(read(result.read_bytes(), STORED), words)


if __name__ == "__main__":
    main()
