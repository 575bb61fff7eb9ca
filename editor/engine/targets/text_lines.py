"""Find text in the photo by reading it: dates, photographers' marks, signs, and quoted words."""

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats
from editor.engine.errors import MARK_IT, OperationError
from editor.engine.pixels import Box
from editor.engine.plan import Reason
from editor.engine.targets.analyzed import TEXT
from editor.engine.targets.places import anchor_of, is_at
from editor.engine.vision.text import TextLine, part_of_line, read_text
from editor.imaging.picture import Picture
from editor.sentences import Sentence

# The place that means any one of the four corners.
CORNER = "corner"

_MIN_CERTAINTY = 0.7  # minimum certainty of real text; false alarms are rarely above it
_MIN_CHARACTERS = 2  # minimum number of letters and digits in real text, unless the prompt quotes it
_CORNER_SIZE = (0.45, 1 / 3)  # width and height of the area of a corner mark, as shares of the photo's sides
_EDGE_HEIGHT = 0.22  # height of the areas in which cameras print dates, as a share of the photo's height
_MAX_MARK_HEIGHT = 0.08  # maximum height of a mark in a corner, as a share of the photo's height
# Minimum distance between lines in different blocks, as a multiple of the smaller line's height.
_MIN_BLOCK_DISTANCE = 1.2
_MIN_LETTERS_WITH_ERROR = 8  # minimum number of letters in a quoted text at which one of them may be misread
_MIN_SHARE_ON_THING = 0.6  # minimum share of a line's box that the thing under the line covers
# Minimum similarity, from 0 to 1, between a quoted text and a line that nearly matches it.
_MIN_SIMILARITY = 0.9
_MONTH = re.compile(
    r"(?:\d{1,2}\.?\s*)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
    r"[\s.,'\d:]*\d[\s\d:apm]*",
    re.IGNORECASE,
)
# Digits of a day, month, hour, or short year; a year; a day and a month; or a whole date.
_DATE_PART = re.compile(r"\d{1,2}|(?:19|20)\d\d|[0-3]\d[0-5]\d|(?:19|20)\d{6}|\d{6}")
_MIN_DIGITS = 4  # minimum number of digits in a date or a time
_MARK = re.compile(
    r"©|\(c\)|copyright|www|https?:|@|\.(?:com|net|org|de)\b|stock|sample|preview|watermark|photograph(?:y|er)"
    r"|photo by",
    re.IGNORECASE,
)
_NAMES = {
    "timestamp": Sentence("the date"),
    "watermark": Sentence("the watermark"),
    "signature": Sentence("the signature"),
    "sign": Sentence("the text on a sign"),
}
_SAY_WHERE = Sentence("Say where it is, for example “at the bottom right”, or draw a box around it.")


def lines_read(canvas: Canvas) -> list[TextLine]:
    """Return the lines of text in the photo, from top to bottom.

    The lines are read only once for the same pixels.
    """
    return canvas.get_or_compute(TEXT, lambda: read_text(canvas.picture))


def find_text(
    canvas: Canvas,
    *,
    sort: str | None = None,
    place: str | None = None,
    text: str | None = None,
    on: Floats | None = None,
) -> list[TextLine]:
    """Return the lines that match the given sort, place, or quoted text.

    `sort` is "text" (the default), "timestamp", "watermark", "signature", or "sign". `on` is the mask, at the
    picture's size, of the thing that the lines are on. Raises OperationError if no lines are found or if it
    is unclear which lines are meant.
    """
    name = _NAMES.get(sort or "", Sentence("the text"))
    if text:
        name = Sentence("the text “%(text)s”", text=text)
    candidates = [
        line for line in lines_read(canvas) if _is_at_place(line, place, canvas.picture) and _is_on(line, on)
    ]
    matches = (
        quoted_lines(canvas, candidates, text)
        if text
        else _lines_of_sort(canvas, _real_lines(candidates), sort)
    )
    if not matches:
        sentence = Sentence("I can't find %(what)s.", what=name)
        if place is not None or on is not None:
            sentence = Sentence("I can't find %(what)s there.", what=name)
        raise OperationError(Reason.NO_SUCH_TARGET, sentence, MARK_IT)
    blocks = blocks_of(matches)
    is_one = sort in _NAMES or text is not None or place == CORNER
    if is_one and len(blocks) > 1 and not _is_repeated(matches):
        sentence = Sentence("I found %(n)s texts that could be %(what)s.", n=len(blocks), what=name)
        raise OperationError(Reason.AMBIGUOUS, sentence, _SAY_WHERE)
    return matches


def quoted_lines(canvas: Canvas, lines: Sequence[TextLine], text: str) -> list[TextLine]:
    """Return the lines, or the parts of lines, that match a quoted text exactly.

    A text that spans several lines is found if the lines form one block.
    """
    wanted = _letters_of(text)
    whole = [line for line in lines if _is_read_as(line, wanted)]
    block = next((b for b in blocks_of(lines) if _letters_of("".join(line.text for line in b)) == wanted), [])
    parts = (part_of_line(canvas.picture, line, text) for line in lines)
    return whole or block or [part for part in parts if part is not None]


