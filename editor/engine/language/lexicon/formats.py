"""Sizes that have a name: prints, and what sites, telephones and screens show.

Each is certain: sizes of which makers and sites name several are left out.
"""

PRINTS: dict[str, str] = {
    **{
        f"{width} x {height} inches": ", ".join(
            f"{width} {by} {height}{unit}"
            for by in ("x", "by")
            for unit in ("", " print", " prints", " inch", " inches", " in", " inch print", " photo print")
        )
        for width, height in (
            *((4, 6), (6, 4), (5, 7), (7, 5), (8, 10), (10, 8), (3, 5), (5, 3), (8, 12), (12, 8), (6, 8)),
            *((11, 14), (14, 11), (12, 18), (18, 12), (16, 20), (20, 16), (18, 24), (24, 18), (20, 30)),
            *((30, 20), (24, 36), (36, 24)),
        )
    },
    **{
        f"{10 * width} x {10 * height} mm": ", ".join(
            f"{width} {by} {height}{unit}"
            for by in ("x", "by")
            for unit in (" cm", " print", " prints", " cm print", " cm prints", " centimeters")
        )
        for width, height in (
            *((9, 13), (13, 9), (10, 15), (15, 10), (13, 18), (18, 13), (15, 20), (20, 15), (20, 30)),
            *((30, 20), (30, 40), (40, 30), (40, 60), (60, 40), (50, 70), (70, 50)),
        )
    },
    "297 x 420 mm": "a3, a3 poster, a3 size, a3 paper, a3 print, a3 paper size",
    "210 x 297 mm": "a4, a4 poster, a4 size, a4 paper, a4 print, a4 paper size",
    "148 x 210 mm": "a5, a5 size, a5 paper, a5 print, a5 paper size",
    "105 x 148 mm": "a6, postcard, postcard size, a6 size",
    "2 x 2 inches": "us passport, us passport photo, american passport, american passport photo, "
    "us visa photo",
    "35 x 45 mm": "uk passport, uk passport photo, british passport photo, eu passport photo, "
    "schengen visa photo",
    "8.5 x 11 inches": "letter size, us letter, letter paper, 8.5 x 11, 8.5 x 11 inches, 8.5 by 11",
}

_SCREENS: dict[str, str] = {
    "640x960": "iphone 4, iphone 4s",
    "640x1136": "iphone 5, iphone 5s, iphone 5c",
    "750x1334": "iphone 6, iphone 6s, iphone 7, iphone 8",
    "1080x1920": "iphone 6 plus, iphone 6s plus, iphone 7 plus, iphone 8 plus, "
    "galaxy s4, galaxy s5, galaxy note 3",
    "1125x2436": "iphone x, iphone xs, iphone 11 pro",
    "828x1792": "iphone xr, iphone 11",
    "1242x2688": "iphone xs max, iphone 11 pro max",
    "1170x2532": "iphone 12, iphone 12 pro, iphone 13, iphone 13 pro, iphone 14",
    "1080x2340": "iphone 12 mini, iphone 13 mini",
    "1284x2778": "iphone 12 pro max, iphone 13 pro max, iphone 14 plus",
    "1179x2556": "iphone 14 pro, iphone 15, iphone 15 pro, iphone 16",
    "1290x2796": "iphone 14 pro max, iphone 15 plus, iphone 15 pro max, iphone 16 plus",
    "1206x2622": "iphone 16 pro",
    "1320x2868": "iphone 16 pro max",
    "1440x2560": "galaxy s6, galaxy s7, galaxy note 4, galaxy note 5",
    "1920x1080": "full hd, full hd wallpaper, full hd screen, full hd monitor",
}
"""Width and height of screens in pixels, held upright where they are of telephones."""

_SHOWN_ON = ("", " screen", " wallpaper", " background", " lock screen", " lockscreen", " home screen")

_PROFILE = ("profile picture", "profile pic", "profile photo", "profile image", "profile")
_SITES = ("facebook", "fb", "linkedin", "linked in", "twitter", "instagram", "insta", "youtube")

FORMATS: dict[str, str] = {
    "1:1": "profile picture, profile pic, profile photo, profile image, avatar, pfp, display picture, "
    "instagram post, insta post, album cover, "
    + ", ".join(f"{site} {profile}" for site in _SITES for profile in _PROFILE),
    "4:5": "instagram portrait, instagram portrait post",
    "9:16": "phone wallpaper, phone background, phone lock screen, lock screen, lock screen wallpaper, "
    "iphone wallpaper, iphone background, iphone lock screen, android wallpaper, mobile wallpaper, "
    "phone screen, lockscreen, cell phone wallpaper, cell phone background, "
    "instagram reel, tiktok, tiktok video",
    "16:9": "desktop wallpaper, desktop background, computer wallpaper, computer background, "
    "laptop wallpaper, laptop background, pc wallpaper",
    "820x312": "facebook cover, facebook cover photo, facebook cover picture, facebook cover pic, "
    "fb cover, fb cover photo, fb cover pic, facebook banner, facebook header",
    "2560x1440": "youtube banner, youtube channel banner, youtube channel art",
    "1500x500": "twitter header, twitter banner, twitter cover, x header, twitter header photo",
    "1584x396": "linkedin banner, linkedin cover, linkedin background photo, linkedin cover photo",
    **{
        size: ", ".join(f"{name.strip()}{shown}" for name in names.split(",") for shown in _SHOWN_ON)
        for size, names in _SCREENS.items()
    },
}
"""Sizes in pixels where a site asks for one, or a screen has one; else the ratio."""
