"""What the engine's detector finds without a box, in people's words."""

SEEN: dict[str, str] = {
    "person": "person, human, adult, individual, friend, stranger, bystander, tourist, photobomber, cousin, "
    "photographer, pedestrian, player, swimmer, surfer, skier, runner, dancer, cyclist, worker, guest, "
    "teenager, ex, hiker, cameraman, fisherman, athlete, passenger, sunbather, umpire, referee, priest, nun, "
    "niece, nephew, coach, backpacker, golfer, biker, jogger, singer, musician, soldier, student, teacher, "
    "officiant, pastor, officer, cop, security guard, snowboarder, skateboarder, climber, rider",
    "man": "man, dude, gent, gentleman, male, groom, brother, father, dad, husband, grandpa, grandfather, "
    "uncle, boyfriend, son, bloke, waiter",
    "woman": "woman, female, bride, sister, mother, mom, wife, girlfriend, daughter, grandma, grandmother, "
    "aunt, waitress, bridesmaid",
    "guy": "guy",
    "lady": "lady",
    "girl": "girl",
    "boy": "boy",
    "child": "child, toddler",
    "kid": "kid",
    "baby": "baby, infant",
    "dog": "dog, puppy",
    "cat": "cat, kitten",
    "bird": "bird, duck, goose, seagull, gull, pigeon, parrot, owl, eagle, swan",
    "horse": "horse, pony",
    "sheep": "sheep, lamb",
    "cow": "cow, bull",
    "elephant": "elephant",
    "bear": "bear, polar bear, grizzly bear, grizzly",
    "zebra": "zebra",
    "giraffe": "giraffe",
    "animal": "animal",
    "pet": "pet",
    "car": "car, automobile, sedan, taxi, cab, police car, sports car, race car",
    "van": "van, minivan, suv, jeep",
    "truck": "truck, lorry, semi, semi truck, semi trailer, tractor trailer, pickup truck, dump truck, "
    "garbage truck, delivery truck, tow truck, fire truck",
    "bus": "bus, school bus, tour bus, coach bus",
    "vehicle": "vehicle",
    "motorcycle": "motorcycle, motorbike, scooter, moped",
    "bicycle": "bicycle",
    "bike": "bike",
    "airplane": "airplane, aeroplane, plane, jet, aircraft, seaplane",
    "train": "train",
    "boat": "boat, ship, sailboat, yacht, canoe, kayak, ferry, rowboat, speedboat, motorboat, fishing boat, "
    "cruise ship",
    "traffic light": "traffic light, stoplight",
    "fire hydrant": "fire hydrant, hydrant",
    "stop sign": "stop sign",
    "parking meter": "parking meter",
    "bench": "bench",
    "backpack": "backpack, rucksack",
    "umbrella": "umbrella, parasol",
    "handbag": "handbag, purse",
    "bag": "bag",
    "suitcase": "suitcase",
    "ball": "ball, football, basketball, soccer ball, baseball, beach ball, volleyball",
    "kite": "kite",
    "frisbee": "frisbee",
    "snowboard": "snowboard",
    "skateboard": "skateboard, skate board, skate",
    "surfboard": "surfboard",
    "tennis racket": "tennis racket, racket",
    "baseball bat": "baseball bat",
    "bottle": "bottle, beer bottle, water bottle, wine bottle",
    "wine glass": "wine glass",
    "cup": "cup, mug, coffee cup, coffee mug, paper cup, teacup",
    "fork": "fork",
    "knife": "knife",
    "spoon": "spoon",
    "bowl": "bowl",
    "banana": "banana",
    "apple": "apple",
    "sandwich": "sandwich",
    "broccoli": "broccoli",
    "carrot": "carrot",
    "hot dog": "hot dog",
    "pizza": "pizza",
    "donut": "donut, doughnut",
    "cake": "cake, birthday cake",
    "chair": "chair, armchair",
    "couch": "couch, sofa",
    "plant": "potted plant, houseplant, plant pot",
    "bed": "bed",
    "table": "table, dining table",
    "toilet": "toilet",
    "tv": "tv, television, tv set",
    "laptop": "laptop, laptop computer",
    "computer": "computer",
    "keyboard": "keyboard",
    "phone": "phone, cell phone, cellphone, mobile phone, smartphone, iphone",
    "microwave": "microwave, microwave oven",
    "refrigerator": "refrigerator, fridge",
    "book": "book",
    "clock": "clock",
    "vase": "vase",
    "teddy bear": "teddy bear, stuffed bear",
}
"""What the engine's detector finds without a box: words for one, by the noun of a plan."""
ALL_PEOPLE = ("persons", "everyone", "crowd", "couple")
"""More words for people in the plural."""
PARTS: dict[str, str] = {
    "T-shirt": "t shirt, t-shirt, tshirt, tee shirt, tee",
    "shirt": "shirt, dress shirt, polo shirt, polo",
    "blouse": "blouse",
    "sweater": "sweater, pullover, jumper, sweatshirt",
    "hoodie": "hoodie",
    "jersey": "jersey",
    "top": "tank top, crop top",
    "jacket": "jacket, leather jacket, suit jacket, winter jacket",
    "coat": "coat, overcoat, trench coat, winter coat",
    "blazer": "blazer",
    "cardigan": "cardigan",
    "dress": "dress, wedding dress",
    "suit": "suit",
    "gown": "gown",
    "clothes": "clothes, clothing, garments",
    "outfit": "outfit",
    "costume": "costume",
    "uniform": "uniform",
    "hair": "hair, hairs",
    "fur": "fur",
    "teeth": "teeth",
    "flower": "flower",
    "flowers": "flowers, wildflowers, flower bed, flowerbed, flower beds, flowerbeds",
    "rose": "rose",
    "roses": "roses",
    "petals": "petals, flower petals",
    "blossoms": "blossoms, blossom",
    "tulips": "tulips",
}
"""What is told by its place and colors, in people's words, by the noun of a plan; "fur" is an animal's."""
HAIR_COLORS = {"blonde": "blonde", "blond": "blonde", "ginger": "ginger", "auburn": "auburn"}
"""Colors that only hair has, in people's words."""

