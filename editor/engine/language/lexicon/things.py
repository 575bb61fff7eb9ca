"""What a photo shows, and where: parts, colors, places, nouns."""

from editor.engine.language.lexicon.roles import Role

COLORS = (
    "white, black, gray, red, green, blue, yellow, orange, purple, pink, brown, cyan, magenta, gold, silver, "
    "beige, turquoise, teal, navy, maroon, violet, lavender, olive, tan, cream, ivory, indigo, crimson, lime"
)
COLOR_SPELLINGS: dict[str, str] = {
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
SHADES: dict[str, str] = {
    "dark": "dark, darker, deep, deeper, navy-dark",
    "light": "light, lighter, pale, paler, pastel, soft, baby",
    "bright": "bright, brighter, vivid, neon",
}

PLACES: dict[str, str] = {
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
TURNS: dict[int, str] = {
    1: "clockwise, cw",
    -1: "counterclockwise, counter clockwise, counter-clockwise, ccw, anticlockwise, anti-clockwise, "
    "anti clockwise",
}
AXES: dict[str, str] = {
    "horizontal": "horizontally, horizontal, left to right, sideways, left-right, right to left, "
    "mirror image, side to side",
    "vertical": "vertically, vertical, upside down, top to bottom, upside-down, bottom to top",
}

THINGS: dict[Role, str] = {
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

DEFECTS = (
    "noise, grain, haze, fog, graininess, pixelation, red eye, red eyes, redeye, redness, mist, haziness, "
    "grey haze, artifacts, moire, jaggedness"
)

ORDINALS: dict[int, str] = {
    1: "first, 1st",
    2: "second, 2nd",
    3: "third, 3rd",
    4: "fourth, 4th",
    5: "fifth, 5th",
    0: "other, last, final, next, another",  # which one depends on how many there are
}
EACH = (
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
SINGLE_PHOTO = ("photo", "image", "picture", "pic", "photograph")
PHOTO_NAMES = [*SINGLE_PHOTO, *(f"{name}s" for name in SINGLE_PHOTO)]
ALL_OF_THEM = ("all of them", "both of them", "each of them", "both of these", "all of these")

SCENES = (
    "beach, forest, sunset, mountain, mountains, sky, ocean, sea, city, park, woods, garden, space, "
    "galaxy, studio, "
    "landscape, street, jungle, desert, field, snow, sunrise, skyline, hospital, stadium, paris, night, "
    "something else, different background, another background, something different, nature, clouds, room"
)

NOUNS = """
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
