"""Verbs: what a person asks for, and what no operation covers."""

from editor.engine.language.lexicon.roles import Role, Unavailable
from editor.engine.plan import Reason

DOUBLING = {"crop", "blur", "flip", "cut", "put", "dim", "get", "swap", "trim", "pop", "shop"}

COMMANDS: dict[Role, str] = {
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

IRREGULAR: dict[Role, str] = {
    Role.MAKE: "made, making, getting",
    Role.REMOVE: "removal, gone, taken out, edited out, cropped out, got rid of, getting rid of, "
    "take him out, "
    "take her out, take them out, remover, shopped out, photoshopped out",
    Role.ADD: "giving, writing, drawn",
    Role.ADJUST: "correction, adjustment, color correct, color correction",
    Role.ENHANCE: "enhancement, improvement, better, improved",
    Role.RESIZE: "enlarged, shrunk",
}

UNAVAILABLE: dict[Unavailable, str] = {
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
