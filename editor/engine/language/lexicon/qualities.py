"""Words for light, color, sharpness and looks, with the direction in which each moves a photo."""

from editor.engine.language.lexicon.roles import Tone

TONE_VERBS: dict[tuple[str, int], str] = {
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

QUALITIES: dict[tuple[str, int], str] = {
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

ADJECTIVES: dict[tuple[str, int], str] = {
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

COMPARATIVES: dict[tuple[str, int], str] = {
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

LOOKS: dict[str, str] = {
    "black_and_white": "black and white, b&w, b & w, bw, b/w, black & white, black-and-white, greyscale, "
    "grayscale, gray scale, grey scale, monochrome, monochromatic, black n white, b and w, black/white",
    "sepia": "sepia, sepia tone, sepia toned, sepia tones",
    "negative": "negative, inverted, color negative, inverted colors, invert colors",
}

INVERT = "invert, inverting, inverts"

VAGUE = (
    "better, nicer, pop, pop out, pop more, stand out, great, good, amazing, awesome, beautiful, nice, "
    "best, prettier, more appealing, appealing, quality, better quality, higher quality, high quality, "
    "look better, best quality, improved, gorgeous, stunning, professional, more professional, "
    "as good as possible, attractive, more attractive, nice and clear, overall quality, picture quality, "
    "image quality, photo quality"
)

CASTS = (
    "tint, tone, tones, cast, color cast, colour cast, tinge, hue, hues, undertone, undertones, tinting, "
    "tints, "
    "overtone, overtones, coloring, filter, color tone, color filter, overlay, color overlay, tinted, "
    "toned, shade, shades"
)


NATURAL_CAST = {"yellow": 1, "orange": 1, "gold": 1, "blue": -1, "cyan": -1}


def cast_of(color: str) -> Tone | None:
    """The move on the warmth scale that a tint of this color makes, where it lies on that scale."""
    sign = NATURAL_CAST.get(color)
    return Tone("warmth", sign) if sign else None
