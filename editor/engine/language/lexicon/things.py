"""What a photo shows, and where: parts, colors, places, nouns."""

from editor.engine.language.lexicon import grounds
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
    "purple": "purplish, purples",
    "red": "reds, reddish, redness, red-ish",
    "green": "greens, greenish, green-ish, emerald green, kelly green, grass green",
    "blue": "blues, blue-ish, bluish, blueish, blueness",
    "yellow": "yellows, yellow-ish, yellowish, yellowy, yellowness, yellowing",
    "orange": "oranges, orangish, orangey, amber",
    "pink": "pinks, pinkish",
    "royal blue": "royal blue",
    "hot pink": "hot pink",
    "lime green": "lime green",
    "forest green": "forest green",
    "white": "pure white, solid white, plain white, whites, all white, blank white, clean white, "
    "completely white, bright white, snow white",
    "black": "pure black, solid black, plain black, jet black, blacks, all black, pitch black, "
    "completely black, "
    "complete black",
    "maroon": "burgundy, wine red, dark crimson",
    "cyan": "aqua, aquamarine, sky-blue",
    "magenta": "fuchsia, fuschia",
    "dark gray": "charcoal, charcoal gray, charcoal grey, slate gray, slate grey",
    "ivory": "off white, off-white, eggshell",
    "light green": "mint green, mint-green",
    "dark blue": "midnight blue, cobalt blue",
    "light pink": "blush pink, rose pink",
    "dark yellow": "mustard yellow",
    "dark brown": "chocolate brown",
    "#ff7f50": "coral",
    "#c3b091": "khaki",
    "#ffcba4": "peach",
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
    "top": "top, upper, top center, top middle, top edge, top side, upper part, top part, upper side, "
    "topmost, uppermost",
    "bottom": "bottom, lower, bottom center, bottom middle, bottom edge, bottom side, lower part, "
    "bottom part, underneath",
    "left": "left, left side, left hand side, left edge, left-hand side, left part, leftmost, left most, "
    "furthest left",
    "right": "right, right side, right hand side, right edge, right-hand side, right part, rightmost, "
    "right most, furthest right",
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

