"""Words for light, color, sharpness and looks, with the direction in which each moves a photo."""

from editor.engine.language.lexicon.roles import Tone

TONE_VERBS: dict[tuple[str, int], str] = {
    (
        "brightness",
        1,
    ): "brighten, lighten, brighten up, lighten up, light up, illuminate, whiten up, "
    "bright, bright up, light, relight, brightness, whiten, whitewash, bleach out",
    ("brightness", -1): "darken, dim, darken up, darken down, dull down, tone down",
    ("contrast", 1): "contrast, auto contrast, autocontrast",
    ("saturation", 1): "saturate, colour up, liven up",
    ("saturation", -1): "desaturate, unsaturate, mute, tone down the colors, tone down the colours, "
    "dull the color, dull the colors, dull the colour, dull the colours",
    ("warmth", 1): "warm, warm up",
    ("warmth", -1): "cool, cool down, cool off",
    (
        "sharpness",
        1,
    ): "sharpen, sharpen up, deblur, unblur, clarify, focus, refocus, crispen, sharp, sharp up, "
    "sharping, unblurr, define, crisp up, de-blur, un-blur, clear up, clean up the blur, defuzz, "
    "fix the focus, fix focus, correct the focus",
    ("blur", 1): "blur, blur out, soften, defocus, blurr, unfocus, unsharpen",
    ("denoise", 1): "denoise, de-noise, despeckle, degrain, noise reduction, denoising",
    ("dehaze", 1): "dehaze, de-haze, defog",
    ("pixelate", 1): "pixelate, pixelize, pixellate, mosaic",
}

