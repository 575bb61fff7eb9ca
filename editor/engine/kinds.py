"""The nouns for what the engine can find, along with the detector's classes for each noun.

This module does not import OpenCV, because the language needs it too.
"""

from collections.abc import Iterable, Sequence

# Places that are not a side of the photo. The place of a thing is a side, a depth, both ("left
# background"), or a rank ("second from left").
DEPTHS = ("background", "foreground")
# Words that count things from a side.
RANKS = ("first", "second", "third", "fourth", "fifth")


def rank_in(place: str | None) -> int:
    """Return the rank in a place such as "second from left", which is 2, or 0 if the place has no rank."""
    rank, _, side = (place or "").partition(" from ")
    return RANKS.index(rank) + 1 if side and rank in RANKS else 0


_ANIMALS = ("bird", "cat", "dog", "horse", "sheep", "cow", "elephant", "bear", "zebra", "giraffe")
_PEOPLE = ("person", "man", "woman", "girl", "boy", "guy", "lady", "child", "kid", "baby")

# For each singular noun, the detector's classes that the noun may refer to.
CLASSES_OF_NOUN: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(_PEOPLE, ("person",)),
    **{animal: (animal,) for animal in _ANIMALS},
    "animal": _ANIMALS,
    "pet": ("cat", "dog", "bird"),
    "car": ("car",),
    "van": ("car", "truck", "bus"),
    "vehicle": ("car", "truck", "bus", "motorcycle"),
    "bike": ("bicycle", "motorcycle"),
    "bag": ("handbag", "backpack", "suitcase"),
    "ball": ("sports ball",),
    "plant": ("potted plant",),
    "table": ("dining table",),
    "phone": ("cell phone",),
    "computer": ("laptop", "tv"),
    **{
        kind: (kind,)
        for kind in (
            "bicycle",
            "motorcycle",
            "airplane",
            "bus",
            "train",
            "truck",
            "boat",
            "traffic light",
            "fire hydrant",
            "stop sign",
            "parking meter",
            "bench",
            "backpack",
            "umbrella",
            "handbag",
            "tie",
            "suitcase",
            "frisbee",
            "snowboard",
            "kite",
            "baseball bat",
            "skateboard",
            "surfboard",
            "tennis racket",
            "bottle",
            "wine glass",
            "cup",
            "fork",
            "knife",
            "spoon",
            "bowl",
            "banana",
            "apple",
            "sandwich",
            "broccoli",
            "carrot",
            "hot dog",
            "pizza",
            "donut",
            "cake",
            "chair",
            "couch",
            "bed",
            "toilet",
            "tv",
            "laptop",
            "keyboard",
            "microwave",
            "oven",
            "toaster",
            "sink",
            "refrigerator",
            "book",
            "clock",
            "vase",
            "teddy bear",
        )
    },
}

# Classes of things on poles. The detector finds only the part on top of the pole.
ON_POLES = frozenset({"stop sign", "traffic light"})

# Parts of people, and flowers, all of which are found by position and color. The value says where a garment
# is worn or what the part is.
PARTS: dict[str, str] = {
    **dict.fromkeys(("shirt", "T-shirt", "blouse", "sweater", "hoodie", "jersey", "top"), "top"),
    **dict.fromkeys(("jacket", "coat", "blazer", "cardigan"), "over"),
    **dict.fromkeys(("dress", "suit", "gown"), "all"),
    **dict.fromkeys(("clothes", "outfit", "costume", "uniform"), "clothes"),
    "hair": "hair",
    "teeth": "teeth",
    **dict.fromkeys(("flower", "flowers", "rose", "roses", "petals", "blossoms", "tulips"), "flowers"),
}

# Groups of classes that the detector confuses with each other.
_SIBLINGS = (
    frozenset({"cat", "dog", "cow", "horse", "sheep", "bear"}),
    frozenset({"car", "truck", "bus", "airplane", "train"}),
    frozenset({"bicycle", "motorcycle"}),
    frozenset({"cup", "bowl", "vase", "wine glass"}),
)


