"""Verbs: what a person asks for, and what no operation covers."""

from editor.engine.language.lexicon.roles import Role, Unavailable
from editor.engine.language.lexicon.styles import GENERATED
from editor.engine.plan import Reason

DOUBLING = {
    "scrap",
    "drop",
    "zap",
    "crop",
    "blur",
    "flip",
    "cut",
    "put",
    "dim",
    "get",
    "swap",
    "trim",
    "pop",
    "shop",
    "clip",
    "strip",
    "scrub",
}

COMMANDS: dict[Role, str] = {
    Role.RAISE: "increase, boost, raise, heighten, amplify, intensify, strengthen, maximize, turn up, "
    "bump up, "
    "crank up, pump up, bring up, bring out, punch up, up, bump, deepen, lift, lift up, tone up, "
    "ramp up, amp up, magnify, elevate, augment, scale up, recover, step up, kick up, jack up, "
    "beef up, accentuate, adjust up, adjust higher, turn higher, open up, bring back, uncover, unveil, "
    "reveal, pull up, "
    "push up, emphasize, emphasise, nudge up, enrich, reinforce",
    Role.LOWER: "decrease, reduce, lower, lessen, minimize, diminish, weaken, turn down, tone down, "
    "bring down, "
    "dial down, cut down, cut down on, take down, cut back on, subdue, adjust down, adjust lower, "
    "turn lower, "
    "dampen, soften up, dial back, tone back, "
    "scale back, scale down, rein in, tame, suppress, attenuate, downplay, mitigate, alleviate, "
    "drop, pull down, pull back, knock back, knock down, ease off, ease back, ease up on, go easy on, "
    "go easier on, back off, take the edge off, take the edge off of, crush, nudge down",
    Role.ADJUST: "adjust, take care of, fix, fix up, correct, balance, even out, modify, tweak, "
    "work on, edit, "
    "photoshop, clean up, clear up, neaten up, tidy up, perfect, rescue, salvage, save, sort out, reedit, "
    "re-edit, rectify, work your magic on, auto correct, autocorrect",
    Role.ENHANCE: "enhance, improve, better, optimize, retouch, touch up, upgrade, auto enhance, "
    "bring life to, breathe life into, give life to, bring some life to, add life to, autoenhance, "
    "normalize, normalise, "
    "polish, polish up, spruce up, spice up, freshen up, beautify, perk up, fancy up, jazz up, pretty up, "
    "dress up, glam up, doll up, prettify, embellish, fine tune, finetune, enhance up, "
    "professionalize, improvise, refine, boost up",
    Role.MAKE: "make, render, get, create, produce, generate, simulate, mimic",
    Role.CHANGE: "change, export, alter, turn, convert, transform, switch, bring, dial, crank, push, pull, "
    "nudge, knock, adapt, refashion, redesign, customize, customise, revamp",
    Role.REPLACE: "replace, swap, substitute, swap out, switch out, exchange, supplant, sub out",
    Role.PAINT: "paint, dye, recolor, recolour, tint, color, colour, colorize, colourize, colorise, "
    "colourise, recolorize, adorn",
    Role.REMOVE: "remove, delete, erase, get rid of, get ride of, "
    "get rid off, get of, take out, take away, take off, crop out, edit out, "
    "shop out, photoshop out, ps out, cut away, wipe out, eliminate, clear out, clear away, airbrush out, "
    "paint out, clone out, clean out, photoshop away, rid of, strip, scrub, edit away, omit, exclude, "
    "eradicate, obliterate, discard, ditch, dispose of, do away with, expunge, purge, dissolve, annihilate, "
    "banish, wipe, wipe away, wipe off, rub out, clone away, dispense with, scrap, nix, zap, evict, "
    "dissipate, dispel, "
    "drop out, do something about, do anything about, "
    "is there anything that can be done about, anything that can be done about, "
    "can anything be done about, can something be done about, "
    "expel, prune, oust, cleanse, eject, uproot, weed out, "
    "wash away, scrape off, peel off, brush away, brush out, whisk away, vaporize, root out, efface, "
    "blot out, detach, throw out, toss out, kick out, exterminate, abolish, terminate, slice out, "
    "snip out, chop out, lift out, pluck, pluck out, sweep away, shave off, dislodge",
    Role.OUTWARD: "take, crop, edit, shop, photoshop, ps, get, clean, clear, wipe, airbrush, clone",
    Role.ADD: "add, put, insert, place, overlay, write, include, apply, give, draw, paste, superimpose, "
    "perform, bask in, bathe in, bathe it in, introduce, incorporate, append, affix, embed, inscribe, "
    "throw in, stick, attach, bring in, set, type, caption, fill, fill in",
    Role.USE: "use, take, opt for, go for",
    Role.EXTRACT: "extract, isolate, cut out, cut, clip",
    Role.CROP: "crop, trim",
    Role.RESTORE: "restore, repair, mend, revive, descratch, renovate, refurbish, rejuvenate, remaster",
    Role.SMOOTH: "smooth, smooth out, smoothen, smoothen out, soften, soften up, airbrush, even out, smoothe",
    Role.ROTATE: "rotate, turn, spin, tilt, pivot, swivel",
    Role.FLIP: "flip, mirror, unflip, unmirror, reverse",
    Role.RESIZE: "resize, scale, rescale, shrink, enlarge, scale down, scale up, downsize, upscale, "
    "downscale, compress, re-size, blow up, halve, triple, quadruple",
    Role.KEEP: "keep, leave, preserve, retain, protect, maintain",
    Role.STRAIGHTEN: "straighten, straighten out, straighten up, deskew, unrotate, untilt, level, level out, "
    "level the horizon, level the photo, level the image, level the picture, level it, level up the horizon",
    Role.CENTER: "center, centre, recenter, recentre, re-center, center it, centralize, centralise",
    Role.MOVE: "move, shift, reposition, bring, relocate, drag, slide, scoot",
    Role.COPY: "duplicate, copy, clone, replicate",
    Role.EXTEND: "extend, expand, uncrop, outpaint, widen, extend out, enlarge the canvas, "
    "expand the canvas, "
    "extend the canvas, pad, continue, lengthen",
    Role.COLLAGE: "combine, merge, join, stitch, arrange, collage",
}