QUALITIES: dict[tuple[str, int], str] = {
    ("brightness", 1): "brightness, luminosity, light, lights, lightness, lighting, illumination, "
    "luminance, visibility, bright, lightening, brightening, light levels, light level, brightnesses, "
    "ambient light, ambient lighting, ambient brightness, brilliance, outdoor light, outdoor lighting, "
    "outdoor brightness, indoor light, indoor lighting, room light, lightning, overall brightness, radiance, "
    "natural light, natural lighting, natural brightness, lights and darks, sunlight, daylight, "
    "light intensity, lighting levels, lighting level, bright light, brighter light, brighter lighting, "
    "overall light, overall lighting, gamma, intensity of light, color brightness, colour brightness, "
    "brightness of the colors, midtones, midtone, mid tones, mid tone, brightening up, white light, "
    "whiter light, whitish light, bright filter, brighter filter, brighter tone, brighter tones, "
    "lighter tone, lighter tones, bright tone, bright tones, white hue, whiter hue, whiter tone",
    (
        "brightness",
        -1,
    ): "darkness, dark, dimness, darkening, darker tone, darker tones, dark tone, dark tones, "
    "dark filter, darker filter, black tint, dark tint, dark hue, dark haze, dark cast, dark overlay, "
    "dark shade, dark look, dark light, dark lighting, darker light, darker lighting",
    ("exposure", 1): "exposure, exposures, exposure level, light exposure, "
    "overexposure, over exposure, over-exposure, exposition",
    ("exposure", -1): "underexposure, under exposure, under-exposure",
    (
        "contrast",
        1,
    ): "contrast, contrasts, contrasting, depth, contrast level, contrast levels, color contrast, "
    "colour contrast, tonal contrast, tonal range, auto contrast, autocontrast",
    ("contrast", -1): "fade, fading, flatness, washed out look, soft light, softer light, soft lighting, "
    "softer lighting, softer contrast",
    ("highlights", 1): "highlights, highlight, bright areas, bright parts, bright area, brightest parts, "
    "bright spots, bright spot, glare, glares, hot spots, shine, lens glare, sun glare, highlighted parts, "
    "glare from the sun, glare from the sunshine, glare from the sunlight, glare from the light, "
    "glare from the lights, glare from the flash, glare of the sun, flash glare, "
    "white saturation, white level, white levels, whites level, "
    "light areas, lighter areas, brighter areas, shininess, glow, window light, light from the window, "
    "light from the windows, light through the window, light in the window, sunlight from the window",
    ("shadows", -1): "deeper shadows, stronger shadows, shadows, shadow, dark areas, dark parts, "
    "dark area, darkest parts, darker areas, "
    "darker parts, shaded areas, dark spots, shading, shadowing, shadow areas, darker tones, "
    "dark colors, dark colours, darks",
    ("shadows", 1): "shadow detail, shadow details, shadows detail, hidden detail, hidden details, "
    "obscured detail, "
    "obscured details, detail in the shadows, details in the shadows, detail in the dark areas, "
    "details in the dark areas, detail in the dark parts, details in the dark parts, dark details, "
    "shadow value, shadow values, shadows value, shadow level, shadow levels, shadow slider, shadows slider",
    ("clarity", 1): "clarity, texture, textures, structure, local contrast, micro contrast, midtone contrast",
    ("saturation", 1): "saturation, vividness, color intensity, colour intensity, color depth, "
    "colorfulness, color saturation, colour saturation, colors saturation, saturation of color, "
    "saturations, intensity of color, "
    "intensity of colors, "
    "saturation of the colors, intensity of the colors, richness, chroma, satuartion, intensity, "
    "overall saturation, color strength, vivid color, vivid colors, deeper color, deeper colors, "
    "deeper colour, deeper colours, deep colors, stronger colors, stronger colours, saturnation, "
    "hue and saturation, hue/saturation, pigment, pigmentation",
    ("vibrance", 1): "vibrance, vibrancy, vibration, color vibrance, color vibrancy, colour vibrance",
    (
        "warmth",
        1,
    ): "warmth, warm tone, warm tones, warmer tone, warmer tones, color temperature, temperature, temp, "
    "colour temperature, color temp, colour temp, "
    "warm color, warm colors, warm tint, warm light, warm filter, warm hue, warmness, warm lighting, "
    "warming filter, warmer color, warmer colors, warmer colour, warmer colours, warmer filter, "
    "warmer light, "
    "warm undertone, warm colour, warm colours, warm hues, warmer hue, warmer hues, warm glow, warmer tint, "
    "warm effect, warmer lighting, warmer white balance, warmer wb, warmer temperature",
    ("warmth", -1): "coolness, cool tone, cool tones, cooler tone, cooler tones, cool color, cool colors, "
    "cool tint, cool filter, cool hue, cooling filter, cool light, cold tone, cold tones, coldness, "
    "cooler color, cooler colors, cooler hue, cooler filter, cool effect, cooler white balance, "
    "cooler wb, cooler temperature",
    ("sharpness", 1): "sharpness, clearness, definition, crispness, focus, sharp, detail, details, "
    "sharpening, crisp detail, lost details, sharpness level, fine details, finer details, image detail, "
    "detailing",
    ("blur", 1): "blur, blurriness, blurring, softness, blurry effect, blurring effect, blur effect, "
    "fuzziness, blurs, gaussian blur, blurness, soft focus, motion blur, blurryness, soft blur",
    (
        "denoise",
        -1,
    ): "noise, grain, graininess, image noise, color noise, film grain, grains, noisiness, speckles, "
    "digital noise, grainy look, grainy feel, grainy effect, grain effect, noise effect",
    (
        "dehaze",
        -1,
    ): "haze, fog, mist, haziness, grey haze, gray haze, fogginess, smog, hazy look, foggy look, cloudiness, "
    "white tint, white haze, white film, "
    "white cast, gray film, grey film, milky look, whitish tint, whitish haze, greyness, grayness, "
    "foggy layer, hazy layer, foggy filter, hazy filter, hazy effect, foggy effect, foggy appearance, "
    "hazy appearance, atmospheric haze, atmospheric distortion, atmospheric distortions, atmospheric fog, "
    "foggy atmosphere, hazy atmosphere, foggy veil, hazy veil, veil of haze, veil of fog",
}