SHAPES: dict[str, str] = {
    "circle": "circle, ring shape, round circle",
    "ellipse": "ellipse, oval",
    "rectangle": "rectangle",
    "square": "square",
    "line": "line, straight line",
    "star": "star, star shape",
    "heart": "heart, heart shape, love heart",
    "triangle": "triangle",
    "cross": "cross, x mark, cross mark, letter x, red x, big x, x shape",
    "check": "check mark, checkmark, tick mark, check, tick",
}
EMOJI: dict[str, str] = {
    "\U0001f600": "smiley, smiley face, smiley faces, happy face, smile emoji, smiling emoji, happy emoji, "
    "smiley emoji, smiling face emoji",
    "\U0001f602": "laughing face, laughing emoji, crying laughing emoji, laugh emoji, tears of joy emoji",
    "\U0001f60d": "heart eyes emoji, heart eyes, heart eye emoji",
    "\U0001f60e": "cool emoji, cool face emoji",
    "\U0001f609": "winking face, wink emoji, winking emoji, winky face",
    "\U0001f622": "sad face, crying emoji, sad emoji, crying face emoji, cry emoji, frowny face",
    "\U0001f621": "angry emoji, angry face emoji, mad emoji",
    "\U0001f914": "thinking emoji, thinking face emoji",
    "\u2764\ufe0f": "love emoji",
    "\U0001f494": "broken heart",
    "\u2728": "sparkles emoji, sparkle emoji",
    "\U0001f4af": "hundred emoji, 100 emoji",
    "\U0001f44d": "thumbs up, thumbs up emoji, thumb up, like emoji",
    "\U0001f44e": "thumbs down, thumbs down emoji",
    "\U0001f64f": "praying hands emoji, prayer emoji",
    "\U0001f44f": "clapping emoji, clapping hands emoji, clap emoji",
    "\U0001f389": "party emoji, party popper emoji, celebration emoji, confetti emoji",
    "\u2705": "check mark emoji, checkmark emoji",
    "\u274c": "cross mark emoji, x emoji, red x emoji",
}
FRAMES: dict[str, str] = {
    "polaroid": "polaroid, polaroid frame, polaroid border, polaroid picture, instant photo, "
    "instant photo frame, "
    "instant film frame, polaroid photo, polaroid style frame",
    "film": "film frame, film border, film strip, filmstrip, film strip frame, filmstrip frame, movie strip",
    "rounded": "rounded corners, round corners, rounded border, rounded frame, rounded edges, rounded corner",
    "double": "double border, double frame, double line border, double lined border, double line frame",
    "classic": "picture frame, photo frame, wooden frame, wood frame",
}
OVERLAID: dict[str, str] = {
    "light_leak": "light leak, light leaks, light leak effect, film burn, light leak overlay",
    "snow": "snow, snowy, snowflakes, falling snow, snow effect, snowfall, snow flakes, snowy effect, "
    "snow overlay, falling snowflakes, snow falling, snowing",
    "rain": "rain, rainy, rain effect, rainfall, raindrops, falling rain, rain drops, rainy effect, "
    "rain overlay, rain falling, raining",
    "smoke": "smoke, smoke effect, smoky effect, smoke overlay, rising smoke",
    "light_rays": "light rays, rays of light, sun rays, sunrays, sun beams, sunbeams, light beams, sun ray, "
    "beams of light, god rays, rays of sunlight, ray of light, rays of sunshine, ray of sunshine, light ray, "
    "beam of light, rays of sun, sunlight rays, light rays effect",
    "lens_flare": "lens flare, lens flares, sun flare, sun flares, solar flare, lens flare effect, "
    "light flare, "
    "flare effect",
    "sparkles": "sparkles, sparkle, glitter, glitters, sparkle effect, sparkles effect, glitter effect, "
    "fairy dust, pixie dust, twinkles, sparkling effect, shimmer effect",
    "bokeh_lights": "bokeh lights, bokeh light, light bokeh, bokeh overlay, bokeh circles, bokeh balls, "
    "blurry lights, blurred lights",
    "fireworks": "fireworks, firework",
    "rainbow": "rainbow, rainbows",
    "stars": "stars, twinkling stars, starry sky, starry night, starry night sky",
    "moon": "moon, full moon",
    "sun": "sun",
    "clouds": "clouds, cloud, white clouds, fluffy clouds, puffy clouds, white fluffy clouds",
    "storm_clouds": "storm clouds, dark clouds, rain clouds, gray clouds, grey clouds, stormy clouds, "
    "black clouds, thunder clouds, thunderclouds",
    "lightning": "lightning, lightning bolt, lightning bolts, lightning strike, thunderbolt, thunder bolt, "
    "bolt of lightning, thunder, thunder and lightning",
    "confetti": "confetti, confetti effect, falling confetti",
    "hearts": "hearts, floating hearts, little hearts",
    "balloons": "balloons, floating balloons, party balloons, colorful balloons, colourful balloons, "
    "birthday balloons, some balloons, flying balloons",
    "petals": "petals, rose petals, flower petals, falling petals, cherry blossom petals, floating petals, "
    "falling rose petals, falling flower petals, sakura petals, cherry blossoms falling",
    "leaves": "falling leaves, autumn leaves, fall leaves, falling autumn leaves, leaves falling, "
    "leaves falling down, flying leaves, floating leaves, blowing leaves",
    "birds": "flock of birds, a flock of birds, flying birds, birds flying, bird flock, distant birds, "
    "silhouettes of birds, bird silhouettes, seagulls flying, flock of seagulls",
    "fire": "fire, flames, burning fire, fire effect, flame effect, flames effect, fire flames, flame, "
    "blazing fire, burning flames",
    "water_drops": "water drops, water droplets, raindrops on the lens, drops of water, water drop effect, "
    "rain drops on the lens, water drops on the lens, droplets, water droplets on the lens, "
    "water drops effect",
    "bubbles": "bubbles, soap bubbles, bubble effect, bubbles effect, floating bubbles",
}
WRITTEN: dict[str, str] = {
    "timestamp": "timestamp, time stamp, date stamp, datestamp, date, dates, timestamps, date and time, "
    "time and date, time/date stamp, date/time stamp, date/time",
    "watermark": "watermark, watermarks, water mark, water marks, logo, logos",
    "text": "text, texts, words, word, lettering, letters, writing, writings, caption, captions, title, "
    "subtitle, "
    "subtitles, handwriting, inscription, typography, wording",
}
FLAWS: dict[str, str] = {
    "red_eye": "red eye, red eyes, redeye, redeyes, red eye effect, glowing eye, glowing eyes",
    "blemishes": "blemish, blemishes, pimple, pimples, acne, zit, zits, imperfections, facial imperfections, "
    "skin imperfections, facial blemishes, skin blemishes, acne spots, age spots, spots on skin, "
    "spots on the skin, dark spots on skin, moles, imperfections on skin",
    "crease": "crease, creases, crack, cracks, fold line, fold lines, fold mark, fold marks, "
    "crease lines, crease marks, stain, stains, "
    "damage, age damage, damaged areas, damaged parts, "
    "damaged area, torn areas, torn parts, tearing, creasing, water damage, water stain, water stains, rip, "
    "rips, rips and tears, "
    "tears and creases, creases and tears, tears and folds, tear in the photo, tears in the photo, "
    "tear in this photo, tears in this photo, tear in the picture, tears in the picture",
    "dust": "dust, dust spots, dust specks, speck, specks, scratch, scratches, dust particles, dirt, dots, "
    "white dots, white spots, white specks, black spots, dirt spots, spots, specs, flecks, dust marks, "
    "marks and blemishes, blemishes and marks, "
    "scratch marks, white scratches, minor scratches, scuffs, smudge, smudges, smear, smears, "
    "blotches, defects, flaws",
}
FILES: dict[str, str] = {
    "png": "png, pngs",
    "jpeg": "jpg, jpgs, jpeg, jpegs",
    "webp": "webp",
    "": "pdf, gif, tif, tiff, bmp, svg, heic, avif, psd, eps",
}
LARGER: dict[int, str] = {
    1: "larger, bigger, large, big",
    -1: "smaller, small",
}

