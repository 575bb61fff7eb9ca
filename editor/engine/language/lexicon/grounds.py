"""What a background can be: what is drawn, what is photographed, and what only another photo shows."""

SCENES = (
    "beach, forest, sunset, mountain, mountains, sky, ocean, sea, city, park, woods, garden, space, "
    "galaxy, studio, "
    "landscape, street, jungle, desert, field, snow, sunrise, skyline, hospital, stadium, paris, night, "
    "something else, different background, another background, something different, nature, clouds, room"
)

GROUNDS: dict[str, str] = {
    "studio": "studio, photo studio, studio setting, photography studio, studio paper, "
    "professional studio, photographer's backdrop",
    "sky": "sky, blue sky, cloudy sky, bright sky, sky with clouds, blue sky with clouds, clouds, "
    "blue sky and clouds, white clouds, daytime sky, blue skies, partly cloudy sky, cloudy blue sky, "
    "blue sky with white clouds, blue skies and white clouds, blue skies with white clouds",
    "clear sky": "clear sky, clear blue sky, cloudless sky, clear skies, clear blue skies, "
    "cloudless blue sky",
    "sunset": "sunset, sunset sky, evening sky, sunrise, sunrise sky, sunset background, orange sky, "
    "pink sky",
    "night sky": "night sky, starry sky, stars, starry night, starry night sky, sky full of stars, "
    "sky with stars, night sky with stars",
    "bokeh": "bokeh, bokeh lights, blurry lights, blurred lights, lights out of focus",
}

DRAWN_PLACES: dict[str, str] = {
    "beach": "beach, beaches, seaside, seashore, sea shore, shore, seacoast, coast, coastline, beachfront, "
    "sandy beach, beach and ocean, beach and sea, sea and sand, beach with the sea, beach with ocean, beachy",
    "palm beach": "palm beach, tropical beach, tropical island, tropical paradise, beach with palm trees, "
    "beach with palms, sandy beach with palm trees, tropical beach with palm trees, tropical shore, tropical",
    "sea": "sea, ocean, seascape, open sea, open ocean, high seas",
    "lake": "lake, lakeside, lakeshore, lake with mountains, mountain lake",
    "mountains": "mountain, mountains, mountainside, hills, mountain range, mountain ranges, mountaintop, "
    "alps, mountain view, mountain valley, mountain peaks, hillside, mountainous, mountain terrain",
    "snowy mountains": "snowy mountain, snowy mountains, snow-capped mountain, snow-capped mountains, "
    "snow capped mountains, snow-covered mountains, snow covered mountains, snowcapped mountains, "
    "mountains with snow, snow mountain, snow mountains, snowy peaks, snow-capped peaks",
    "snowy field": "snow, snowy field, snow field, field of snow, winter wonderland, snowy winter, "
    "snowy landscape, snowy backdrop, winter landscape, snow-covered landscape, "
    "snow covered landscape, snow covered field, snow-covered field, snowy setting, snowy environment, "
    "snowy scene, snowy vista, snowy view, snowy terrain, snowy atmosphere, snowy ambiance, "
    "snowy tundra, tundra, snowy forest, snow forest, snow-covered forest, snowy winter landscape, "
    "winter forest, snowscape",
    "glacier": "glacier, glaciers, glacial, glacial ice, ice field, icy landscape, arctic, antarctic, "
    "antarctica, north pole, south pole, polar landscape, arctic landscape, icebergs, frozen sea",
    "desert": "desert, deserts, sand dunes, dunes, desert dunes, sahara, sahara desert, desert sand",
    "jungle": "jungle, rainforest, rain forest, tropical forest, tropical jungle, tropical rainforest, "
    "jungled",
    "garden": "garden, gardens, backyard, back yard, flower garden, botanical garden, "
    "backyard garden, garden with flowers, "
    "garden full of flowers, garden of flowers",
    "flower field": "flower field, field of flowers, field of wildflowers, wildflower field, "
    "flower meadow, meadow of flowers, meadow with flowers, flowery meadow, wildflower meadow, "
    "field with flowers, field full of flowers, meadow full of flowers, flower fields, fields of flowers",
    "meadow": "meadow, meadows, meadowland, field, fields, countryside, rural landscape, rural field, "
    "pasture, nature, natural landscape, spring meadow, meadowed",
    "autumn meadow": "autumn meadow, fall meadow, autumn field, fall field, autumn landscape, "
    "fall landscape, autumn countryside",
    "grassland": "grassland, grasslands, grass field, field of grass, grassy field, lawn, grassy meadow, "
    "prairie, green field, green fields, grassy landscape, grassy plain, grassy hill",
    "forest": "forest, forests, woods, woodland, woodlands, forrest, wooded area, forest path, pine forest, "
    "forest clearing, forest trail, forest trees, woods and trees, forested",
    "park": "park, parks, city park, public park, park path",
    "city street": "street, streets, city street, city streets, urban street, downtown, downtown street, "
    "urban streets, street corner, street view, city road",
    "city": "city, cityscape, urban cityscape, urban landscape, city skyline, skyline, city center, "
    "city buildings, city with skyscrapers, city with tall buildings, urban setting, urban environment, "
    "metropolis, city skyscrapers",
    "city at night": "city at night, night city, nighttime city, nighttime cityscape, night cityscape, "
    "cityscape at night, city night, city lights, night street, street at night, city street at night, "
    "night skyline, city skyline at night, nighttime street, nighttime skyline, city night lights",
    "sea at sunset": "sea at sunset, ocean at sunset, ocean sunset, sunset over the ocean, "
    "sunset over the sea, sunset by the sea, sunset at sea, sea sunset, ocean with a sunset",
    "underwater": "underwater, under water, underwater scene, bottom of the sea, under the sea, "
    "bottom of the ocean, under the ocean, underwater world, deep sea, undersea, ocean depths",
    "space": "space, outer space, galaxy, galaxies, nebula, deep space, cosmos, outerspace, universe",
    "office": "office, offices, office space, office room, workplace, office building interior",
    "library": "library, libraries, bookshelf, bookshelves, bookcase, library shelves, bookstore, book shop, "
    "bookshop",
    "cafe": "cafe, café, coffee shop, coffeeshop, coffee house, coffeehouse, "
    "restaurant, restaurants, bistro, pub",
    "living room": "living room, livingroom, lounge, sitting room, hotel room, hotel suite, room",
    "bedroom": "bedroom, bed room, hotel bedroom",
    "hall": "hall, ballroom, banquet hall, ball room, event hall, dance hall, lobby, hotel lobby",
    "warehouse": "warehouse, factory hall, storehouse, empty warehouse",
    "gallery": "gallery, galleries, art gallery, museum, museums, art museum, exhibition, exhibition hall",
    "brick wall": "brick wall, brick walls, red brick wall, wall of bricks",
}
"""The places of operations/background/scenes.py, by what they are called."""

