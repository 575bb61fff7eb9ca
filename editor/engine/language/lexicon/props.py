"""What stands before the noun of a prop: how many, how large, and words that change nothing."""

COUNTS: dict[int, str] = {
    1: "a, an, one, 1, another, single, some kind of",
    2: "two, 2, couple, pair, couple of, pair of, both",
    3: "three, 3, few, a few, handful, handful of, trio of",
    4: "four, 4",
    5: "five, 5, some, several, bunch, bunch of, a bunch, a bunch of, group of, many, numerous, "
    "plenty, plenty of, lots, lots of, lot, lot of, a lot, a lot of",
    6: "six, 6, half a dozen",
    7: "seven, 7",
    8: "eight, 8",
    9: "nine, 9",
    10: "ten, 10",
    11: "eleven, 11",
    12: "twelve, 12, dozen, a dozen, dozen of",
}
SIZES: dict[float, str] = {
    0.05: "tiny, miniature, mini, minuscule",
    0.2: "small, little, smaller",
    0.6: "big, large, bigger, larger, great",
    0.85: "huge, giant, enormous, gigantic, massive, oversized",
}
"""Amounts of a step by the words for a size."""
_PRAISE = """
nice beautiful pretty lovely cute majestic ripe fresh delicious tasty realistic real natural vibrant bright
elegant graceful simple plain normal regular typical ordinary standard charming delightful
wonderful gorgeous stunning perfect good cool amazing fine generic random casual cozy classic single whole
lush healthy
new clean neat delicate detailed lone solitary
stylish sleek sturdy comfortable inviting refreshing luscious decorative tangy shiny trendy chic juicy
fashionable
"""
PRAISE = frozenset(_PRAISE.split())
"""Words that no picture of a thing would contradict."""
_BEING = """
standing sitting lying resting placed located positioned situated growing parked set sits stands lies rests
sailing drifting moored docked anchored gently comfortably naturally somewhere directly just lightly
"""
BEING = frozenset(_BEING.split())
"""How it is there: no more than that it is."""
FLYING = frozenset({"flying", "floating", "hovering", "coming", "moving", "heading", "fluttering", "soaring"})
"""How it is in the air."""
SCATTERING = frozenset({"sprinkle", "scatter", "sprinkling", "scattering", "strew", "photoshop", "plant"})
SCATTERING |= {"hang", "position", "situate", "arrange", "positioning"}
"""Verbs that add, but only what is a prop."""
WISHES = (
    *("would like", "would like to have", "i'd like", "we'd like", "i want", "we want", "i need", "we need"),
    *("needs", "there should be", "there must be", "lets have", "let 's have", "can we get", "could we get"),
    *("can we have", "could we have", "can you get me", "could you get me", "how about"),
)
"""What asks for a prop without a verb that adds."""
_GROUND = """
ground floor lawn pavement snow sand beach road street sidewalk path field pitch yard garden park desert
square
"""
GROUND = frozenset(_GROUND.split())
"""What is below the things of a photo: to stand on it is to stand on the ground."""
ROOMS = frozenset({"room", "living room", "kitchen", "bedroom", "bathroom", "office", "classroom", "scene"})
"""What a photo is of: to be in it is to be anywhere."""
WALLS = frozenset({"wall", "walls"})
_GROUND_LIKE = """
dirt sandy snowy grassy dusty muddy wet dry gravel stone stony rocky cobblestone paved tiled wooden concrete
green frozen open narrow winding
"""
GROUND_LIKE = frozenset(_GROUND_LIKE.split())
"""What the ground is like."""
_BEHIND = """
building house church castle tower pagoda temple barn hut cabin hotel school skyscraper palace mansion cottage
buildings houses trees forest woods mountain mountains hill hills sea ocean lake river waterfall cliff cliffs
skyline city town village landscape scenery horizon wall fence hedge
"""
STANDING_BEHIND = frozenset(_BEHIND.split())
"""What fills the background: before it is in the lower middle."""
LIMBS = frozenset(
    {"arm", "arms", "hand", "hands", "leg", "legs", "foot", "feet", "shoulder", "knee", "elbow"}
)
"""Parts of somebody: beside them is beside that person."""
_CLOTHS = """
polyester nylon knit knitted synthetic khaki plaid striped checkered floral camouflage patterned printed
multicolor multicolored long short sleeved formal spandex linen fur
"""
CLOTHS = frozenset(_CLOTHS.split())
"""What clothes are like, beside their color and material."""
