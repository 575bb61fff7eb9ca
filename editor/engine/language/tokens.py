"""Split an instruction into words, numbers, quoted strings, and stops, with their offsets."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from editor.engine.units import UNIT

_QUOTED = (
    r"""«[^«»]+»|‹[^‹›]+›|["“”„«][^"“”„«»]+["“”„»]|(?<=["”] to )["“][^"“”„«»]+$"""
    r"""|(?<!\w)'(?=[^']*[^\W_])(?:[^']|(?<=\w)'(?=\w))*'(?!\w)"""
)
_SIDE_PIXELS = r"(?:\d{2,5}|\d,\d{3})"
# Two numbers. Without a unit they are a "pair". No pattern reads this kind, so "3x9" is refused, and "4x6" is
# read only because it is a word in formats.toml.
_PAIR = r"\d{1,2}(?:\.\d+)?\s?(?:[\"”]|inch(?:es)?|in|cm)?\s?(?:x|\u00d7|by)\s?\d{1,2}(?:\.\d+)?"
_PAPER = r"(?:[\"”]|(?:inch(?:es)?|in(?=\s*(?:$|[.,;!?]|prints?\b))|cm|mm|centimet(?:er|re)s?)\b)"
_ADDRESS = (
    r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
    r"|(?<!\S)@[\w.]*\w{2}|(?<![\w.])(?:[\w-]+\.)+(?:com|org|net|info|shop|store|eu|de|at|ch|uk|us)\b(?!\.\w)"
)
_HEX = r"(?:\#|(?<=\bhex )|(?<=\bhex code ))[0-9a-f]{6}\b"
# The "s" of "its" before a word that never follows a possessive, as in "its a scan".
_IS = r"s(?=\s(?:an?|the|so|too|very|not|just|only|been|my|our|his|her|your|their)\b)"
_TOKEN = re.compile(
    rf"(?P<link>https?://\S+|www\.\S+|{_ADDRESS})|(?P<paper>{_PAIR}\s?{_PAPER}|\d+ x \d+ mm\b)"
    rf"|(?P<pair>{_PAIR}(?![\w.]*\d|\s?px))|(?P<quoted>{_QUOTED})|(?P<hex>{_HEX})"
    r"|(?P<emoji>(?:[\U0001f000-\U0001faff\u2600-\u27bf\u2b50\u2b55]\ufe0f?(?:\u200d\S\ufe0f?)*)+)"
    rf"|(?P<size>{_SIDE_PIXELS}\s?(?:px)?\s?(?:x|\u00d7|by)\s?{_SIDE_PIXELS}(?:\s?(?:px|pixels))?\b)"
    r"|(?P<ratio>\d{1,2}\s?:\s?\d{1,2}\b)"
    rf"|(?P<measure>[+-]?(?:\d+(?:[.,]\d+)?|[.]\d+)\s?{UNIT})"
    r"|(?P<number>[+-]?(?:\d+(?:[.]\d+)?|[.]\d+)\b(?![a-z]))"
    rf"|(?P<word>\bw/o\b|\bw/(?![\w/]*/)|it(?={_IS})|(?<=it){_IS}|\d*[^\W\d_]+(?:'(?!s\b)[^\W\d_]+)*|'s\b)"
    r"|(?P<stop>(?:&lt;|<)3|[.!?;:\n…]+|,|[()\[\]—\u2013]+|\s-+\s)|(?P<symbol>&amp;|[&/+%])|(?P<other>[^\s'\"“”„«»*_-])",
    re.IGNORECASE,
)
_EMOJI = re.compile(r"(?:[\U0001f000-\U0001faff\u2600-\u27bf\u2b50\u2b55\ufe0f\u200d]\s?)+")
# A word that may be a proper name.
_NAME = re.compile(r"(?<=[a-z] )(?<!the )(?<!The )[A-Z][a-z]+")
# A dash that may mean "less", and a plus sign that shows that it does: see _minus_spans.
_MINUS = re.compile(
    r"(?<![^\s:])[-\u2013\u2212]+(?=\s*(?:[a-z,;.]|$))|(?<=[a-z])[-\u2212]+(?=\s*$)", re.IGNORECASE
)
_PLUS = re.compile(r"(?:^|[,;.:\n])\s*[+]+(?=\s?[a-z])|[+](?=\s*(?:[,;.]|$))", re.IGNORECASE)
_TRAILING = re.compile(r"[-\u2212]+\s*$")
# The number of a list item, as in "1. Crop it 2. Brighten it".
_COUNTED = re.compile(r"(?<!\S)\d[.)](?=\s)")
# The roles of measures by unit. Other units are roles themselves.
_UNITS = {
    "%": "percent",
    "°": "degrees",
    "deg": "degrees",
    "px": "pixels",
    "ev": "stops",
    "percent": "percent",
    "ppi": "dpi",
    "dpi": "dpi",
    "dots per inch": "dpi",
}
_SYMBOLS = {"&": "and", "&amp;": "and", "+": "and", "/": "and", "%": "percent"}
_SHORT = {"w/": "with", "w/o": "without"}
_QUOTE_MARKS = str.maketrans("\u2019\u2018\u00b4`\u02bc", "'''''")


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of an instruction.

    `text` is in lower case. `value` is the value of a number or measure, the content of a quoted string, or a
    word as typed. `name` is the word as typed if it may be a proper name, such as "Ann" in "remove Ann".
    `is_joined` is true if a hyphen joins the word to the one before it, as in "tilt-shift".
    """

    kind: str
    text: str
    start: int
    end: int
    value: object = None
    name: str = ""
    is_joined: bool = False


def tokenize(instruction: str) -> list[Token]:
    """Return the tokens of an instruction.

    A character that fits no kind of token becomes a separate token, which no construction claims.
    """
    text = instruction.translate(_QUOTE_MARKS)
    if text.lstrip()[:2] in ("1.", "1)"):
        text = _COUNTED.sub(lambda match: "." * len(match[0]), text)
    tokens = [_token(match, instruction) for match in _TOKEN.finditer(text)]
    minuses = [Token("other", "-", *span) for span in _minus_spans(_without_quotes(text, tokens))]
    taken = {minus.start for minus in minuses}
    others = [one for one in tokens if taken.isdisjoint(range(one.start, one.end))]
    return sorted([*others, *minuses], key=lambda one: one.start)


def _without_quotes(text: str, tokens: Sequence[Token]) -> str:
    """Return the text, in which quoted texts and links are replaced with quotation marks."""
    for token in tokens:
        if token.kind in ("quoted", "link"):
            text = text[: token.start] + '"' * (token.end - token.start) + text[token.end :]
    return text


def _minus_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield the offsets of dashes that may mean "less", as in "+ contrast, - noise" and "contrast -".

    No construction reads them, so that the words beside them are refused.
    """
    for match in _MINUS.finditer(text) if _PLUS.search(text) or _TRAILING.search(text) else ():
        yield match.span()