def siblings_of(kinds: Iterable[str]) -> frozenset[str]:
    """Return the classes that the detector confuses with any of the given classes."""
    groups = (group for group in _SIBLINGS if group & set(kinds))
    return frozenset(kind for group in groups for kind in group) - set(kinds)


_IRREGULAR = {
    "person": "people",
    "human": "humans",
    "man": "men",
    "woman": "women",
    "child": "children",
    "sheep": "sheep",
    "deer": "deer",
    "cactus": "cacti",
    "fish": "fish",
    "knife": "knives",
    "leaf": "leaves",
    "wolf": "wolves",
    "mouse": "mice",
    "goose": "geese",
}


_PLURAL_ONLY = frozenset({*_IRREGULAR.values(), "teeth", "feet"}) - {"sheep", "deer", "fish"}
# Endings of singulars, such as "glass", "cactus", and "trellis".
_SINGULAR_ENDINGS = ("ss", "us", "is", "lens", "gas", "canvas", "atlas", "pancreas", "christmas")


def takes_them(noun: str) -> bool:
    """Return whether a noun is plural.

    The noun may be any word, so only its ending and a list of irregular plurals are checked. "Scissors" and
    "curtains" are plural, but "trellis" and "glass" are not, nor is "bunch of grapes".
    """
    last = noun.partition(" of ")[0].rpartition(" ")[2]
    return last in _PLURAL_ONLY or (last.endswith("s") and not last.endswith(_SINGULAR_ENDINGS))


def joint_name(kinds: Sequence[str]) -> str:
    """Return one name for things of these kinds, such as "cat and dogs", or "" if a kind is unknown."""
    if not all(map(kinds_of, kinds)):
        return ""
    return " and ".join(kind if kinds.count(kind) == 1 else plural_of(kind) for kind in dict.fromkeys(kinds))


def takes_an(noun: str) -> bool:
    """Return whether the article of a noun, or of the words before it, is "an" and not "a"."""
    words = noun.lower()
    return words[0] in "aeiou" and not words.startswith(("uni", "ufo"))


def plural_of(noun: str) -> str:
    """Return the plural of a noun: "cars" for "car", "green leaves" for "green leaf".

    In "cup of coffee" the first noun is counted: "cups of coffee".
    """
    counted, of, kind = noun.partition(" of ")
    if of:
        return plural_of(counted) + of + kind
    described, _, last = noun.rpartition(" ")
    if last in _IRREGULAR:
        return f"{described} {_IRREGULAR[last]}".lstrip()
    if noun.endswith("man"):
        return f"{noun[:-3]}men"
    if noun.endswith("y") and noun[-2:-1] not in tuple("aeiou"):
        return f"{noun[:-1]}ies"
    return noun + ("es" if noun.endswith(("s", "ch", "sh", "x")) else "s")


# For each plural noun for something that the detector can find, its singular.
PLURALS = {plural_of(noun): noun for noun in CLASSES_OF_NOUN if plural_of(noun) != noun}


ANIMALS = frozenset(_ANIMALS)
# The classes whose outlines the engine finds best.
LIVING = ANIMALS | {"person"}


def kinds_of(noun: str | None) -> tuple[str, ...]:
    """Return the detector's classes for a plan's noun, singular or plural, or () if it has no classes."""
    return CLASSES_OF_NOUN.get(singular_of(noun or ""), ())


def singular_of(noun: str) -> str:
    """Return the singular of a noun for something that the detector can find: "car" for "cars".

    Other nouns are returned unchanged.
    """
    return PLURALS.get(noun, noun)


def is_someone(noun: str | None) -> bool:
    """Return whether the noun refers to people."""
    return "person" in kinds_of(noun)


def is_plural(noun: str) -> bool:
    """Return whether the noun is the plural of a noun for something that the detector can find."""
    return noun in PLURALS