ZOOMING: dict[int, str] = {
    1: "zoom, zoom in, zoom into, zoom it in, zoom closer, zoom in closer, zoom up, zoom way in",
    -1: "zoom out, zoom it out, zoom way out, zoom back, pan out",
}
STRETCHING: dict[tuple[str, int], str] = {
    ("width", 1): "stretch, stretch out, elongate, stretch wider",
    ("width", -1): "narrower, skinnier, thinner, slimmer, squeeze, squish, squash, squeeze together, "
    "more narrow, less wide",
    ("height", 1): "taller, stretch taller, stretch up",
    ("height", -1): "less tall, squash down, squish down",
}
HIDING: dict[str, str] = {
    "blur": "blur, blur out, obscure, anonymize, anonymise, censor, hide, conceal",
    "pixelate": "pixelate, pixelize, pixellate, mosaic, pixelate out",
    "black": "black out, block out, blacken out, redact",
}

IRREGULAR: dict[Role, str] = {
    Role.RAISE: "brought up, brought out",
    Role.LOWER: "brought down, taken down, reduction",
    Role.MAKE: "made, making, getting",
    Role.REMOVE: "removal, gone, disappear, go away, vanish, taken out, edited out, cropped out, got rid of, "
    "getting rid of, "
    "did away with, doing away with, done about, take him out, "
    "take her out, take them out, remover, shopped out, photoshopped out",
    Role.ADD: "giving, writing, drawn, ad, ading",
    Role.ADJUST: "correction, adjustment, color correct, color correction, color grade, color grading, "
    "neutralize, neutralise, auto adjust",
    Role.ENHANCE: "any other improvements, any other improvement, any other enhancements, "
    "other improvements, "
    "enhancement, enhancements, improvement, improvements, better, improved, touch ups, "
    "auto adjustment, auto adjustments, auto correction, auto corrections, auto level, auto levels, "
    "auto tone, auto color, auto colour, auto fix, "
    "touchups, "
    "touchup, touch-up, touch-ups, touching up, cleanup, retouches, inhance, inhanced, inhancing",
    Role.RESTORE: "restoration, restorations",
    Role.SMOOTH: "smooth, smoother, flawless",
    Role.RESIZE: "enlarged, shrunk, blown up",
    Role.STRAIGHTEN: "straight, straightening, straighter, crooked, tilted, lopsided, wonky",
    Role.UPRIGHT: "upright, right way up, right side up, right-side up, right way round, "
    "correct orientation, "
    "right orientation, proper orientation, orientation, correct way up, the right way up, "
    "the correct way up, the right way, the correct way",
    Role.EXTEND: "wider",
    Role.COLLAGE: "collage, photo collage, picture collage, photo grid, side by side, "
    "next to each other, diptych, "
    "triptych, one image, one photo, one picture, single image, single photo, single picture, stacked, "
    "on top of each other, in a row, in a grid, in a column",
    Role.POINT: "pointing, pointing at, pointing to, pointing towards, pointing toward, that points, "
    "that points to, "
    "that points at, points to, points at, to point at, to point to, which points to, facing",
}

