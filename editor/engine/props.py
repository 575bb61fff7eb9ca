"""Props: things that Darkroom has pictures of its own of, and adds by name. Light on purpose: the language
knows them too.

The pictures stand in assets/props/NAME.webp: cut out, lit from the upper left, cropped to what is seen.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from editor.engine.kinds import plural_of

MOST_PROPS = 12
"""Of one step."""


@dataclass(frozen=True, slots=True)
class Prop:
    """A picture of a thing: its nouns, how tall it is, in metres, and how it `sits`: it "stands" on ground,
    "lies" on a table or the ground, "floats" on water, "flies", "hangs" on a wall, or is worn: on the "head"
    or over the "eyes".

    `colors` are those that it has; with `is_recolorable` it may get another one. `fits` are words beside the
    noun that are true of the picture. With `is_one` a noun in the plural is of the one picture. `is_round`
    is true of balls, which fly, too. Of a hat `hairline` is how far below its top it meets the forehead, in
    its height, `head` how wide the head in it is, and `middle` where the middle of that is, in its width.
    """

    name: str
    nouns: str
    metres: float
    sits: str
    colors: str = ""
    is_recolorable: bool = False
    fits: str = ""
    is_one: bool = False
    is_round: bool = False
    hairline: float = 0.9
    head: float = 0.6
    middle: float = 0.5

    @property
    def is_worn(self) -> bool:
        return self.sits in ("head", "eyes")

    @property
    def title(self) -> str:
        """What it is called in a sentence."""
        return self.nouns.partition(",")[0]


_ALL = (
    Prop("apple", "apple, red apple", 0.093, "lies", "red", True, fits="juicy crisp sweet round"),
    Prop("green_apple", "green apple", 0.093, "lies", "green", fits="juicy crisp round"),
    Prop("orange", "orange, orange fruit", 0.077, "lies", "orange", fits="juicy sweet round"),
    Prop("lemon", "lemon", 0.06, "lies", "yellow", fits="juicy sour"),
    Prop("peach", "peach", 0.087, "lies", "orange pink", fits="juicy sweet round"),
    Prop("pear", "pear", 0.126, "lies", "green yellow", fits="juicy sweet"),
    Prop("banana", "banana", 0.067, "lies", "yellow", fits="sweet"),
    Prop("strawberry", "strawberry", 0.043, "lies", "red", fits="juicy sweet"),
    Prop("cherries", "cherries", 0.074, "lies", "red", fits="juicy sweet", is_one=True),
    Prop(
        "grapes",
        "grapes, bunch of grapes",
        0.117,
        "lies",
        "purple red",
        fits="juicy sweet",
        is_one=True,
    ),
    Prop("watermelon", "watermelon, water melon", 0.24, "lies", "green", fits="juicy sweet whole round"),
    Prop("carrot", "carrot", 0.096, "lies", "orange", fits="crisp crunchy"),
    Prop("pumpkin", "pumpkin", 0.276, "lies", "orange", fits="round plump"),
    Prop("bowl", "bowl", 0.103, "lies", "blue", True, fits="ceramic porcelain empty round"),
    Prop(
        "cup",
        "cup of coffee, coffee cup, cup",
        0.097,
        "lies",
        "white",
        fits="ceramic porcelain coffee hot",
    ),
    Prop("tea", "cup of tea, teacup", 0.102, "lies", "white", fits="ceramic porcelain hot tea black full"),
    Prop("mug", "mug, coffee mug", 0.114, "lies", "red", True, fits="ceramic"),
    Prop(
        "plate",
        "plate, dinner plate, dish",
        0.132,
        "lies",
        "white",
        fits="ceramic porcelain empty round dinner",
    ),
    Prop(
        "bottle",
        "bottle, wine bottle, glass bottle, bottle of wine",
        0.307,
        "lies",
        "green",
        True,
        fits="glass wine",
    ),
    Prop(
        "glass",
        "glass of water, water glass, drinking glass",
        0.124,
        "lies",
        fits="water full clear cold drinking",
    ),
    Prop(
        "wine_glass",
        "wine glass, glass of wine, glass of red wine, wineglass",
        0.211,
        "lies",
        "red",
        fits="wine full",
    ),
    Prop("teapot", "teapot, tea pot", 0.158, "lies", "teal", True, fits="ceramic porcelain"),
    Prop(
        "vase",
        "vase, flower vase, vase of flowers, vase with flowers, vase full of flowers",
        0.479,
        "lies",
        "white",
        fits="flower ceramic",
    ),
    Prop("candle", "candle", 0.162, "lies", "white cream", fits="lit burning wax"),
    Prop("book", "book", 0.16, "lies", "red", True, fits="closed"),
    Prop("notebook", "notebook, spiral notebook", 0.167, "lies", "blue", True, fits="spiral closed"),
    Prop("pencil", "pencil", 0.069, "lies", "yellow", True, fits="wooden sharp"),
    Prop("spoon", "spoon", 0.112, "lies", "silver", fits="metal steel table"),
    Prop("fork", "fork", 0.124, "lies", "silver", fits="metal steel table"),
    Prop("knife", "table knife, knife, butter knife", 0.118, "lies", "silver", fits="metal steel table"),
    Prop("cake", "cake", 0.212, "lies", fits="sweet chocolate"),
    Prop(
        "birthday_cake",
        "birthday cake, cake with candles, birthday cake with candles",
        0.254,
        "lies",
        "white pink",
        fits="birthday sweet",
    ),
    Prop("donut", "donut, doughnut", 0.065, "lies", "pink", True, fits="glazed frosted sweet round"),
    Prop(
        "gift",
        "gift, gift box, present, wrapped gift, wrapped present, present box",
        0.322,
        "lies",
        "red",
        True,
        fits="wrapped christmas birthday",
    ),
    Prop("clock", "clock, wall clock", 0.309, "hangs", "black white", fits="round wall analog"),
    Prop("lamp", "lamp, table lamp, desk lamp", 0.454, "lies", "teal", True, fits="table desk lit bedside"),
    Prop("laptop", "laptop, notebook computer, laptop computer", 0.286, "lies", "silver", fits="open modern"),
    Prop(
        "phone",
        "phone, smartphone, mobile phone, cell phone, cellphone",
        0.106,
        "lies",
        "black",
        fits="modern mobile",
    ),
    Prop("camera", "camera, photo camera", 0.1, "lies", "silver black", fits="classic vintage old retro"),
    Prop(
        "basket",
        "basket, wicker basket, woven basket",
        0.414,
        "lies",
        "brown",
        True,
        fits="wicker woven empty rustic",
    ),
    Prop(
        "suitcase",
        "suitcase, travel suitcase, trolley suitcase",
        1.05,
        "stands",
        "blue teal",
        True,
        fits="travel",
    ),
    Prop("backpack", "backpack, rucksack", 0.5, "stands", "red", True),
    Prop("guitar", "guitar, acoustic guitar", 1.02, "stands", "brown", fits="acoustic wooden"),
    Prop("sword", "sword", 0.963, "stands", "silver", fits="medieval steel"),
    Prop("chair", "chair, wooden chair", 0.998, "stands", "brown", True, fits="wooden empty"),
    Prop("table", "table, wooden table, dining table", 1.02, "stands", "brown", True, fits="wooden empty"),
    Prop("stool", "stool, wooden stool, bar stool", 0.77, "stands", "brown", True, fits="wooden round"),
    Prop(
        "sofa", "sofa, couch, settee, loveseat", 1.05, "stands", "gray", True, fits="soft modern fabric empty"
    ),
    Prop(
        "bookshelf",
        "bookshelf, book shelf, bookcase, wooden bookshelf",
        1.86,
        "stands",
        "brown",
        fits="wooden tall full",
    ),
    Prop(
        "television",
        "television, tv, tv set, television set, flat screen tv, flat screen television",
        0.84,
        "lies",
        "black",
        fits="modern flat screen",
    ),
    Prop("cardboard_box", "cardboard box, carton, parcel, package", 0.4, "lies", "brown", fits="closed"),
    Prop("lantern", "lantern", 0.38, "lies", "black", fits="metal lit glowing old candle"),
    Prop(
        "handbag",
        "handbag, hand bag, purse, leather bag, bag",
        0.4,
        "lies",
        "brown",
        True,
        fits="leather elegant",
    ),
    Prop("pillow", "pillow, cushion", 0.481, "lies", "blue", True, fits="soft fluffy"),
    Prop(
        "tree",
        "tree, broad-leaved tree, oak tree, oak",
        10,
        "stands",
        "green",
        fits="tall leafy green majestic old oak",
    ),
    Prop(
        "palm_tree",
        "palm tree, palm, coconut tree, coconut palm",
        8.8,
        "stands",
        "green",
        fits="tall tropical majestic",
    ),
    Prop(
        "pine",
        "pine tree, pine, fir tree, fir, evergreen tree, spruce, conifer",
        11,
        "stands",
        "green",
        fits="tall majestic evergreen",
    ),
    Prop(
        "cactus",
        "cactus, saguaro, saguaro cactus, cactus plant",
        3,
        "stands",
        "green",
        fits="tall spiky prickly desert",
    ),
    Prop("bush", "bush, shrub", 1.1, "stands", "green", fits="leafy"),
    Prop(
        "potted_plant",
        "potted plant, plant, houseplant, house plant, plant pot, pot plant",
        0.72,
        "stands",
        "green",
        fits="leafy potted indoor house",
    ),
    Prop("flower", "flower, daisy, wildflower, wild flower", 0.34, "stands", "white", fits="blooming"),
    Prop(
        "tulips",
        "tulips, bouquet of tulips, bouquet of flowers, flower bouquet, bouquet",
        0.42,
        "lies",
        "red",
        True,
        fits="blooming colorful",
        is_one=True,
    ),
    Prop("rock", "rock, stone, boulder", 0.4, "stands", "gray", fits="rough"),
    Prop("mushroom", "mushroom, toadstool", 0.16, "stands", "red", True, fits="wild"),
    Prop(
        "ball",
        "ball, beach ball",
        0.4,
        "stands",
        "red white",
        fits="beach round shiny colorful striped",
        is_round=True,
    ),
    Prop(
        "soccer_ball",
        "soccer ball, football, soccerball",
        0.22,
        "stands",
        "black white",
        fits="round",
        is_round=True,
    ),
    Prop("basketball", "basketball, basket ball", 0.24, "stands", "orange", fits="round", is_round=True),
    Prop("baseball", "baseball, base ball", 0.074, "stands", "white", fits="round leather", is_round=True),
    Prop("tennis_ball", "tennis ball", 0.067, "stands", "yellow green", True, fits="round", is_round=True),
    Prop(
        "hot_air_balloon",
        "hot air balloon, air balloon",
        18,
        "flies",
        fits="hot air flying floating colorful",
    ),
    Prop(
        "bench",
        "bench, park bench, wooden bench",
        0.92,
        "stands",
        "brown",
        True,
        fits="wooden park empty garden old rustic weathered",
    ),
    Prop(
        "street_lamp",
        "street lamp, streetlamp, street light, streetlight, lamp post, lamppost",
        3.65,
        "stands",
        "black",
        fits="tall metal iron vintage old classic",
    ),
    Prop("traffic_cone", "traffic cone, road cone", 0.7, "stands", "orange", True, fits="plastic"),
    Prop("stop_sign", "stop sign", 2.3, "stands", "red", fits="metal"),
    Prop("fire_hydrant", "fire hydrant, hydrant", 0.8, "stands", "red", True, fits="metal"),
    Prop("fence", "fence, wooden fence, picket fence", 0.96, "stands", "white", fits="wooden garden picket"),
    Prop("tent", "tent, camping tent", 1.45, "stands", "orange", True, fits="camping"),
    Prop(
        "cabin",
        "cabin, log cabin, wooden cabin, hut, wooden house, wooden hut, cottage",
        4.4,
        "stands",
        "brown",
        fits="wooden log rustic old cozy",
    ),
    Prop("lighthouse", "lighthouse, light house", 22, "stands", "red white", fits="tall striped"),
    Prop("sailboat", "sailboat, sailing boat", 7.2, "floats", "white", True, fits="sailing"),
    Prop(
        "rowing_boat",
        "rowing boat, rowboat, row boat, boat, wooden boat",
        1.15,
        "floats",
        "blue",
        True,
        fits="wooden",
    ),
    Prop("umbrella", "umbrella", 0.95, "stands", "red", True, fits="open"),
    Prop(
        "bicycle",
        "bicycle, bike, city bike",
        1.07,
        "stands",
        "teal green",
        True,
        fits="city vintage classic retro old",
    ),
    Prop("skateboard", "skateboard, skate board", 0.247, "stands", "black", fits="wooden"),
    Prop("snowman", "snowman, snow man", 1.66, "stands", "white", fits="happy smiling"),
    Prop(
        "teddy_bear",
        "teddy bear, teddy, stuffed bear, stuffed animal, plush toy, plush bear",
        0.35,
        "lies",
        "brown",
        fits="soft fluffy toy stuffed",
    ),
    Prop("rubber_duck", "rubber duck, rubber ducky", 0.085, "lies", "yellow", fits="rubber toy"),
    Prop("butterfly", "butterfly", 0.07, "flies", "orange", True, fits="colorful flying"),
    Prop(
        "airplane",
        "airplane, aeroplane, plane, airliner, passenger plane, passenger airplane, jet plane",
        9.2,
        "flies",
        "white",
        fits="flying passenger commercial large",
    ),
    Prop("kite", "kite", 2.1, "flies", "red yellow", fits="colorful flying"),
    Prop("top_hat", "top hat, tophat", 0.168, "head", "black", fits="elegant tall", hairline=0.87, head=0.6),
    Prop(
        "straw_hat",
        "straw hat, sun hat, sunhat, hat",
        0.135,
        "head",
        "tan yellow",
        fits="straw summer",
        hairline=0.76,
        head=0.5,
    ),
    Prop(
        "santa_hat",
        "santa hat, santa cap, christmas hat, santa claus hat, santa claus cap",
        0.205,
        "head",
        "red white",
        fits="christmas",
        hairline=0.84,
        head=0.56,
        middle=0.44,
    ),
    Prop("cap", "cap, baseball cap", 0.155, "head", "red", True, fits="baseball", hairline=0.7, head=0.87),
    Prop(
        "crown",
        "crown, golden crown, gold crown",
        0.114,
        "head",
        "gold",
        fits="royal shiny jeweled",
        hairline=0.92,
        head=0.66,
    ),
    Prop(
        "party_hat",
        "party hat, birthday hat",
        0.237,
        "head",
        "blue yellow",
        fits="party birthday colorful striped paper",
        hairline=0.97,
        head=0.95,
    ),
    Prop(
        "witch_hat",
        "witch hat, witch's hat, witches hat",
        0.345,
        "head",
        "black purple",
        fits="pointed pointy halloween",
        hairline=0.84,
        head=0.45,
    ),
    Prop(
        "cowboy_hat",
        "cowboy hat, western hat, stetson",
        0.176,
        "head",
        "brown",
        True,
        fits="western felt",
        hairline=0.8,
        head=0.51,
    ),
    Prop(
        "sunglasses",
        "sunglasses, sun glasses, pair of sunglasses, dark glasses",
        0.05,
        "eyes",
        "black",
        fits="dark",
        is_one=True,
    ),
    Prop(
        "glasses",
        "glasses, eyeglasses, pair of glasses, spectacles, reading glasses",
        0.05,
        "eyes",
        "black brown",
        fits="reading",
        is_one=True,
    ),
    Prop("ufo", "ufo, flying saucer", 2.5, "flies", "silver", fits="alien flying"),
    Prop("planet", "planet, saturn, ringed planet", 5, "flies", fits="ringed giant"),
)
PROPS: dict[str, Prop] = {prop.name: prop for prop in _ALL}


def _plain(noun: str) -> str:
    return " ".join(noun.replace("-", " ").split())


def several_of(noun: str) -> str:
    """ "Cups of coffee" of "cup of coffee"."""
    head, of, rest = noun.partition(" of ")
    return plural_of(head) + of + rest


def _named() -> Iterator[tuple[str, Prop]]:
    for prop in _ALL:
        yield from ((noun, prop) for noun in prop.nouns.split(", "))


NOUNS: dict[str, str] = {_plain(noun): prop.name for noun, prop in _named()}
PLURALS: dict[str, str] = {
    several: prop.name
    for noun, prop in _named()
    if not prop.is_one and (several := _plain(several_of(noun))) not in NOUNS
}
"""What people call one, and several, with the name of the prop."""
