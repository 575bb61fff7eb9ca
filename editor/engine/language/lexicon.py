"""What the language knows: words and phrases, what each of them means, and how a misspelt one is found.

Each table maps a meaning to the words for it, separated by commas. A word may stand in several tables:
"light" is a quality, an adjective and the shade of a color.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from editor.engine.plan import Reason


class Role(StrEnum):
    """What a word can be in a clause; the rules of the reader are written with these."""

    # commands
    RAISE = "raise"
    LOWER = "lower"
    ADJUST = "adjust"
    ENHANCE = "enhance"
    MAKE = "make"
    CHANGE = "change"
    REPLACE = "replace"
    PAINT = "paint"
    REMOVE = "remove"
    OUTWARD = "outward"  # removes when "out", "off" or "away" follows: "take the car out"
    ADD = "add"
    USE = "use"
    EXTRACT = "extract"
    CROP = "crop"
    ROTATE = "rotate"
    FLIP = "flip"
    RESIZE = "resize"
    TONE = "tone"
    KEEP = "keep"
    WITHOUT = "without"
    EXCEPT = "except"
    NOT = "not"
    NO = "no"
    UNAVAILABLE = "unavailable"
    # qualities
    QUALITY = "quality"
    ADJECTIVE = "adjective"
    COLORS = "colors"
    CAST = "cast"
    LOOK = "look"
    VAGUE = "vague"
    UNCHANGED = "unchanged"
    REST = "rest"
    # how much
    AMOUNT = "amount"
    MORE = "more"
    LESS = "less"
    LACKING = "lacking"
    TOO = "too"
    NUMBER = "number"
    MEASURE = "measure"
    UNIT = "unit"
    RATIO = "ratio"
    SIZE = "size"
    FRACTION = "fraction"
    # what and where
    PHOTO = "photo"
    BACKGROUND = "background"
    SUBJECT = "subject"
    PERSON = "person"
    FACE = "face"
    MARKED = "marked"
    IT = "it"
    THIS = "this"
    ORDINAL = "ordinal"
    SEVERAL = "several"  # more than one photo, when more than one was given
    NUMBERED = "numbered"
    WHOLE = "whole"
    COLOR = "color"
    SHADE = "shade"
    PLACE = "place"
    AXIS = "axis"
    TURN = "turn"
    TEXT = "text"
    BORDER = "border"
    VIGNETTE = "vignette"
    EFFECT = "effect"
    TRANSPARENT = "transparent"
    DEFECT = "defect"
    EDGES = "edges"
    THICKNESS = "thickness"
    SCENE = "scene"
    NOUN = "noun"
    QUOTED = "quoted"
    BE = "be"
    # what holds the words together
    AND = "and"
    THEN = "then"
    BUT = "but"
    PREPOSITION = "preposition"
    DETERMINER = "determiner"
    PURPOSE = "purpose"
    FILLER = "filler"
    COMMON = "common"  # a word that is known not to be a misspelling of another


@dataclass(frozen=True, slots=True)
class Tone:
    """A quality of the photo and the direction in which a word moves it."""

    operation: str
    sign: int
    comparative: bool = False


@dataclass(frozen=True, slots=True)
class Unavailable:
    """A wish that is understood and that no operation covers."""

    reason: Reason
    hint: str


# A word ends before the "'s" of an owner, and a hyphen parts two words.
WORD = re.compile(r"[^\W\d_]+(?:'(?!s\b)[^\W\d_]+)*|'s\b|\d+(?:[.]\d+)?|[^\w\s'-]")

Senses = Mapping[Role, object]


def _inflected(verb: str) -> Iterator[str]:
    head, _, tail = verb.partition(" ")
    stem = head[:-1] if head.endswith("e") else head
    doubled = head + head[-1] if head in _DOUBLING else stem
    for form in (head, head + "s", doubled + "ing", doubled + "ed"):
        yield f"{form} {tail}".rstrip()


_DOUBLING = {"crop", "blur", "flip", "cut", "put", "dim", "get", "swap", "trim", "pop", "shop"}

_COMMANDS: dict[Role, str] = {
    Role.RAISE: "increase, boost, raise, heighten, amplify, intensify, strengthen, maximize, turn up, "
    "bump up, "
    "crank up, pump up, bring up, bring out, punch up, up, bump, deepen",
    Role.LOWER: "decrease, reduce, lower, lessen, minimize, diminish, weaken, turn down, tone down, "
    "bring down, "
    "dial down, cut down, take down, cut back on, mute, subdue, dampen, soften up",
    Role.ADJUST: "adjust, fix, fix up, correct, balance, even out, modify, tweak, work on, edit, "
    "photoshop, clean up",
    Role.ENHANCE: "enhance, improve, better, optimize, retouch, touch up, upgrade, auto enhance, autoenhance",
    Role.MAKE: "make, render, get",
    Role.CHANGE: "change, turn, convert, transform, switch, bring, dial, crank, push",
    Role.REPLACE: "replace, swap, substitute, swap out, switch out",
    Role.PAINT: "paint, dye, recolor, recolour, tint, color, colour",
    Role.REMOVE: "remove, delete, erase, get rid of, take out, take away, take off, crop out, edit out, "
    "shop out, photoshop out, ps out, cut away, wipe out, eliminate, clear out, clear away, airbrush out, "
    "paint out, clone out, clean out, photoshop away, rid of, strip, scrub, edit away, omit, exclude",
    Role.OUTWARD: "take, crop, edit, shop, photoshop, ps, get, clean, clear, wipe, airbrush, clone",
    Role.ADD: "add, put, insert, place, overlay, write, include, apply, give, draw, paste, superimpose, "
    "introduce, throw in, stick, attach, bring in, set, type, caption, fill, fill in",
    Role.USE: "use, take",
    Role.EXTRACT: "extract, isolate, cut out, cut, clip",
    Role.CROP: "crop, trim",
    Role.ROTATE: "rotate, turn, spin, tilt",
    Role.FLIP: "flip, mirror",
    Role.RESIZE: "resize, scale, rescale, shrink, enlarge, scale down, scale up, downsize, upscale, "
    "downscale",
    Role.KEEP: "keep, leave, preserve, retain, protect, maintain",
}

_IRREGULAR: dict[Role, str] = {
    Role.MAKE: "made, making, getting",
    Role.REMOVE: "removal, gone, taken out, edited out, cropped out, got rid of, getting rid of, "
    "take him out, "
    "take her out, take them out, remover, shopped out, photoshopped out",
    Role.ADD: "giving, writing, drawn",
    Role.ADJUST: "correction, adjustment, color correct, color correction",
    Role.ENHANCE: "enhancement, improvement, better, improved",
    Role.RESIZE: "enlarged, shrunk",
}

_TONE_VERBS: dict[tuple[str, int], str] = {
    (
        "brightness",
        1,
    ): "brighten, lighten, brighten up, lighten up, light up, illuminate, whiten up, liven up",
    ("brightness", -1): "darken, dim, darken up, darken down, dull down, tone down",
    ("saturation", 1): "saturate, colour up",
    ("saturation", -1): "desaturate, unsaturate",
    ("warmth", 1): "warm, warm up",
    ("warmth", -1): "cool, cool down, cool off",
    ("sharpness", 1): "sharpen, sharpen up, deblur, unblur, clarify, focus, refocus, crispen",
    ("sharpness", -1): "blur, blur out, soften, defocus",
}

_QUALITIES: dict[tuple[str, int], str] = {
    ("brightness", 1): "brightness, exposure, luminosity, light, lights, lightness, lighting, illumination, "
    "luminance, visibility, bright, lightening, brightening, light levels, light level, brightnesses, "
    "ambient light, overall brightness, natural light",
    ("brightness", -1): "darkness, dark, dimness, darkening",
    ("contrast", 1): "contrast, contrasts, contrasting, depth",
    (
        "saturation",
        1,
    ): "saturation, vibrance, vibrancy, vividness, color intensity, colour intensity, color depth, "
    "colorfulness, color saturation, colour saturation, colors saturation, saturation of color, vibration, "
    "saturations, color vibrance, color vibrancy, intensity of color, intensity of colors, "
    "saturation of the colors, intensity of the colors, richness, chroma, satuartion",
    (
        "warmth",
        1,
    ): "warmth, warm tone, warm tones, warmer tone, warmer tones, color temperature, temperature, "
    "warm color, warm colors, warm tint, warm light, warm filter, warm hue, warmness, warm lighting, "
    "warming filter, "
    "warm undertone, warm colour, warm colours",
    ("warmth", -1): "coolness, cool tone, cool tones, cooler tone, cooler tones, cool color, cool colors, "
    "cool tint, cool filter, cool hue, cooling filter, cool light, cold tone, cold tones, coldness",
    ("sharpness", 1): "sharpness, clarity, clearness, definition, crispness, focus, sharp, detail, details, "
    "sharpening, crisp detail, sharpness level",
    ("sharpness", -1): "blur, blurriness, blurring, softness, blurry effect, blurring effect, blur effect, "
    "fuzziness, gaussian blur",
}

_ADJECTIVES: dict[tuple[str, int], str] = {
    ("brightness", 1): "bright, light, visible, well lit, lit, luminous, exposed, overexposed, over exposed",
    ("brightness", -1): "dark, dim, underexposed, under exposed, gloomy",
    ("contrast", 1): "contrasty, contrasted, high contrast, contrast",
    ("contrast", -1): "washed out, low contrast, flat",
    (
        "saturation",
        1,
    ): "vivid, colorful, colourful, vibrant, saturated, rich, intense, bold, vibrate, oversaturated",
    ("saturation", -1): "dull, muted, faded, desaturated, colorless, pale",
    ("warmth", 1): "warm, warm toned",
    ("warmth", -1): "cold, cool toned",
    ("sharpness", 1): "sharp, clear, crisp, focused, in focus, defined, detailed, readable, legible",
    ("sharpness", -1): "blurry, blurred, fuzzy, out of focus, unfocused, soft, unclear",
}

_COMPARATIVES: dict[tuple[str, int], str] = {
    ("brightness", 1): "brighter, lighter, brighter looking",
    ("brightness", -1): "darker, dimmer, gloomier",
    ("saturation", 1): "richer, bolder, intenser",
    ("saturation", -1): "duller, paler",
    ("warmth", 1): "warmer, yellower",
    ("warmth", -1): "cooler, colder, bluer",
    ("sharpness", 1): "sharper, clearer, crisper",
    ("sharpness", -1): "blurrier, softer, fuzzier",
    ("contrast", -1): "flatter",
}

_LOOKS: dict[str, str] = {
    "black_and_white": "black and white, b&w, b & w, bw, b/w, black & white, black-and-white, greyscale, "
    "grayscale, gray scale, grey scale, monochrome, monochromatic, black n white, b and w, black/white",
    "sepia": "sepia, sepia tone, sepia toned, sepia tones",
    "negative": "negative, inverted, color negative, inverted colors, invert colors",
}

_INVERT = "invert, inverting, inverts"

_VAGUE = (
    "better, nicer, pop, pop out, pop more, stand out, great, good, amazing, awesome, beautiful, nice, "
    "best, prettier, more appealing, appealing, quality, better quality, higher quality, high quality, "
    "look better, best quality, improved, gorgeous, stunning, professional, more professional, "
    "as good as possible, attractive, more attractive, nice and clear, overall quality, picture quality, "
    "image quality, photo quality"
)

_AMOUNTS: dict[float, str] = {
    0.1: "a touch, touch, a hint, hint, a hint of, a touch of, very slightly, tiny bit, a tiny bit, "
    "ever so slightly, "
    "a hair, a smidge, very little, barely, a very little bit, just a touch, subtly, subtle, "
    "a teeny bit, a tiny",
    0.2: "slightly, slight, a bit, a little, a little bit, bit, little, little bit, a tad, tad, "
    "somewhat, lightly, "
    "mildly, mild, not too much, gently, gentle, a little more, a bit more, a little bit more, "
    "slightly more, "
    "just a bit, just a little, just a little bit, a small amount, small amount, a bit of, a little bit of, "
    "minor, abit, a slight, alittle, a slightly, some little, by a little, by a bit, a fraction, "
    "just slightly",
    0.35: "some, moderately, moderate, a moderate amount, a fair amount, medium, reasonably, fairly, "
    "some more, "
    "a moderate, an average amount",
    0.4: "quite, quite a bit, noticeably, considerably, noticeable, nicely, rather",
    0.65: "a lot, much, very, way, lot, lots, lots of, a lot of, a lot more, much more, alot, allot, "
    "a great deal, "
    "significantly, greatly, heavily, strongly, strong, heavy, really, highly, substantially, far, tons, "
    "a ton, "
    "a whole lot, tons of, so much, very much, significant, big, hugely, by a lot, by alot, intensely, "
    "super, "
    "a great amount, a good amount, a large amount, largely, deeply, vastly, a great amount of, loads",
    0.8: "dramatically, drastically, extremely, dramatic, extreme, drastic, immensely, tremendously, "
    "massively",
    1.0: "completely, as possible, as much as possible, totally, fully, maximum, to the max, complete, "
    "entirely, "
    "all the way, max, as far as possible",
}

_FRACTIONS: dict[float, str] = {
    50: "half, by half, in half, one half, a half, 1/2",
    25: "a quarter, one fourth, a fourth, one quarter, quarter, 1/4",
    100: "twice, double, doubled, two times, twofold, 2x",
}

_UNITS: dict[str, str] = {
    "percent": "percent, %, per cent, points, point, percents, percentage",
    "degrees": "degrees, degree, °, deg, degs",
    "pixels": "pixels, pixel, px, pixel wide, pixels wide, px wide",
}

_COLORS = (
    "white, black, gray, red, green, blue, yellow, orange, purple, pink, brown, cyan, magenta, gold, silver, "
    "beige, turquoise, teal, navy, maroon, violet, lavender, olive, tan, cream, ivory, indigo, crimson, lime"
)
_COLOR_SPELLINGS: dict[str, str] = {
    "gray": "grey",
    "navy": "navy blue, dark navy",
    "sky blue": "sky blue",
    "gold": "golden",
    "purple": "purplish",
    "red": "reds, reddish",
    "green": "greens, greenish",
    "blue": "blues, bluish, blueish, blueness",
    "yellow": "yellows, yellowish, yellowy, yellowness",
    "orange": "oranges, orangish, orangey, amber",
    "pink": "pinks, pinkish",
    "royal blue": "royal blue",
    "hot pink": "hot pink",
    "lime green": "lime green",
    "forest green": "forest green",
    "white": "pure white, solid white, plain white, whites, all white",
    "black": "pure black, solid black, plain black, jet black, blacks, all black, pitch black",
}
_SHADES: dict[str, str] = {
    "dark": "dark, darker, deep, deeper, navy-dark",
    "light": "light, lighter, pale, paler, pastel, soft, baby",
    "bright": "bright, brighter, vivid, neon",
}
_CASTS = (
    "tint, tone, tones, cast, color cast, colour cast, tinge, hue, hues, undertone, undertones, tinting, "
    "tints, "
    "overtone, overtones, coloring, filter, color tone, color filter, overlay, color overlay, tinted, "
    "toned, shade, shades"
)

_PLACES: dict[str, str] = {
    "top left": "top left, upper left, top left corner, upper left corner, left top, left top corner, "
    "upper left hand corner, top left hand corner",
    "top right": "top right, upper right, top right corner, upper right corner, right top, right top corner, "
    "upper right hand corner, top right hand corner",
    "bottom left": "bottom left, lower left, bottom left corner, lower left corner, left bottom, "
    "lower left hand corner, bottom left hand corner, left bottom corner",
    "bottom right": "bottom right, lower right, bottom right corner, lower right corner, right bottom, "
    "lower right hand corner, bottom right hand corner, right bottom corner",
    "top": "top, upper, top center, top middle, top edge, top side, upper part, top part, upper side",
    "bottom": "bottom, lower, bottom center, bottom middle, bottom edge, bottom side, lower part, "
    "bottom part, underneath",
    "left": "left, left side, left hand side, left edge, left-hand side, left part",
    "right": "right, right side, right hand side, right edge, right-hand side, right part",
    "center": "center, centre, middle, dead center",
    "all": "all sides, every side, each side, all edges, every edge, all four sides",
}
_TURNS: dict[int, str] = {
    1: "clockwise, cw",
    -1: "counterclockwise, counter clockwise, counter-clockwise, ccw, anticlockwise, anti-clockwise, "
    "anti clockwise",
}
_AXES: dict[str, str] = {
    "horizontal": "horizontally, horizontal, left to right, sideways, left-right, right to left, "
    "mirror image, side to side",
    "vertical": "vertically, vertical, upside down, top to bottom, upside-down, bottom to top",
}
_RATIOS: dict[str, str] = {"1:1": "square, squared, a square, perfect square"}

_THINGS: dict[Role, str] = {
    Role.PHOTO: "photo, photos, image, images, picture, pictures, pic, pics, photograph, photographs, "
    "shot, imagine, "
    "snapshot, scene, everything, whole thing, entire thing, all of it, img, overall, pict, selfie, photo's, "
    "image's, picture's, overall image, overall photo, overall picture, frame's, composition, imgage",
    Role.SEVERAL: "photos, images, pictures, pics, photographs, them, these, both, each, all",
    Role.BACKGROUND: "background, backdrop, backgrounds, back ground, bg, back round, background's, "
    "background image",
    Role.SUBJECT: "subject, subjects, foreground, main subject, main object, main person, fore ground, "
    "central subject, main figure, subject's",
    Role.PERSON: "person, people, man, woman, girl, boy, guy, lady, couple, child, kid, kids, children, "
    "baby, men, "
    "women, girls, boys, me, us, him, her, myself, model, everyone, family, persons",
    Role.FACE: "face, faces",
    Role.MARKED: "marked area, marked part, marked region, selected area, selected part, selected region, "
    "highlighted area, circled area, boxed area, marked areas, marked place, selection, box, boxes, "
    "region, regions, "
    "here, rectangle, in here, marked spot, this area, this part, this region, this spot, that area, "
    "that part, "
    "area i marked, part i marked, place i marked, area inside the box, inside the box, marked object, "
    "marked thing, "
    "circled part, highlighted part, area in the box, part in the box, marked section, this section, "
    "boxed part, "
    "boxed object, object in the box, thing in the box, area i selected, what i marked",
    Role.IT: "it, it's, its, that, them",
    Role.THIS: "this, these, this one, this thing, this object, this bit",
    Role.WHOLE: "entire, whole, full, overall, complete, all, all of",
    Role.COLORS: "colors, color, colours, colour, coloring, colouring, colors', coloration, "
    "color quality, color palette, "
    "color pallet, colour palette, palette, color scheme, color tones, colour tones",
    Role.TEXT: "text, words, word, caption, title, label, heading, lettering, watermark, sentence, "
    "phrase, writing, "
    "letters, headline, name, signature, slogan, subtitle, message, that says, saying, that reads, "
    "reading, which says",
    Role.BORDER: "border, frame, borders, framing, picture frame, photo frame, outline border, edge border",
    Role.VIGNETTE: "vignette, vignetting, vignette effect, vignetting effect",
    Role.EFFECT: "effect, effects, filter, filters, style, look, mode, overlay, version, feel, layer",
    Role.TRANSPARENT: "transparent, see through, see-through, transparency",
    Role.EDGES: "edges, corners, edge, sides, outer edges",
    Role.REST: "everything else, the rest, rest, anything else, all else, nothing else, rest of it, "
    "all the rest",
    Role.UNCHANGED: "as is, as it is, as they are, unchanged, untouched, alone, the same, same, intact, "
    "original, "
    "the way it is, in color, in colour, colored, as it was, original color, original colors, in full color, "
    "the way they are, in original color, in its original color, natural, sharp, in focus, how it is",
}

_DEFECTS = (
    "noise, grain, haze, fog, graininess, pixelation, red eye, red eyes, redeye, redness, mist, haziness, "
    "grey haze, artifacts, moire, jaggedness"
)
_BLURS = "blur, blurriness, blurring, fuzziness"

_THICKNESSES: dict[float, str] = {
    0.2: "thin, small, narrow, slim",
    0.65: "thick, big, wide, large, bold, broad",
}

_ORDINALS: dict[int, str] = {
    1: "first, 1st",
    2: "second, 2nd",
    3: "third, 3rd",
    4: "fourth, 4th",
    5: "fifth, 5th",
    0: "other, last, final, next, another",  # which one depends on how many there are
}
_EACH = (
    "both",
    "every",
    "each",
    "all",
    "all of",
    "all the",
    "all of the",
    "both of the",
    "both the",
    "two",
    "three",
)
_SINGLE_PHOTO = ("photo", "image", "picture", "pic", "photograph")
_PHOTO_NAMES = [*_SINGLE_PHOTO, *(f"{name}s" for name in _SINGLE_PHOTO)]
_ALL_OF_THEM = ("all of them", "both of them", "each of them", "both of these", "all of these")
_NUMBERS: dict[int, str] = {
    1: "one",
    2: "two",
    3: "three",
    4: "four",
    5: "five",
    10: "ten",
    90: "ninety",
    20: "twenty",
}

_UNAVAILABLE: dict[Unavailable, str] = {
    Unavailable(Reason.LOW_CONFIDENCE, "Say by how much instead, "
    "for example: rotate by 2 degrees."): "straighten, level, "
    "straightening, straightened, straight, levelled, align, straight up",
    Unavailable(
        Reason.LOW_CONFIDENCE, "Crop instead: crop to the subject, crop to 4:3, "
        "or mark the part to keep with a box."
    ): "zoom, zoom in, zoom out, zooming, zoomed, zoom into, zoom it in, closer, close up, recenter, "
    "center it",
    Unavailable(
        Reason.NEEDS_GENERATION, "Coloring a black-and-white photo needs a generative engine."
    ): "colorize, colourize, colorise, colorization, colourise, colorizing, recolorize",
    Unavailable(
        Reason.LOW_CONFIDENCE, "Restoring is not available yet; brightness, contrast and sharpness are."
    ): "restore, repair, restoration, restoring, restored, denoise, despeckle, dehaze, descratch",
    Unavailable(
        Reason.NEEDS_GENERATION, "Moving or reshaping things needs a generative engine."
    ): "move, moving, reposition, extend, expand, stretch, widen, slim, thinner, taller, slimmer, "
    "outpaint, uncrop, swap faces",
    Unavailable(
        Reason.NEEDS_GENERATION, "Changing the style of a photo needs a generative engine."
    ): "cartoon, painting, anime, watercolor, watercolour, sketch, oil painting, cartoonish, cartoonize, "
    "stylize, "
    "distort, pencil drawing, comic, vintage, retro, hdr, pixelate, pixelated, posterize, blurple, distorted",
    Unavailable(
        Reason.LOW_CONFIDENCE, "Shadows and highlights cannot be set alone yet; brightness and contrast can."
    ): "shadows, shadow, highlights, highlight, midtones, white balance, color balance, tint balance, "
    "levels, curves, "
    "gamma, hue, hues, whites and blacks, glow, glowing, gradient, gradients, shiny, shine, texture, "
    "smooth, smoother",
}  # fmt: skip

_SCENES = (
    "beach, forest, sunset, mountain, mountains, sky, ocean, sea, city, park, woods, garden, space, "
    "galaxy, studio, "
    "landscape, street, jungle, desert, field, snow, sunrise, skyline, hospital, stadium, paris, night, "
    "something else, different background, another background, something different, nature, clouds, room"
)

_NOUNS = """
car cars dog dogs cat cats tree trees truck bus bike bicycle motorcycle motorbike boat ship train plane
airplane horse bird birds cow sheep fish bear lion tiger shark elephant duck crow goat animal animals pet
puppy kitten flower flowers rose plant plants grass leaf leaves bush bushes branch branches forest
mountain mountains hill hills rock rocks stone stones sand beach sea ocean lake river water wave waves sky
cloud clouds sun moon star stars rain snow sunset rainbow lightning fire smoke flame flames building
buildings house houses roof wall walls window windows door doors fence gate bridge road street path
sidewalk floor ground ceiling stairs room kitchen table tables chair chairs bench sofa couch bed desk lamp
lamps lights curtain carpet rug pillow shelf cup cups glass glasses bottle bottles plate bowl fork knife
spoon food cake pizza bread apple apples banana fruit beer wine can cans drink bag bags backpack box phone
phones camera computer laptop screen keyboard tv book books paper papers pen sign signs poster posters
logo logos sticker emoji watermark timestamp date stamp number numbers letter letters arrow flag flags
shirt shirts tshirt t-shirt jacket coat dress skirt pants jeans shoes shoe boots hat hats cap helmet
sunglasses tie scarf gloves belt watch ring necklace earring earrings jewelry uniform suit hoodie sweater
clothes clothing costume mask hair beard mustache eyes eye nose mouth lips teeth tooth ear ears neck
shoulder shoulders arm arms hand hands finger fingers thumb leg legs foot feet knee skin body head heads
tattoo tattoos scar pimple pimples acne blemish blemishes freckles wrinkles mole spot spots stain stains
dust scratch scratches crease creases fold folds crack cracks tear tears line lines wire wires cable
cables pole poles post pillar pillars tower statue fountain umbrella tent balloon balloons ball balls toy
toys doll robot guitar piano drum drums gun sword player players crowd tourist tourists photographer
stranger strangers bystander bystanders bride groom friend friends brother sister mother father mom dad
grandma grandpa grandmother grandfather uncle aunt cousin son daughter wife husband boyfriend girlfriend
ex dude dudes gentleman male female adult adults toddler photobomber photobombers object objects item
items thing things stuff element elements part parts area piece pieces trash garbage litter rubbish bin
cigarette reflection reflections glare flare shadow shadows glow smudge smear bird's cat's dog's car's
crane candle candles cross crown basket hose rope string net cage collar leash bone wheel wheels tire
tires engine van taxi vehicle vehicles tractor trailer signpost streetlight lamppost cone cones barrier
railing rail ladder bucket broom vase clock mirror picture frame's painting paintings drawing portrait
wallpaper desk's scene's skyline horizon valley island cliff waterfall pond pool swimmer swimmers surfer
boots share male mane lady's man's woman's girl's boy's person's guy's kid's baby's child's mother's
father's crop's
"""

_COMMON = """
about above after again ago all almost already always another around back bad bar bare bars base basic
because been before began behind being below best beside between beyond bore bold both brand break bring
broke brought brown brush business call came care carry case chance change chest chip choose circle class
clean climb close cloth cloud coast coin come cost count cover crash crazy cream crew cross cry cup curl
cut dance date day days dead deal dear deck died dirt does done door down draw drive drop each early earth
east easy eat edge else empty end enough even ever every extra fact fade fail fair fall false fame fast
fear feed feel fell few file film final find fine finish firm first fit five flap flat float flow fly fold
folk follow fool force forever form found free fresh friend front full fun funny game gave gift girl glad
goes going gone grade grand great grew group grow guess half hall hang happy hard has hate have he heart
held hello help here hide high hold hole home hope hour how huge hurt idea inside iron job join jump just
keep key kind king knew know land lane large last late later laugh law lay lead learn left less let lie
life lift like list live load local lock long look lose lost loud love low luck lucky luxury main make
many map mark mate matter may maybe mean meet memory mind mine miss month more most move much music must
nail name near need never news next night north note now odd off often old once onto open order other over
own pack page paid pain pair park pass past pay peace perfect pick place plan play please point poor
possible pray press pretty print prize prove pull push quick quiet rate raw reach read ready real reason
recent recently rest rice rich ride right rise role roll root round rule run rush safe said sail sale same
save saw say school seat see seed seem seen self sell send sense sent serve set seven shape share shave
shell shift shoot shop shore short show shut sick side sight silly sing sister sit six size sleep slow
small smart smell smile snap social sold solid somehow soon sort soul sound south speak speed spend spent
spin sport spread spring stage stair stand start state stay steal steel step stick still stock stop store
storm story strange stream stress strike strong such surf sweet swim table tag tail take talk tall task
taste teach team tell test than their then there they thick thin think those thought three through throw
tie tight time tiny tired today told tone took tool top touch town trace track trade trail travel treat
trick tried trip true trust try tube tune type ugly under until upon used usual vary version vet view
visit voice vote wait wake walk want warn wash waste wave wear wedding week well went were west what wheel
when where which while who whole whose why wide wild will win wind wing winter wish with wood word work
world worn worry worth would write wrong yard year years yes yet young your youth lame lime line link lion
liner pore port poem post polo pool poll blue-ray blow blown bloom blank blame black's brass bride broad
bread breed brief brick bright-eyed darling darn dart daring lightning lighthouse fighter writer minor
mayor razor sharpie shaker shower shorter shouter boost's covered colder cropper cooker cover collar
warden warrior farmer former summer winter spring autumn saturday sunday monday tuesday wednesday thursday
friday january february contest context content contact contract concert comment comments bluff blunt
width height wider higher size bigger
blurb blush clerk cleat claim decor faucet invent insect invest rotten rotate's remote remove's remake
resist reside result raise's adult addon odd flipper slip flop dim-sum reader border's
"""

_CONNECTIVES: dict[Role, str] = {
    Role.AND: "and, &, plus, as well as, along with, n, together with, nd",
    Role.THEN: "then, and then, after that, also, and also, next, afterwards, finally, additionally, "
    "lastly, in addition, "
    "while also, plus also, first of all, secondly, but also, and please, and just, as well",
    Role.BUT: "but, however, though, yet",
    Role.NOT: "not, don't, dont, do not, doesn't, never, isn't, avoid, won't, without being, shouldn't, "
    "can't, cannot, "
    "none, neither, nor, rather than, instead of, unless, no longer, stop, didn't, aren't, wasn't, hardly",
    Role.NO: "no, zero",
    Role.EXCEPT: "except, except for, other than, apart from, aside from, besides, everything but, "
    "everything except, "
    "all but, excluding, save for, but not, everyone but, everyone except",
    Role.WITHOUT: "without changing, without touching, without affecting, without altering, "
    "without losing, don't change, "
    "don't touch, do not change, do not touch, dont change, dont touch, don't alter, don't affect, "
    "not changing, "
    "while keeping, while leaving, while preserving, but keep, but leave, not touching, without modifying, "
    "don't modify, without editing, don't edit, do not edit, do not alter, without blurring, "
    "without darkening, "
    "without brightening, don't blur, do not blur, don't brighten, don't darken, and keep, and leave",
    Role.PURPOSE: "so that, so it, so you, so i, so we, so the, so they, in order to, because, so as to, "
    "so my, so her, "
    "so his, so people, to help, to show, to see, to better see, to reveal, "
    "to make this look, to make it look, to make this a, to make it a, so it's",
    Role.PREPOSITION: "of, in, on, to, for, from, at, with, by, into, onto, around, across, throughout, "
    "over, as, inside, "
    "within, behind, off, out, up, down, off of, out of, away, above, below, under, beside, next to, "
    "near, against, "
    "in front of, between, along, through, towards, toward, than, like, wearing, holding, standing, "
    "sitting, who, "
    "which, where, when, beneath, about, after, before, if",
    Role.DETERMINER: "the, a, an, my, your, our, his, their, those, any, her",
    Role.BE: "is, are, looks, appears, seems, was, were, came out, turned out, becomes, feels",
    Role.MORE: "more, extra, additional, higher, greater, stronger, even more, better",
    Role.LACKING: "too little, way too little, far too little, a bit too little, not enough, insufficient, "
    "lacks, lacking",
    Role.LESS: "less, fewer, lower, not so, not as, not too, weaker",
    Role.TOO: "too, overly, too much, way too, a bit too, a little too, far too, a little bit too, "
    "so very, excessively, excessive",
}

_FILLER = """
please, pls, plz, plese, kindly, can, could, would, will, should, can you, could you, would you, you,
someone, somebody, anyone, anybody, one of you, i, i'd, i'm, we, want, wants, wanted, need, needs, needed,
want you to, would like, would love, i'd like, i'd like to, i would like to, i would love, would like to,
want to, need to, needs to, needs to be, should be, to be, able to, be able to, help me, help me to, help
me out, help, for me, hi, hello, hey, guys, guys!, folks, thanks, thank you, thank you so much, thank you
very much, thanks in advance, thank you in advance, thanks so much, thanks a lot, thx, ty, cheers, in
advance, appreciated, much appreciated, would be appreciated, greatly appreciated, would be greatly
appreciated, i appreciate it, any help is appreciated, many thanks, if possible, if you can, if it's
possible, if it is possible, just, only, simply, try to, try, maybe, perhaps, possibly, possible, possible
to, is it possible to, would it be possible to, it would be great if, it would be nice if, would be great,
would be grateful, would be grateful if, i'd appreciate it, would appreciate it, it'd be great if, go
ahead and, feel free to, let's, lets, let us, so, well, actually, basically, again, there, such, have,
having, has, to look, look, be, being, looking, become, appear, appearing, to become, thank, thanks!,
everybody, all right, okay, ok, yo, dear, sir, there's, this time, for this, with this, quickly, quick,
easy, do, does, did, go, some kind of, kind of, sort of, a kind of, good people, kind soul, reddit, here
is, here's, that would be great, that'd be great, asap, urgent, overall, me to, us to, in general, apply a
filter to, using, use of, i think, at all, somehow, the amount of, amount of, the level of, level of,
levels of, the overall, can i, may i, can i get, can i have, could i get, could i have, can we, could we,
i want, i need, we need, we want, i wish, be so kind as to, will you, would someone, could someone, can
someone, can anyone, could anyone, can somebody, could somebody, like to, love to, love it if, really
appreciate it, it'd be, would be, i'll, you to, talented, kind, sorry, ready, effectively, carefully,
appropriately, accordingly, properly, uniformly, evenly, throughout, all over, across the board, in the
process, hey guys, give me, get me, send me, show me, hi guys, hi all, hello all, hey everyone, hi
everyone, hello everyone, the following, as follows, wondering if, i was wondering if, was wondering if,
any help, any help would be appreciated, your help, for your help, for your time, for helping, solid,
plain, pure, edit photo to, edit this photo to, edit the photo to, edit this picture to, edit this to,
photoshop this to, edit my photo to, edit the picture to, edit image to, edit the image to, edit picture
to, levels, level, setting, settings, value, values, slider, s, 's, d, version of
"""

_FOREIGN_WORDS = """
achtergrond arrière auf avec bild bilden bitte brillante clair dans das de der donkerder dunkler een
ein eine el enlève entferne et favor favore fondo foto fundo gli gör hacer haz helle heller het
hintergrund il imagem imagen immagine la las le les lo los luminosité maak mach mit más ohne os por
pour proszę quita remova rends rimuovi sfondo supprime tło um uma una und une usuń verwijder zdjęcie
"""
_FOREIGN = frozenset(_FOREIGN_WORDS.split())

_NATURAL_CAST = {"yellow": 1, "orange": 1, "gold": 1, "blue": -1, "cyan": -1}


def cast_of(color: str) -> Tone | None:
    """The move on the warmth scale that a tint of this color makes, where it lies on that scale."""
    sign = _NATURAL_CAST.get(color)
    return Tone("warmth", sign) if sign else None


def senses_of(words: tuple[str, ...]) -> Senses | None:
    """What a word or a phrase, in lower case, can mean; None when it is not known."""
    return _LEXICON.get(words)


def is_known(word: str) -> bool:
    """Whether a single word, in lower case, stands in the lexicon, alone or inside a phrase."""
    return word in _KNOWN


def longest_phrase(first: str) -> int:
    """How many words the longest phrase that begins with this word has; 0 when none does."""
    return _LONGEST.get(first, 0)


@lru_cache(maxsize=16_384)
def spelled(word: str) -> str | None:
    """The known word that an unknown one most likely is; None when there is none or there are several."""
    allowed = 2 if len(word) >= 6 else 1 if len(word) >= 4 else 0
    if not allowed or not word.isascii():
        return None
    near = [(distance(word, known, allowed), known) for known in _near(word, allowed)]
    close = sorted((far, -len(known), known) for far, known in near if far <= allowed)
    return close[0][2] if close else None


def _near(word: str, allowed: int) -> Iterator[str]:
    letters = set(word)
    for known in _BY_INITIAL.get(word[0], ()):
        if abs(len(known) - len(word)) <= allowed and len(letters.symmetric_difference(known)) <= 2 * allowed:
            yield known


def distance(left: str, right: str, limit: int) -> int:
    """Damerau-Levenshtein (optimal string alignment) distance; more than `limit` means only "further"."""
    before: list[int] = []
    above = list(range(len(right) + 1))
    for row, letter in enumerate(left, 1):
        here = [row]
        for column, other in enumerate(right, 1):
            best = min(above[column] + 1, here[-1] + 1, above[column - 1] + (letter != other))
            if row > 1 and column > 1 and letter == right[column - 2] and left[row - 2] == other:
                best = min(best, before[column - 2] + 1)
            here.append(best)
        if min(here) > limit:
            return limit + 1
        before, above = above, here
    return above[-1]


def is_foreign(word: str) -> bool:
    """Whether a word, in lower case, is a frequent one of another language."""
    return word in _FOREIGN or any(letter.isalpha() and ord(letter) > 0x24F for letter in word)


def _listed(text: str) -> list[str]:
    return [word.strip() for word in text.replace("\n", " ").split(",") if word.strip()]


def _entries() -> Iterator[tuple[str, Role, object]]:
    yield from _command_entries()
    yield from _tone_entries()
    yield from _amount_entries()
    yield from _thing_entries()
    for role, words in _CONNECTIVES.items():
        yield from ((word, role, word) for word in _listed(words))
    yield from ((word, Role.FILLER, True) for word in _listed(_FILLER))
    yield from ((word, Role.COMMON, True) for word in _COMMON.split())


def _command_entries() -> Iterator[tuple[str, Role, object]]:
    for role, words in _COMMANDS.items():
        yield from ((form, role, word) for word in _listed(words) for form in _inflected(word))
    for role, words in _IRREGULAR.items():
        yield from ((word, role, word) for word in _listed(words))
    for meaning, words in _UNAVAILABLE.items():
        yield from ((word, Role.UNAVAILABLE, meaning) for word in _listed(words))


def _tone_entries() -> Iterator[tuple[str, Role, object]]:
    for (operation, sign), words in _TONE_VERBS.items():
        yield from (
            (form, Role.TONE, Tone(operation, sign)) for word in _listed(words) for form in _inflected(word)
        )
    for table, role in ((_QUALITIES, Role.QUALITY), (_ADJECTIVES, Role.ADJECTIVE)):
        for (operation, sign), words in table.items():
            yield from ((word, role, Tone(operation, sign)) for word in _listed(words))
    for (operation, sign), words in _COMPARATIVES.items():
        yield from (
            (word, Role.ADJECTIVE, Tone(operation, sign, comparative=True)) for word in _listed(words)
        )
    yield from _table(_LOOKS, Role.LOOK)
    yield from ((word, Role.LOOK, "invert") for word in _listed(_INVERT))
    yield from ((word, Role.VAGUE, word) for word in _listed(_VAGUE))


def _amount_entries() -> Iterator[tuple[str, Role, object]]:
    yield from _table(_AMOUNTS, Role.AMOUNT)
    yield from _table(_FRACTIONS, Role.FRACTION)
    yield from _table(_UNITS, Role.UNIT)
    yield from _table(_NUMBERS, Role.NUMBER)
    yield from _table(_RATIOS, Role.RATIO)
    yield from _table(_THICKNESSES, Role.THICKNESS)


def _thing_entries() -> Iterator[tuple[str, Role, object]]:
    for role, words in _THINGS.items():
        yield from ((word, role, word) for word in _listed(words))
    yield from ((word, Role.COLOR, word) for word in _listed(_COLORS))
    yield from _table(_COLOR_SPELLINGS, Role.COLOR)
    yield from _table(_SHADES, Role.SHADE)
    yield from _table(_PLACES, Role.PLACE)
    yield from _table(_TURNS, Role.TURN)
    yield from _table(_AXES, Role.AXIS)
    yield from _table(_ORDINALS, Role.ORDINAL)
    several = [f"{each} {name}" for each in _EACH for name in _PHOTO_NAMES] + list(_ALL_OF_THEM)
    yield from ((word, role, word) for word in several for role in (Role.PHOTO, Role.SEVERAL))
    yield from ((word, Role.CAST, word) for word in _listed(_CASTS))
    yield from ((word, Role.DEFECT, word) for word in _listed(_DEFECTS))
    yield from ((word, Role.SCENE, word) for word in _listed(_SCENES))
    yield from ((word, Role.NOUN, word) for word in _NOUNS.split())


def _built() -> dict[tuple[str, ...], dict[Role, object]]:
    lexicon: defaultdict[tuple[str, ...], dict[Role, object]] = defaultdict(dict)
    for phrase, role, meaning in _entries():
        lexicon[tuple(WORD.findall(phrase))].setdefault(role, meaning)
    return dict(lexicon)


def _table[Meaning](table: Mapping[Meaning, str], role: Role) -> Iterator[tuple[str, Role, Meaning]]:
    for meaning, words in table.items():
        yield from ((word, role, meaning) for word in _listed(words))


_LEXICON = _built()
_COURTESIES = {"please", "someone", "somebody", "anyone", "could", "thanks"}
_KNOWN = frozenset(word for phrase in _LEXICON for word in phrase)
_LONGEST: dict[str, int] = {}
_BY_INITIAL: defaultdict[str, set[str]] = defaultdict(set)
for _phrase, _senses in _LEXICON.items():
    _LONGEST[_phrase[0]] = max(len(_phrase), _LONGEST.get(_phrase[0], 0))
    if set(_senses) - {Role.COMMON, Role.NOUN, Role.SCENE, Role.FILLER} or _phrase[0] in _COURTESIES:
        for _word in _phrase:
            if len(_word) >= 4:
                _BY_INITIAL[_word[0]].add(_word)