def blocks_of(lines: Iterable[TextLine]) -> list[list[TextLine]]:
    """Group lines that are close to each other, from top to bottom."""
    blocks: list[list[TextLine]] = []
    for line in lines:
        near = [block for block in blocks if any(_are_near(line, other) for other in block)]
        blocks = [block for block in blocks if block not in near]
        blocks.append([*(other for block in near for other in block), line])
    return blocks


def box_of_lines(lines: Sequence[TextLine]) -> Box:
    return Box.holding(line.box for line in lines)


def is_date(line: TextLine) -> bool:
    """Return whether a line is a date or a time in a form that cameras print."""
    text = line.text.strip(" .,'\"\u2018\u2019\u201c\u201d")
    parts = re.findall(r"\d+", text)
    is_numeric = re.fullmatch(r"[\d\s./:'-]+(?:am|pm)?", text, re.IGNORECASE) and all(
        map(_DATE_PART.fullmatch, parts)
    )
    is_long = len("".join(parts)) >= _MIN_DIGITS and (len(parts) > 1 or len(parts[0]) > _MIN_DIGITS)
    return bool(_MONTH.fullmatch(text) or (is_numeric and is_long))


def is_read_in(picture: Picture, line: TextLine) -> bool:
    """Return whether two consecutive letters of a line can be read at the line's place in a picture."""
    view = line.box.padded(line.height, picture.width, picture.height)
    wanted = _letters_of(line.text)
    for other in read_text(Picture(picture.pixels[view.slices])):
        is_there = other.box.moved(view.left, view.top).overlap(line.box) > 0
        common = SequenceMatcher(None, wanted, _letters_of(other.text), autojunk=False).find_longest_match()
        if is_there and other.score >= _MIN_CERTAINTY and common.size >= min(_MIN_CHARACTERS, len(wanted)):
            return True
    return False


def _lines_of_sort(canvas: Canvas, lines: list[TextLine], sort: str | None) -> list[TextLine]:
    match sort:
        case "timestamp":
            dates = [line for line in lines if is_date(line)]
            printed = [line for line in dates if _is_at_an_edge(line, canvas.picture)]
            return printed or dates
        case "watermark" | "signature":
            others = [line for line in lines if not is_date(line)]
            marked = [line for line in others if _MARK.search(line.text)]
            beside = [b for b in blocks_of(others) if any(line in marked for line in b)]
            in_corner = [line for line in others if _is_at_place(line, CORNER, canvas.picture)]
            return [line for block in beside for line in block] or in_corner or others
        case "sign":
            return [line for line in lines if not _is_mark(line, canvas.picture)]
    return lines


def _is_mark(line: TextLine, picture: Picture) -> bool:
    """Return whether a line was added to the photo later.

    Examples are a date, a credit, or a small line in a corner.
    """
    is_small = line.height < _MAX_MARK_HEIGHT * picture.height and _is_at_place(line, CORNER, picture)
    return is_date(line) or bool(_MARK.search(line.text)) or is_small


def _real_lines(lines: Iterable[TextLine]) -> list[TextLine]:
    return [
        line
        for line in lines
        if line.score >= _MIN_CERTAINTY and len(_letters_of(line.text)) >= _MIN_CHARACTERS
    ]


def _letters_of(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def _is_read_as(line: TextLine, wanted: str) -> bool:
    """Return whether a line has these letters. If there are many letters, one of them may be misread."""
    read = _letters_of(line.text)
    similarity = SequenceMatcher(None, wanted, read, autojunk=False).ratio()
    return read == wanted or (len(wanted) >= _MIN_LETTERS_WITH_ERROR and similarity > _MIN_SIMILARITY)


def _is_repeated(lines: Sequence[TextLine]) -> bool:
    return len({_letters_of(line.text) for line in lines}) == 1 and len(lines) > 2


def _is_at_place(line: TextLine, place: str | None, picture: Picture) -> bool:
    if place is None:
        return True
    x, y = line.box.center[0] / picture.width, line.box.center[1] / picture.height
    if place == CORNER:
        return min(x, 1 - x) < _CORNER_SIZE[0] and min(y, 1 - y) < _CORNER_SIZE[1]
    across, down = anchor_of(place)
    return is_at(line.box, place, picture) and (across is not None or down is not None)


def _is_on(line: TextLine, thing: Floats | None) -> bool:
    """Return whether the mask of a thing covers most of a line's box, or whether no thing is given."""
    return (
        thing is None or float(thing[line.box.within(*thing.shape[::-1]).slices].mean()) > _MIN_SHARE_ON_THING
    )


def _is_at_an_edge(line: TextLine, picture: Picture) -> bool:
    y = line.box.center[1] / picture.height
    return min(y, 1 - y) < _EDGE_HEIGHT


def _are_near(one: TextLine, other: TextLine) -> bool:
    reach = round(_MIN_BLOCK_DISTANCE * min(one.height, other.height))
    left, top, right, bottom = one.box
    return Box(left - reach, top - reach, right + reach, bottom + reach).overlap(other.box) > 0