_BEHIND = ", ".join(
    f"{what} {where} {whom}"
    for what in (
        "everything",
        "what is",
        "what's",
        "whatever is",
        "all",
        "the area",
        "area",
        "stuff",
        "things",
    )
    for where in ("behind", "around")
    for whom in ("me", "us", "him", "her", "them", "it")
)
"""The background, as it is pointed at: "what is behind her"."""

THINGS: dict[Role, str] = {
    Role.BUBBLE: "speech bubble, speech balloon, talk bubble, talking bubble, dialogue bubble, "
    "dialog bubble, comic bubble, text bubble, word bubble",
    Role.ARROW: "arrow, pointer arrow, arrow sign",
    Role.DROP_SHADOW: "drop shadow, drop shadows, dropshadow, shadow",
    Role.STICKER: "sticker, cutout sticker, overlay, inset, picture in picture, small inset, thumbnail",
    Role.GRADIENT: "gradient, gradients, color gradient, colour gradient, gradient color",
    Role.FILLED: "filled, solid, filled in",
    Role.TILED: "tiled, repeated, repeating, all over, tile, repeatedly, pattern, across the whole, "
    "across the entire",
    Role.CUTOUT: "cutout, cut-out, render, transparent png, transparent png file, transparent sticker",
    Role.BOKEH: "bokeh, bokeh effect, depth of field, shallow depth of field, background blur, "
    "depth of field effect, "
    "dof, shallow dof, portrait mode, portrait mode effect, portrait effect, portrait blur",
    Role.DIMENSION: "width, height, wide, high, tall",
    Role.ROOM: "space, room, more space, more room, extra space, extra room, empty space, canvas, "
    "canvas size, "
    "headroom",
    Role.HORIZON: "horizon, horizon line, horizons, tilt, slant, skew, angle, alignment",
    Role.PHOTO: "visual representation, visual content, "
    "photo, this wallpaper, this avatar, my avatar, this headshot, this screenshot, this scan, "
    "input image, "
    "input picture, input photo, desired image, desired photo, "
    "original image, original photo, original picture, current image, current photo, photos, image, "
    "images, picture, pictures, pic, pics, photograph, photographs, "
    "shot, imagine, "
    "snapshot, gopro photo, drone photo, iphone photo, phone photo, cell phone photo, "
    "scene, everything, whole thing, entire thing, all of it, img, overall, pict, selfie, photo's, "
    "image's, picture's, overall image, overall photo, overall picture, frame's, composition, imgage",
    Role.SEVERAL: "photos, images, pictures, pics, photographs, them, these, both, each, all",
    Role.BACKGROUND: "background, backdrop, backgrounds, back ground, bg, back round, photo backdrop, "
    "photo background, background's, surroundings, background image, green screen, greenscreen, "
    "environment, surrounding environment, surrounding area, "
    "back of the photo, back of the picture, back of the image, back of the pic, " + _BEHIND,
    Role.SUBJECT: "subject, subjects, foreground, main subject, main object, main person, fore ground, "
    "central subject, main figure, subject's",
    Role.PERSON: "person, people, man, woman, girl, boy, guy, lady, couple, child, kid, kids, children, "
    "baby, men, "
    "women, girls, boys, me, us, him, her, myself, model, everyone, family, persons",
    Role.FACE: "face, faces, both faces, facial features",
    Role.MARKED: "marked area, marked part, marked region, selected area, selected part, selected region, "
    "highlighted area, circled area, boxed area, marked areas, marked place, selection, box, boxes, "
    "region, regions, "
    "here, in here, marked spot, this area, this part, this region, this spot, that area, "
    "that part, "
    "area i marked, part i marked, place i marked, area inside the box, inside the box, marked object, "
    "marked thing, "
    "circled part, highlighted part, area in the box, part in the box, marked section, this section, "
    "boxed part, "
    "boxed object, object in the box, thing in the box, area i selected, what i marked",
    Role.IT: "it, it's, its, that, them",
    Role.THIS: "this, these, this one, this thing, this object, this bit",
    Role.WHOLE: "entire, entirety, entirety of, whole, full, overall, complete, all, all of, total, general",
    Role.COLORS: "colors, colorization, colourization, color appeal, color levels, color, colours, "
    "colour, coloring, colouring, colors', coloration, "
    "color quality, color palette, "
    "color pallet, colour palette, palette, color scheme, color tones, colour tones",
    Role.TEXT: "text, words, word, caption, title, label, heading, lettering, watermark, sentence, "
    "phrase, writing, "
    "letters, headline, name, names, initials, quote, tagline, greeting, meme, signature, slogan, "
    "subtitle, subtitles, message, that says, saying, that reads, "
    "reading, which says",
    Role.BORDER: "border, frame, borders, framing, picture frame, photo frame, outline border, edge border",
    Role.VIGNETTE: "vignette, vignetting, vignette effect, vignetting effect",
    Role.EFFECT: "effect, effects, filter, filters, style, look, mode, overlay, version, feel, layer",
    Role.TRANSPARENT: "transparent, see through, see-through, transparency, transparant, alpha",
    Role.EDGES: "edges, corners, edge, sides, outer edges, outline of the photo, outline of the image, "
    "outline of the picture",
    Role.REST: "everything else, the rest, rest, anything else, all else, nothing else, rest of it, "
    "all the rest",
    Role.UNCHANGED: "as is, as it is, as they are, unchanged, untouched, alone, the same, same, intact, "
    "original, "
    "the way it is, in color, in colour, colored, as it was, original color, original colors, in full color, "
    "the way they are, in original color, in its original color, natural, sharp, in focus, how it is",
}