_WORN = """
apron armband bandana beanie belt blazer blouse bonnet boot booties boots bowtie bra bracelet bracelets cap
cape cardigan clothes clothing coat costume crown dress earring earrings eyeglasses fur glove gloves
goggles gown hat headband headphones headpiece headscarf headset helmet helmets hijab hoodie jacket jackets
jeans jersey jewelry jumper jumpsuit kimono lanyard leggings mask mittens necklace necklaces outfit overalls
pajamas pants piercing pullover ring rings robe romper sandals sash scarf shawl shirt shirts shoe shoes
shorts skirt slippers sneakers sock socks suit suits sunglasses suspenders sweater sweatpants sweatshirt
swimsuit tie tights trousers turban tutu tuxedo undershirt uniform veil vest watch wig wristband
"""
WORN = frozenset((*_WORN.split(), "t shirt", "t-shirt", "tank top", "crop top", "dress shirt"))
"""What belongs to whoever has it on, and stays with them when all around them goes."""
_HELD = """
artwork axe backpack badge bag ball ballon balloon balloons baseball basket bat beads bonnet book books
bouquet bow bowl box briefcase brush butterflies butterfly camera candle candles cane card cards cigarette
clipboard collar cup cutlery design document documents drink drinks emblem fan flag flower flowers folder
fork frosting glass glasses guitar gun hammer hand handbag harness headlight horns instrument ipad keyboard
knife laptop leash letter logo luggage magazine makeup microphone mouse mug napkin newspaper notebook object
pacifier paddle paper papers patty pen pencil phone pipe plate pole prop purse racket reins rifle rod rope
rose roses saddle saw sheet shield skateboard skin skis sleeve smartphone snowboard spear staff stick
sticker stickers suitcase surfboard sword swords symbol tablet tattoo teddy tool tools toy toys tray trophy
umbrella violin wallet wand whistle windshield wine
"""
HELD = frozenset(_HELD.split())
"""What is held, or lies with what the photo is of, and stays with it, too."""