_NAMED = ("the image", "this image", "the photo", "this photo", "the picture", "this picture")
RIDDING = (
    *(f"{rid} {name} of" for rid in ("rid", "clear", "cleanse", "purge", "strip") for name in _NAMED),
    *(
        f"{rid} {name} from"
        for rid in ("free", "cleanse", "purge", "detoxify", "liberate", "decontaminate", "purify")
        for name in _NAMED
    ),
    *(
        f"{sure} {there}"
        for sure in ("ensure", "ensure that", "make sure", "make sure that", "verify that", "see to it that")
        for there in ("there is no", "there's no", "there are no", "there aren't any")
    ),
)
"""Ways to say remove that name the photo, or what is left."""

UNAVAILABLE: dict[Unavailable, str] = {
    Unavailable(Reason.AMBIGUOUS, "Say “straighten the photo”, or by how much, "
    "for example: rotate by 2 degrees."): "straighten, level, align",
    Unavailable(
        Reason.AMBIGUOUS, "Say what to zoom in on: the subject, the face, or a box that you marked."
    ): "zoom, zoom in, zoom out, zooming, zoomed, closer, close up",
    Unavailable(
        Reason.NEEDS_GENERATION, "Coloring a black-and-white photo needs a generative engine."
    ): "colorize, colourize, colorise, colourise, recolorize",
    Unavailable(
        Reason.AMBIGUOUS, "Say which thing, and where to, for example: move the dog to the left."
    ): "move, moving, reposition",
    Unavailable(
        Reason.NEEDS_GENERATION, "Reshaping things needs a generative engine."
    ): "stretch, slim, thinner, taller, slimmer, swap faces",
    Unavailable(
        Reason.NEEDS_GENERATION,
        "There is no such style here. There are, for example: pencil sketch, watercolor, oil painting, "
        "cartoon, comic, pop art, pixel art, mosaic.",
    ): GENERATED,
    Unavailable(
        Reason.AMBIGUOUS, "Say it of the whole photo or a part of it, for example: turn it into a watercolor."
    ): "cartoon, painting, watercolor, watercolour, sketch, oil painting, cartoonish, cartoonize, "
    "pencil drawing, comic, posterize",
    Unavailable(
        Reason.LOW_CONFIDENCE, "Photos cannot be blended into each other; one can be laid on as a sticker."
    ): "double exposure, double exposures, multiple exposure, double exposure effect",
    Unavailable(
        Reason.LOW_CONFIDENCE, "Text is written in one bold font. Leave the kind of letters out."
    ): "italics, italic, cursive, calligraphy, underlined, in italics, in cursive, "
    "to bold, to uppercase, to lowercase, to capitals",
    Unavailable(
        Reason.LOW_CONFIDENCE, "This cannot be set alone; brightness, contrast, highlights and shadows can."
    ): "tint balance, curves, whites and blacks, glowing, shiny",
}  # fmt: skip
