"""How much: degrees, fractions, units, numbers, sizes."""

AMOUNTS: dict[float, str] = {
    0.1: "a touch, touch, a hint, hint, a hint of, a touch of, very slightly, tiny bit, a tiny bit, "
    "ever so slightly, "
    "a hair, a smidge, very little, very tiny, a very tiny amount, a tiny amount, tiny amount, "
    "a very small amount, very small amount, by a very small amount, a very small bit, a very slight, "
    "faintly, barely, a very little bit, just a touch, subtly, subtle, "
    "a teeny bit, a tiny",
    0.2: "by a little bit, by just a bit, by a tiny bit, little bit of, tiny bit of, bit of, "
    "a tiny bit of, a lil, a lil bit, lil, a small bit, "
    "by a small amount, some of, slightly, slight, a bit, "
    "a little, a little bit, bit, little, little bit, a tad, tad, "
    "somewhat, lightly, "
    "mildly, mild, not too much, gently, gentle, a little more, a bit more, a little bit more, "
    "slightly more, "
    "just a bit, just a little, just a little bit, a small amount, small amount, a bit of, a little bit of, "
    "a few, few, a few levels, a few notches, a notch, notch, a few points, slighty, slightly more, "
    "somewhat more, "
    "ever so, just a smidge, a smidgen, little bits, a wee bit, light amount, a light amount, "
    "a light amount of, light amount of, small amount of, a small amount of, "
    "minor, abit, a slight, alittle, a slightly, some little, by a little, by a bit, a fraction, "
    "just slightly, littlebit, a littlebit, a tad bit, tad bit, a few percent, a few percentage, "
    "a few percent points, a few shades, a shade, the slightest bit, slight bit, a slight bit",
    0.17: "a third of a stop, one third of a stop, 1/3 of a stop, by a third of a stop, "
    "by one third of a stop",
    0.25: "half a stop, by half a stop, by half stop, by a half stop, a half stop, half stop, 1/2 stop, "
    "one half stop",
    0.5: "a stop, by a stop, by a full stop, a full stop, a whole stop",
    0.35: "some, moderately, moderate, a moderate amount, a fair amount, medium, reasonably, fairly, "
    "some more, "
    "a moderate, an average amount, a medium, a medium amount, medium amount, a decent amount",
    0.4: "a decent bit, a good bit, by a decent bit, by a good bit, decent bit, a fair bit, "
    "by a fair bit, quite, quite a bit, noticeably, considerably, noticeable, nicely, rather, pretty, "
    "decently, "
    "several levels",
    0.65: "a lot, much, very, way, lot, lots, lots of, a lot of, a lot more, much more, alot, allot, "
    "a great deal, severe, "
    "significantly, greatly, heavily, strongly, strong, heavy, really, highly, substantially, far, tons, "
    "a ton, "
    "a whole lot, tons of, so much, very much, significant, big, hugely, by a lot, by alot, intensely, "
    "super, "
    "a great amount, a good amount, a large amount, by a large amount, by a large margin, "
    "large margin, a lil more, largely, deeply, excessive, overwhelming, "
    "a whole bunch, quite a lot, bunch, overly strong, a lot of more, high, a high amount of, "
    " vastly, a great amount of, loads, a substantial amount, by a substantial amount, "
    "by quite a lot",
    0.8: "dramatically, drastically, extremely, dramatic, extreme, drastic, immensely, tremendously, "
    "massively",
    1.0: "completely, as possible, as much as possible, totally, fully, maximum, to the max, complete, "
    "as much as you can, as best as possible, "
    "entirely, "
    "all the way, max, as far as possible",
}

FRACTIONS: dict[float, str] = {
    50: "half, by half, in half, one half, a half, 1/2",
    25: "a quarter, one fourth, a fourth, one quarter, quarter, 1/4",
    100: "twice, double, doubled, two times, twofold, 2x",
}

UNITS: dict[str, str] = {
    "percent": "percent, %, per cent, points, point, percents, percentage, pts",
    "degrees": "degrees, degree, °, deg, degs",
    "stops": "stop, stops, f stop, f stops, ev, full stop, full stops",
    "kelvin": "k, kelvin, degrees kelvin",
    "pixels": "pixels, pixel, px, pixel wide, pixels wide, px wide",
}

RATIOS: dict[str, str] = {
    "1:1": "square, squared, a square, perfect square",
    "3:2": "landscape orientation, landscape format, landscape crop, horizontal format, landscape shape",
    "2:3": "portrait orientation, portrait format, portrait crop, vertical format, portrait shape",
    "16:9": "widescreen, wide screen, youtube thumbnail",
    "9:16": "instagram story, story format, vertical video",
}

THICKNESSES: dict[float, str] = {
    0.2: "thin, small, narrow, slim, tiny",
    0.65: "thick, big, wide, large, bold, broad, huge, giant, massive",
}

NUMBERS: dict[int, str] = {
    1: "one",
    2: "two",
    3: "three",
    4: "four",
    5: "five",
    6: "six",
    7: "seven",
    8: "eight",
    9: "nine",
    10: "ten",
    90: "ninety",
    20: "twenty",
}