ADJECTIVES: dict[tuple[str, int], str] = {
    (
        "brightness",
        1,
    ): "bright, light, visible, well lit, lit, luminous, better lit, noticeable, sunny, lightened, "
    "brightened, well-lit, airy, like a sunny day, like it's a sunny day, like it is sunny, like it's sunny, "
    "like the sun is shining, like the sun is out, like the sun was out, like the sun was shining, "
    "like the sun is shining brightly",
    (
        "brightness",
        -1,
    ): "dark, dim, gloomy, darkish, darkened, dingy, murky, dreary, poorly lit, badly lit, "
    "under lit, shadowy, shady",
    ("exposure", 1): "exposed, overexposed, over exposed, over-exposed, blown out, overexposure",
    ("exposure", -1): "underexposed, under exposed, under-exposed",
    ("contrast", 1): "contrasty, contrasted, high contrast, contrast, contrasting, harsh",
    ("contrast", -1): "washed out, low contrast, flat, washed-out, washed, muddy",
    ("saturation", 1): "vivid, colorful, colourful, vibrant, saturated, rich, intense, bold, vibrate, "
    "oversaturated, over saturated, lively, color rich, lush, pronounced, distinctive",
    ("saturation", -1): "dull, muted, faded, desaturated, colorless, pale, drab, bland, discolored, "
    "boring, lifeless, dull looking",
    ("warmth", 1): "warm, warm toned",
    ("warmth", -1): "cold, cool toned, cool",
    (
        "sharpness",
        1,
    ): "sharp, clear, crisp, focused, in focus, into focus, defined, detailed, readable, legible, "
    "better focused, recognizable, distinct, crisp view, clear view, clearer view, "
    "visually clear, focussed, well defined, high definition, "
    "high resolution, high res",
    ("blur", 1): "blurry, blurred, fuzzy, out of focus, unfocused, soft, unclear, blurr, unsharp",
    ("denoise", -1): "grainy, noisy, speckled, grainy looking, gritty",
    (
        "denoise",
        1,
    ): "noise-free, noise free, noiseless, grain-free, grain free, free of noise, free from noise, "
    "free of grain",
    ("dehaze", 1): "haze-free, haze free, fog-free, fog free, free of haze, free from haze, free of fog, "
    "free from fog",
    ("dehaze", -1): "hazy, foggy, misty, smoky, cloudy looking, milky, smoggy",
}

COMPARATIVES: dict[tuple[str, int], str] = {
    (
        "brightness",
        1,
    ): "brighter, lighter, brighter looking, lighted up, sunnier, brigther, easier to see, "
    "better seen, seen better, easy to see, easier to view, whiter, airier",
    ("brightness", -1): "darker, dimmer, gloomier, blacker",
    ("saturation", 1): "richer, bolder, intenser, livelier, deeper",
    ("saturation", -1): "duller, paler, blander, drabber",
    ("warmth", 1): "warmer",
    ("warmth", -1): "cooler, colder",
    ("sharpness", 1): "sharper, clearer, crisper, crispier",
    ("blur", 1): "blurrier, softer, fuzzier",
    ("contrast", -1): "flatter",
    ("denoise", -1): "grainier, noisier",
    ("dehaze", -1): "hazier, foggier",
}

TINTED: dict[str, str] = {
    "yellow": "yellower",
    "blue": "bluer",
    "red": "redder",
    "green": "greener",
    "pink": "pinker",
}

