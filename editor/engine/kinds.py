"""Things that the engine can find by their name: the nouns of plans, and what the detector calls them.

Light on purpose: the language knows them without OpenCV.
"""

DEPTHS = ("background", "foreground")
"""Places that are no side of the photo: a thing's place may be a side, one of these, or both ("left
background")."""

_ANIMALS = ("bird", "cat", "dog", "horse", "sheep", "cow", "elephant", "bear", "zebra", "giraffe")
_PEOPLE = ("person", "man", "woman", "girl", "boy", "guy", "lady", "child", "kid", "baby")

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
"""For a noun in the singular, the classes of the detector that it may be."""

ON_POLES = frozenset({"stop sign", "traffic light"})
"""Kinds of which the detector sees no more than what is on top."""

PARTS: dict[str, str] = {
    **dict.fromkeys(("shirt", "T-shirt", "blouse", "sweater", "hoodie", "jersey", "top"), "top"),
    **dict.fromkeys(("jacket", "coat", "blazer", "cardigan"), "over"),
    **dict.fromkeys(("dress", "suit", "gown"), "all"),
    **dict.fromkeys(("clothes", "outfit", "costume", "uniform"), "clothes"),
    "hair": "hair",
    "teeth": "teeth",
    **dict.fromkeys(("flower", "flowers", "rose", "roses", "petals", "blossoms", "tulips"), "flowers"),
}
"""Parts of people, and flowers, that their place and colors tell, and by what: where clothes are worn, or
what they are."""

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


def plural_of(noun: str) -> str:
    """ "cars" for "car", "green leaves" for "green leaf"."""
    described, _, last = noun.rpartition(" ")
    if last in _IRREGULAR:
        return f"{described} {_IRREGULAR[last]}".lstrip()
    if noun.endswith("man"):
        return f"{noun[:-3]}men"
    if noun.endswith("y") and noun[-2:-1] not in tuple("aeiou"):
        return f"{noun[:-1]}ies"
    return noun + ("es" if noun.endswith(("s", "ch", "sh", "x")) else "s")


_PLURALS = {plural_of(noun): noun for noun in CLASSES_OF_NOUN if plural_of(noun) != noun}


LIVING = frozenset(("person", *_ANIMALS))
"""Kinds whose outline the engine finds best."""


def kinds_of(noun: str | None) -> tuple[str, ...]:
    """What the detector may call a noun of a plan, in the singular or the plural; () for other nouns."""
    return CLASSES_OF_NOUN.get(singular_of(noun or ""), ())


def singular_of(noun: str) -> str:
    """ "car" for "cars", where such things can be found; other nouns as they are."""
    return _PLURALS.get(noun, noun)


def is_someone(noun: str | None) -> bool:
    """Whether the noun is of people."""
    return "person" in kinds_of(noun)


def is_plural(noun: str) -> bool:
    """Whether several things are meant by a noun that can be found."""
    return noun in _PLURALS
