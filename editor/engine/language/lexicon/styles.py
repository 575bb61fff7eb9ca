"""Styles that the engine draws, by people's words for them, and the words that tell of any style."""

STYLES: dict[str, str] = {
    "pencil_sketch": "pencil sketch, pencil drawing, sketch, sketched, drawing, pencil art, "
    "graphite drawing, graphite sketch, graphite, hand drawn sketch, hand drawing, hand drawn, "
    "hand-drawn, sketch drawing, pencil sketch drawing, sketchy, in pencil, drawn in pencil, pencil drawn, "
    "pencil portrait, drawn",
    "colored_pencil": "colored pencil, coloured pencil, color pencil, colored pencils, coloured pencils, "
    "colored pencil drawing, coloured pencil drawing, color pencil drawing, colored pencil sketch, "
    "color pencil sketch, coloured pencil sketch, colored sketch, coloured sketch, color sketch",
    "charcoal": "charcoal, charcoal drawing, charcoal sketch, charcoal portrait",
    "line_drawing": "line drawing, line art, lineart, ink drawing, ink sketch, pen and ink, pen drawing, "
    "pen sketch, pen and ink drawing, pencil line drawing, outline drawing, line sketch, ink illustration, "
    "pen and ink sketch, ink line drawing, line art drawing",
    "blueprint": "blueprint, blueprint drawing, technical drawing, blueprint technical drawing, "
    "cyan blueprint, cyan blueprint technical drawing",
    "oil_painting": "oil painting, oil paintings, painting, oil paint, painted, oil painted, in oils, "
    "acrylic painting, canvas painting, hand painted, painterly, digital painting, oil portrait, "
    "oil on canvas, impressionist painting, impressionist, impressionism, impressionistic",
    "watercolor": "watercolor, watercolour, watercolors, watercolours, watercolor painting, "
    "watercolour painting, watercolor paintings, watercolour paintings, water color, water colour, "
    "water color painting, water colour painting, aquarelle, watercolor drawing, watercolor sketch",
    "pointillism": "pointillism, pointillist, pointillist painting, pointillism painting, pointillistic",
    "cartoon": "cartoon, cartoons, cartoonish, cartoony, cartoon drawing, toon, cartoon like, cartoon-like, "
    "cartoonize, cartoonise, cartoonized, cartoonised, cartoonify, cartoonified, cartoon character style, "
    "american cartoon, cartoon animation, american cartoon animation, animated cartoon, style animation, "
    "anime, japanese anime, anime drawing, cel shaded, cel shading, cel-shaded",
    "comic": "comic, comics, comic book, comic strip, comic book art, comic book drawing, graphic novel, "
    "comic book page, comic art, comicbook, "
    "manga, japanese manga, manga drawing",
    "pop_art": "pop art, pop-art, popart, pop art poster, pop art print",
    "posterize": "posterize, posterise, posterized, posterised, posterizing, posterization, "
    "vector art, vector image, vector graphic, vector graphics, vector illustration, vector drawing, "
    "vector portrait, vector style, vector look, vector, flat vector, flat illustration, flat design",
    "halftone": "halftone, half tone, halftone print, halftone dots, newspaper print, newsprint, "
    "newspaper photo, newspaper picture, newspaper clipping, newspaper",
    "pixel_art": "pixel art, pixelart, pixel art video game, 8 bit pixel art video game, "
    "8-bit, 8 bit, 8bit, 8-bit game, 8 bit game, 8-bit pixel art, "
    "8 bit pixel art, 8-bit video game, 8 bit video game, pixel graphics",
    "mosaic": "mosaic, tile mosaic, mosaic tiles, mosaic tile, mosaic art, roman mosaic, stone mosaic, "
    "mosaic artwork, ceramic mosaic, mosaic of tiles, mosaic of small tiles, mosaic of stones",
    "stained_glass": "stained glass, stained-glass, stained glass window, stained-glass window, "
    "stained glass art, stained glass cathedral window, stained glass church window, leaded glass",
}

GENERATED = (
    "ghibli, studio ghibli, miyazaki, mondrian, gothic, chibi, genshin impact, graffiti style, graffiti art, "
    "graffiti look, graffiti effect, low poly, low-poly, woodcut, art deco, art nouveau, pixar, "
    "disney, van gogh, picasso, monet, lego, claymation, clay, stylize, stylise, artistic, artsy, "
    "more artistic, distort, distorted, pixelated, blurple, 3d render, "
    "ink wash, gouache, caricature, renaissance, baroque, cubist, cubism, "
    "surrealism, surrealist, ukiyo-e, steampunk, origami"
)
"""Styles that need a generative engine."""

_OF_A_STYLE = """
effect effects filter art artwork artistic look style styled styles technique techniques medium
aesthetic aesthetics form image picture version illustration feel paint strokes brushstrokes
styling manner fashion
"""
OF_A_STYLE = frozenset(_OF_A_STYLE.split())
"""What may stand beside the name of a style without asking for more."""

_PRAISE = """
texture textures textured rich richly richness depth depths nuance nuances detail details beauty
fluidity transparency luminosity translucency softness delicacy expressiveness essence qualities quality
nature feeling feel charm elegance visual beautiful gentle delicate flowing soft hues washes wash
strokes brushstrokes brushwork layers fluid ethereal expressive classic dimensionality masterpiece scene
composition art artwork captivating dynamic timeless elegant simplicity brushstroke characteristics
narrative stark dramatic vibe vibes mood atmosphere allure
journey sense emotion emotions serenity tranquility calm harmony
"""
PRAISE = frozenset(_PRAISE.split()) | {"scene 's"}
"""What people say of every painting, when they ask for one: it has texture, depth and beauty."""

_INFUSING = """
infuse imbue express immerse capture reimagine render present depict transport craft produce show
transfer create give portray through the medium of using use enhance evoke embrace entire reminiscent
convey explore drench project bathe steep cast illuminate highlight embark
"""
INFUSING = frozenset(_INFUSING.split())
"""Verbs and links of such wishes."""
_PRAISING = """
imbue express immerse capture reimagine transport craft evoke embrace convey explore drench embark infuse
"""
PRAISING = frozenset(_PRAISING.split())
"""Those that nobody says of a thing that is to be drawn."""