FLAWS = frozenset(
    {
        *(
            "dark",
            "dim",
            "gloomy",
            "darkish",
            "dingy",
            "murky",
            "dreary",
            "smoggy",
            "washed",
            "poorly lit",
            "badly lit",
            "under lit",
            "shadowy",
            "shady",
        ),
        *("overexposed", "over exposed", "over-exposed", "blown out", "overexposure"),
        *(
            "underexposed",
            "under exposed",
            "under-exposed",
            "washed out",
            "washed-out",
            "low contrast",
            "flat",
            "muddy",
        ),
        *("dull", "faded", "colorless", "drab", "bland", "discolored", "boring", "lifeless"),
        *("oversaturated", "over saturated"),
        *("blurry", "blurred", "fuzzy", "out of focus", "unfocused", "unclear", "blurr"),
        *("grainy", "noisy", "speckled", "grainy looking", "gritty", "hazy", "foggy", "misty", "milky"),
    }
)
"""What nobody says of a photo without wanting the opposite: "it is blurry"."""

LOOKS: dict[str, str] = {
    "black_and_white": "black and white, b&w, b & w, bw, b/w, black & white, black-and-white, greyscale, "
    "grayscale, gray scale, grey scale, monochrome, monochromatic, black n white, b and w, black/white, "
    "black and white scale, black white, black and gray, black and grey, black and whites",
    "noir": "noir, film noir",
    "moody": "moody, dark and moody, brooding, broody",
    "dreamy": "dreamy, dreamlike, dream-like, dream like, ethereal, orton effect, dreamy glow",
    "neon": "cyberpunk, cyber punk, synthwave, vaporwave, neon look, neon style, neon effect, neon glow, "
    "neon punk, neon-punk, neon cyberpunk, neon soaked cyberpunk, neon-soaked cyberpunk, neon lit cyberpunk, "
    "neon-lit cyberpunk, cyberpunk poster, neon cyberpunk poster, neon-soaked cyberpunk poster, "
    "neon soaked cyberpunk poster",
    "golden_hour": "golden hour, golden hour light, golden hour lighting, golden light, golden hour glow, "
    "sunset light, sunset lighting, sunset glow",
    "nightfall": "night, nighttime, night time, night scene, nightfall, night-time, nighttime scene, "
    "nighttime photo, night time photo",
    "bleach_bypass": "bleach bypass, bleached bypass",
    "cross_process": "cross process, cross processed, cross processing, lomo, lomography",
    "infrared": "infrared, infra red, infrared photo, infrared photography, infrared film",
    "autumn": "autumn, autumnal, fall colors, fall colours, autumn colors, autumn colours, fall foliage, "
    "autumn foliage, autumn scene, fall scene, fall season, season to fall, autumn season",
    "winter": "winter, wintery, wintry, winter scene, wintertime, winter season, winter wonderland, "
    "snowy scene, snowy winter scene",
    "sepia": "sepia, sepia tone, sepia toned, sepia tones, daguerreotype, victorian",
    "negative": "negative, inverted, reverse the colors, reverse colors, reversed colors, "
    "flip the colors, color negative, inverted colors, invert colors, negative image, "
    "photo negative",
    "faded": "vintage, retro, old fashioned, old-fashioned, old timey, old-timey, matte, aged, nostalgic, "
    "old photo, old photograph, old picture, old film, old school, old time, polaroid style, "
    "washed out look, "
    "faded look, antique, old, older, olden, old style, old looking, vintage looking, film look, "
    "analog, analogue, classic film, instagram filter, instagram style, instagram look",
    "cinematic": "cinematic, movie, film still, hollywood, teal and orange, orange and teal, movie like, "
    "movie-like, movie still, blockbuster, cinema, movie poster, movie scene",
    "hdr": "hdr, high dynamic range, dynamic range, hdr like, hdr-like",
    "duotone": "duotone, duo tone, two tone, two-tone, dual tone, duo-tone",
}

INVERT = "invert, inverting, inverts"