PLACE_LOOKS: dict[str, str] = {
    "beach": "sandy sunny tropical coastal sand white golden summer summery",
    "palm beach": "sandy sunny coastal sand white golden summer summery",
    "sea": "blue calm wide vast deep",
    "lake": "calm blue still serene quiet",
    "mountains": "green high tall large big majestic rocky misty hazy towering",
    "snowy mountains": "high tall large big majestic rocky cold winter icy",
    "snowy field": "white winter cold snowy wintry snow-covered",
    "glacier": "cold icy frozen winter blue white snowy",
    "desert": "hot sandy dry arid vast sunny barren sand",
    "jungle": "lush green dense thick deep tropical dark leafy",
    "garden": "green lush beautiful blooming floral colorful flowery spring flower summer vibrant",
    "flower field": "colorful blooming beautiful spring vibrant summer",
    "meadow": "green sunny grassy open summer grass spring",
    "autumn meadow": "golden misty foggy",
    "grassland": "green sunny grassy open vast lush grass summer spring",
    "forest": "green lush dense thick deep leafy sunlit tall pine",
    "park": "green leafy spring summer lush",
    "city street": "urban modern gray grey",
    "city": "modern urban large big gray grey",
    "city at night": "modern urban large big bright dark blurry",
    "sea at sunset": "calm",
    "underwater": "blue deep",
    "space": "dark starry colorful deep",
    "office": "modern bright large big corporate open spacious professional business",
    "library": "old large big cozy warm vintage classic",
    "cafe": "cozy warm dim little small",
    "living room": "modern cozy bright",
    "bedroom": "modern cozy bright hotel",
    "hall": "large big bright grand elegant",
    "warehouse": "empty large big industrial old abandoned",
    "gallery": "modern bright large big white",
    "brick wall": "red old plain rustic",
}
"""What the pictures of these places are, so that it may be asked for."""

_WATER = "water wave waves"
_GREEN = "tree trees grass leaf leaves greenery foliage plant plants"
_FIRS = "snow tree trees pine pines fir firs"
_STREET = "building buildings road street streets"
PLACE_PARTS: dict[str, str] = {
    "beach": f"sand sea ocean shore shoreline sky {_WATER} sandy",
    "palm beach": f"sand sea ocean shore shoreline sky palm palms tree trees {_WATER} sandy",
    "sea": f"sky {_WATER}",
    "lake": f"{_WATER} tree trees hill hills mountain mountains",
    "mountains": "peak peaks sky tree trees",
    "snowy mountains": f"peak peaks sky {_FIRS}",
    "snowy field": f"sky {_FIRS}",
    "glacier": "ice snow water iceberg icebergs",
    "desert": "sand dune dunes sandy sky",
    "jungle": f"vegetation fern ferns {_GREEN}",
    "garden": f"flower flowers bush bushes lawn {_GREEN}",
    "flower field": f"flower flowers wildflower wildflowers sky {_GREEN}",
    "meadow": f"sky {_GREEN}",
    "grassland": f"sky {_GREEN}",
    "forest": _GREEN,
    "park": _GREEN,
    "city street": _STREET,
    "city": f"sky {_STREET}",
    "city at night": f"light lights lamp lamps window windows skyscraper skyscrapers {_STREET}",
    "space": "star stars nebula galaxy galaxies",
    "library": "book books shelf shelves bookshelf bookshelves",
    "office": "desk desks window windows computer computers screen screens",
    "cafe": "lamp lamps light lights table tables",
    "gallery": "painting paintings picture pictures artwork art",
}
"""What can be seen in these pictures, so that it may be named with the place."""

_LOOKS = """
beautiful nice pretty scenic lovely natural realistic blurred blurry peaceful outdoor picturesque
serene quiet calm simple generic out-of-focus stunning gorgeous soft softly-blurred
"""
GROUND_LOOKS = frozenset(_LOOKS.split())
"""... and what all of them are."""
PART_LOOKS = frozenset(
    {"large", "tall", "big", "wooden", "old", "green", "bright", "vibrant", "colorful", "lush"}
)
"""... and what may be said of the things in them."""