def _token(match: re.Match[str], instruction: str) -> Token:
    kind, text = str(match.lastgroup), match.group().lower()
    value: object = match.group() if kind in ("emoji", "word") else text
    if kind == "link":
        value = match.group().rstrip(".,;:!?")
    elif kind == "quoted":
        value = instruction[match.start() + 1 : match.end() - (text[-1] in "\"“”„»›'")].strip()
        kind = "emoji" if _EMOJI.fullmatch(value) else kind
    elif kind == "hex":
        value = f"#{text.removeprefix('#')}"
    elif kind == "number":
        value = float(text)
    elif kind == "measure":
        value = _measure(text)
    elif kind in ("size", "ratio"):
        value = ("x" if kind == "size" else ":").join(re.findall(r"\d+", text.replace(",", "")))
    elif kind == "paper":
        value = _paper(text)
    elif kind == "pair":
        value = text = "x".join(re.findall(r"[\d.]+", text))
        kind = "size" if re.fullmatch(r"\d\dx\d\d", text) else kind
        if "." in text:
            kind, value = "paper", _paper(text)
    elif kind == "stop":
        is_comma = text in (",", "—", "\u2013") or text.strip() == "-"
        text = "," if is_comma else "/" if text[0] in "()[]" else "."
    elif kind == "symbol":
        text = _SYMBOLS[text]
    elif text in _SHORT:
        text = _SHORT[text]
    elif text == "s" and match.string[: match.start()].lower().endswith("it"):
        text = "'s"
    name = match.group() if _NAME.match(match.string, match.start()) else ""
    before = match.string[max(0, match.start() - 2) : match.start()]
    is_joined = kind == "word" and before[:-1].isalpha() and before[-1] == "-"
    return Token(kind, text, match.start(), match.end(), value, name, is_joined)


def _paper(text: str) -> str:
    """Return a paper size in its standard form: "127 x 178 mm" for "12.7 x 17.8 cm"."""
    scale, unit = (10, "mm") if re.search(r"cm|cent", text) else (1, "mm" if "mm" in text else "inches")
    return " x ".join(f"{float(side) * scale:g}" for side in re.findall(r"[\d.]+", text)) + f" {unit}"


def _measure(text: str) -> tuple[float, str]:
    match = re.fullmatch(r"([+-]?[\d.,]+)\s?(.+)", text)
    assert match is not None
    number, unit = float(match[1].replace(",", ".")), match[2]
    if unit[0] in "km":
        return number * (1000 if unit[0] == "m" else 1), "kilobytes"
    return number, _UNITS.get(unit, unit.rstrip("s") + "s")