VAGUE = (
    "the best out of, the best of, the most of, the most out of, better, nicer, stand out, "
    "stand out more, clean, more clean, pop, pop out, pop more, great, good, amazing, awesome, "
    "beautiful, nice, "
    "professional click, "
    "best, prettier, more appealing, appealing, quality, better quality, higher quality, high quality, "
    "look better, best quality, improved, gorgeous, stunning, professional, more professional, "
    "as good as possible, as best as possible, attractive, more attractive, nice and clear, "
    "overall quality, picture quality, "
    "image quality, photo quality, presentable, more presentable, cleaner, pretty, crisp and clean, "
    "awesomer, epic, frame worthy, frameable, beautified, professional looking, "
    "aesthetically pleasing, general quality, total quality, "
    "visually appealing, presentable, postable, decent, fancy, fresh, fresher, alive, lively looking, "
    "photogenic, eye catching, high quality picture, perfect, flawless, aesthetic, instagram worthy, "
    "insta worthy, profile ready, print ready, profile worthy, poster worthy, "
    "wall worthy, more alive, usable, resolution, hd, fantastic, wow, cleaned up, touched up, fixed up, "
    "fixed, enhanced, retouched, the best, looking better, lovely, pleasing, more pleasing, magic, "
    "magnificent, brilliant, less amateur, decent looking, better looking, nicer looking, good looking, "
    "more professional looking, striking, natural, more natural, realistic, more realistic, normal, "
    "more normal, "
    "accurate, more accurate, color accurate, true to color, "
    "natural looking, more natural looking, neutral, more neutral, natural colored, more natural colored, "
    "as natural as possible, as naturally enhanced as possible, naturally enhanced, "
    "true to life, more true to life, lifelike, more lifelike, pro, esthetic, polished, "
    "more polished, print worthy, crisp and clear, "
    "back to life, to life, majestic, badass, dope, eye-catching, glamorous, elegant, powerful, magical, "
    "more majestic, more powerful, impressive, more impressive, inviting, more inviting, classy, trendy, "
    "interesting, more interesting, exciting, life, punch, punchy, punchier, more punch, more punchy"
)

_NATURAL = ("natural", "normal", "realistic", "neutral", "true to", "lifelike", "accurate")


def is_natural(words: str) -> bool:
    """Whether a vague word asks for colors as they were: they are evened out."""
    return any(word in words for word in _NATURAL)


CASTS = (
    "tint, tone, tones, cast, color cast, colour cast, tinge, hue, hues, undertone, undertones, tinting, "
    "tints, "
    "overtone, overtones, coloring, filter, color tone, color filter, overlay, color overlay, tinted, "
    "toned, shade, shades, color channel, channel, channels, ton, coloration, discoloration, colour tone, "
    "tonality, color effect, tone effect, hue effect, color balance, colour balance, color tint, color hue, "
    "colour tint, colour hue, color tints, overall tone, overall hue, cast over, color profile, "
    "colour profile, color scheme, colour scheme"
)

WHITE_BALANCE = "white balance, whitebalance, wb, auto white balance"

NIGHT = (
    "low light, low-light, lowlight, night shot, night photo, taken at night, shot at night, "
    "night photography, "
    "poor lighting, poor light, bad lighting, bad light, no light, little light, in the dark, at night, "
    "night picture, low lighting, dim light, dim lighting, dark room, terrible lighting, horrible lighting, "
    "awful lighting"
)

NEUTRAL_CASTS: dict[str, Tone] = {
    "gray": Tone("saturation", -1),
}
"""What a "tint" of these means: gray has no color."""


def cast_of(color: str) -> Tone | None:
    """The move that a tint of this color makes; None for white and black, which tint nothing."""
    if color in NEUTRAL_CASTS:
        return NEUTRAL_CASTS[color]
    return None if color.endswith(("white", "black", "gray")) else Tone("tint", 1, color=color)


FINDABLE: dict[str, str] = {
    "sky": "sky, skies, the heavens, night sky, night skies",
    "grass": "grass, lawn, meadow, turf, grassland, grasslands, pasture, football field, soccer field",
    "water": "water, sea, ocean, lake, river",
    "skin": "skin, complexion, skin tone, skin tones",
}
"""What is looked for by its usual color and place, without a box; the pixels refuse it where it is not."""