DEFECTS = (
    "noise, grain, haze, fog, graininess, pixelation, mist, haziness, grey haze, artifacts, moire, "
    "jaggedness, distortion, distortions, interference"
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

NOUNS = """
car cars dog dogs cat cats tree trees truck bus bike bicycle motorcycle motorbike boat ship train plane
airplane horse bird birds cow sheep fish bear lion tiger shark elephant duck crow goat animal animals pet
puppy kitten flower flowers rose plant plants grass leaf leaves bush bushes branch branches forest
mountain mountains hill hills rock rocks stone stones sand beach sea ocean lake river water wave waves sky
cloud clouds sun moon star stars rain snow sunset rainbow lightning fire smoke flame flames building
grove woodland vegetation
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
crane candle candles cross crown basket hose rope string wing wings shed sled net cage collar leash bone wheel
wheels tire tires engine van taxi vehicle vehicles tractor trailer signpost streetlight lamppost cone cones
barrier
railing rail ladder bucket broom vase clock mirror picture frame's painting paintings drawing portrait
wallpaper desk's scene's skyline horizon valley island cliff waterfall pond pool swimmer swimmers surfer
boots share male mane corner corners bar bars margin margins
lady's man's woman's girl's boy's person's guy's kid's baby's child's mother's
father's crop's
"""

_PEOPLE = """
player players tourist tourists photographer stranger strangers bystander bystanders bride groom friend
friends brother sister mother father mom dad grandma grandpa grandmother grandfather uncle aunt cousin son
daughter wife husband boyfriend girlfriend ex dude dudes gentleman male female adult adults toddler
photobomber photobombers swimmer swimmers surfer crowd
"""
PEOPLE = frozenset(_PEOPLE.split())
"""Who has a color only in what they wear, so that it does not show where they are."""

_BODY = """
face head hair beard mustache moustache eye eyes eyebrow eyelash lash nose mouth smile lip lips tooth teeth
tongue ear chin cheek forehead jaw neck shoulder arm elbow hand finger thumb nail chest breast boob back belly
stomach tummy waist hip butt bottom thigh leg knee foot feet toe skin body muscle abs tail paw wing pose
expression gaze
"""
BODY = frozenset(_BODY.split())
"""Parts of a body, which cannot be moved or reshaped without the rest, and how it is held."""

ONESELF = frozenset({"me", "him", "her", "myself"})
"""Who the photo is taken of, where nobody else is named."""

_MATERIALS = """
fabric cloth cotton wool woolen linen silk velvet denim leather plastic rubber paper cardboard wood wooden
bamboo metal metallic steel iron brass copper ceramic porcelain glass crystal brick stone marble concrete
fur furry plush polyester pearl wax
"""
MATERIALS = frozenset(_MATERIALS.split())
"""What a thing is made of, which before its name only describes it."""

AIR = frozenset({"weather", "atmosphere", "mood", "ambience", "vibe"})
WEATHER = AIR | frozenset(
    {
        *("rain", "rainy", "rainfall", "rainwater", "drizzle", "drizzly", "precipitation", "wet", "watery"),
        *("wetness", "snow", "snowfall", "snowing", "raining"),
    }
)
"""What is everywhere in a photo, so that no box is around it."""

EYES = frozenset({"pupil", "pupils", "iris", "irises", "eyeball", "eyeballs"})
"""Without what there is a hole in a face."""

ANIMALS = frozenset(
    {
        *("dog", "dogs", "cat", "cats", "puppy", "kitten", "pet", "horse", "bird", "bear", "lion", "tiger"),
        *("elephant", "cow", "deer", "fox", "rabbit", "duck", "owl", "monkey", "animal"),
    }
)
"""Whose light is changed as the subject's: there is seldom another subject beside them."""

_SUBJECTS = """
dog dogs cat cats puppy kitten pet horse bird animal bear lion tiger elephant cow deer fox rabbit duck owl
monkey bride groom friends son daughter mother father mom dad grandma grandpa grandmother grandfather wife
husband girlfriend boyfriend sister brother gentleman dude toddler player product bouquet flower figure car
truck motorcycle boat
"""
SUBJECTS = frozenset(_SUBJECTS.split())
"""What a photo is taken of: without a box it is looked for as the subject."""

MEANINGS: dict[Role, dict[str, str]] = {
    Role.SHAPE: SHAPES,
    Role.EMOJI: EMOJI,
    Role.FRAME: FRAMES,
    Role.OVERLAID: OVERLAID,
    Role.GROUND: grounds.GROUNDS | grounds.DRAWN_PLACES,
    Role.WRITTEN: WRITTEN,
    Role.FLAW: FLAWS,
}
"""Nouns that stand for something the engine makes or finds, by what it calls it."""
