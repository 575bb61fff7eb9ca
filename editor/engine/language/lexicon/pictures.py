"""The drawn pictures of the emoji font, by people's words for one of them."""

from collections.abc import Iterator
from typing import NamedTuple

from editor.engine.kinds import plural_of

_PICTURES = """
🐕 dog, puppy, doggy, doggie, hound, beagle, labrador, husky, bulldog | 🐩 poodle
🐈 cat, kitten, kitty | 🐎 horse, pony, stallion | 🐄 cow, cattle | 🐂 ox, bull | 🐃 buffalo, bison
🐖 pig, piglet | 🐗 boar, wild boar | 🐑 sheep, lamb | 🐏 ram | 🐐 goat | 🐪 camel | 🦙 llama, alpaca
🦒 giraffe | 🐘 elephant | 🦏 rhino, rhinoceros | 🦛 hippo, hippopotamus | 🐁 mouse | 🐀 rat
🐹 hamster, guinea pig | 🐇 rabbit, bunny, hare | 🐿️ squirrel, chipmunk | 🦔 hedgehog | 🦇 bat
🐻 bear, brown bear, grizzly | 🧸 teddy bear, teddy, stuffed animal | 🐨 koala | 🐼 panda | 🦥 sloth
🦦 otter | 🦨 skunk | 🦘 kangaroo | 🦡 badger | 🦃 turkey | 🐔 chicken, hen | 🐓 rooster
🐤 chick, baby bird | 🐦 bird, sparrow, robin | 🐧 penguin | 🕊️ dove, pigeon | 🦅 eagle, hawk, falcon
🦆 duck | 🦢 swan | 🦉 owl | 🦩 flamingo | 🦚 peacock | 🦜 parrot | 🪿 goose | 🐸 frog, toad
🐊 crocodile, alligator | 🐢 turtle, tortoise | 🦎 lizard, gecko | 🐍 snake | 🐉 dragon
🦕 brontosaurus | 🦖 dinosaur, t-rex, t rex, tyrannosaurus | 🐳 whale | 🐬 dolphin | 🦭 seal | 🐟 fish
🐠 tropical fish, goldfish | 🐡 blowfish | 🦈 shark | 🐙 octopus, squid | 🐚 seashell, shell | 🪸 coral
🪼 jellyfish | 🦀 crab | 🦞 lobster | 🦐 shrimp | 🐌 snail | 🦋 butterfly, moth | 🐛 caterpillar, worm
🐜 ant | 🐝 bee, honeybee, bumblebee, wasp | 🪲 beetle, bug | 🐞 ladybug, ladybird | 🦗 cricket
🕷️ spider | 🕸️ spider web, spiderweb, cobweb | 🦂 scorpion | 🦟 mosquito | 🪰 fly | 🦁 lion | 🐅 tiger
🐆 leopard, cheetah, jaguar | 🐺 wolf | 🦊 fox | 🦝 raccoon | 🦌 deer, reindeer, stag | 🦄 unicorn
🦓 zebra | 🐒 monkey | 🦍 gorilla | 🦧 orangutan | 🫏 donkey | 🫎 moose, elk
🐾 paw print, paw, pawprint | 🪶 feather | 💐 bouquet, bouquet of flowers, flower bouquet
🌸 flower, cherry blossom, blossom | 🌹 rose, red rose | 🌺 hibiscus | 🌻 sunflower | 🌼 daisy
🌷 tulip | 🪷 lotus | 🪻 hyacinth, lavender | 🌱 seedling, sprout, sapling
🪴 potted plant, plant, houseplant, flower pot, flowerpot
🌲 pine tree, evergreen tree, evergreen, fir tree, pine | 🌳 tree, oak, oak tree
🌴 palm tree, palm, coconut tree | 🌵 cactus | 🌾 wheat | 🌿 herb, fern
🍀 clover, shamrock, four leaf clover | 🍁 maple leaf | 🍂 fallen leaf, autumn leaf, fall leaf
🍃 leaf, green leaf | 🍄 mushroom, toadstool | 🍇 grape | 🍈 melon | 🍉 watermelon
🍊 tangerine, mandarin | 🍋 lemon | 🍌 banana | 🍍 pineapple | 🥭 mango | 🍎 apple, red apple
🍏 green apple | 🍐 pear | 🍑 peach | 🍒 cherry | 🍓 strawberry | 🫐 blueberry | 🥝 kiwi | 🍅 tomato
🥥 coconut | 🥑 avocado | 🍆 eggplant | 🥔 potato | 🥕 carrot | 🌽 corn, corn cob
🌶️ chili, chili pepper, hot pepper | 🫑 bell pepper | 🥒 cucumber | 🥦 broccoli | 🧄 garlic | 🧅 onion
🥜 peanut | 🍞 bread, loaf of bread | 🥐 croissant | 🥖 baguette | 🥨 pretzel | 🥯 bagel | 🥞 pancake
🧇 waffle | 🧀 cheese | 🍗 chicken leg, drumstick | 🥩 steak | 🥓 bacon
🍔 burger, hamburger, cheeseburger | 🍟 french fry, fries | 🍕 pizza, slice of pizza, pizza slice
🌭 hot dog, hotdog | 🥪 sandwich | 🌮 taco | 🌯 burrito | 🥚 egg | 🍳 fried egg, frying pan
🥗 salad, bowl of salad | 🍿 popcorn, bucket of popcorn | 🍚 bowl of rice | 🍜 noodle
🍝 spaghetti, pasta | 🍣 sushi | 🍤 fried shrimp | 🍦 ice cream, ice cream cone | 🍨 bowl of ice cream
🍩 donut, doughnut | 🍪 cookie, biscuit | 🎂 cake, birthday cake
🍰 slice of cake, piece of cake, cake slice | 🧁 cupcake, muffin | 🥧 pie | 🍫 chocolate, chocolate bar
🍬 candy, sweet | 🍭 lollipop | 🍯 honey pot, jar of honey | 🍼 baby bottle | 🥛 glass of milk
☕ coffee, coffee cup, cup of coffee, coffee mug, cup, cup of tea, mug | 🫖 teapot
🍾 champagne bottle, bottle of champagne, champagne | 🍷 wine glass, glass of wine, wine | 🍸 martini
🍹 cocktail, tropical drink | 🍺 beer, beer mug, mug of beer, glass of beer | 🥤 soda, soft drink
🧋 bubble tea | 🍽️ plate, dinner plate | 🍴 fork and knife, cutlery | 🥄 spoon
🔪 knife, kitchen knife | 🏺 vase, amphora | 🌍 globe, planet earth, earth
🏔️ snowy mountain, snow capped mountain | ⛰️ mountain | 🌋 volcano | 🏝️ desert island, island
🏰 castle | 🏠 house, hut, cottage, cabin | 🏢 office building, skyscraper | ⛪ church | 🗼 tokyo tower
🗽 statue of liberty | ⛺ tent | ⛲ fountain | 🎡 ferris wheel | 🎢 roller coaster, rollercoaster
🎠 carousel | 🎪 circus tent | 🚂 train, steam train, locomotive | 🚌 bus, school bus | 🚑 ambulance
🚒 fire truck, fire engine | 🚓 police car | 🚕 taxi, cab | 🚗 car, automobile, red car
🚙 suv, jeep, blue car, van | 🛻 pickup, pickup truck | 🚚 truck, lorry, delivery truck | 🚜 tractor
🏎️ race car, racing car, sports car | 🏍️ motorcycle, motorbike | 🛵 scooter, moped, vespa
🚲 bicycle, bike | 🛴 kick scooter | 🛹 skateboard | 🚢 ship, cruise ship
⛵ boat, sailboat, sailing boat, sailing ship, yacht | 🛶 canoe, kayak | 🚤 speedboat, motorboat
⚓ anchor | ✈️ plane, airplane, aeroplane, aircraft, jet | 🚁 helicopter | 🚀 rocket, rocket ship
🛸 ufo, flying saucer, spaceship | 🛰️ satellite | 🪂 parachute | 🚦 traffic light
🚧 construction barrier | ☀️ sun | 🌞 sun with a face, smiling sun | 🌙 moon, crescent moon, crescent
🌕 full moon | ⭐ star | 🌟 glowing star | 🪐 saturn, planet | 🌠 shooting star | ☁️ cloud
⛅ sun behind a cloud | 🌈 rainbow | ⚡ lightning bolt, lightning | 🌪 tornado, whirlwind
🌊 wave, ocean wave | 💧 drop, water drop, droplet, raindrop, drop of water | ❄️ snowflake | ⛄ snowman
☄️ comet, meteor, asteroid | 🔥 fire, flame, campfire | ☂️ umbrella
⛱️ beach umbrella, parasol, sun umbrella | 🎃 pumpkin, jack-o-lantern, jack o lantern
🎄 christmas tree, xmas tree | 🎅 santa, santa claus, father christmas | 🤶 mrs claus | 👻 ghost
💀 skull | 👽 alien | 🤖 robot | 🤡 clown, clown face | 👹 ogre, monster | 👿 devil | 👼 angel
🧚 fairy | 🧙 wizard, witch | 🧛 vampire | 🧟 zombie | 🧜 mermaid | 🧞 genie | 🦸 superhero | 🥷 ninja
👸 princess | 🤴 prince | 👶 baby | 🎈 balloon, red balloon | 🎉 party popper | 🎊 confetti ball
🎁 gift, present, gift box | 🎀 bow, ribbon | 🎆 firework | 🎇 sparkler | 🏮 lantern, paper lantern
🕯️ candle | 💡 light bulb, lightbulb, bulb | 🔦 flashlight, torch | 🏆 trophy, trophy cup
🥇 gold medal, medal | 🏅 sports medal | ⚽ soccer ball, ball | 🏀 basketball
🏈 football, american football | ⚾ baseball | 🎾 tennis ball | 🏐 volleyball | 🏓 ping pong paddle
🏸 shuttlecock | 🥊 boxing glove | 🎳 bowling ball | ⛳ golf flag | 🪁 kite | 🎯 dartboard, target
🎮 game controller, controller | 🎲 die, dice | 🧩 puzzle piece | 🪅 pinata | 🎨 palette, paint palette
🎸 guitar, electric guitar | 🎹 piano, piano keyboard | 🎺 trumpet | 🎻 violin | 🎷 saxophone | 🥁 drum
🎤 microphone, mic | 🎧 headphone, headphones, headset | 🎵 music note, musical note, note | 📷 camera
🎥 movie camera | 📺 tv, television | 💻 laptop, computer
📱 phone, smartphone, cell phone, mobile phone | ⌚ watch, wristwatch | ⏰ alarm clock, clock
⏳ hourglass | 📖 book, open book | ✏️ pencil | 🖊️ pen | 📌 pushpin, pin | ✂️ scissors | 🔑 key
🗝️ old key | 🔒 lock, padlock | 🔨 hammer | 🪓 axe | 🔧 wrench | 🪚 saw | 🪜 ladder
🧰 toolbox, tool box | 🧲 magnet | 🔭 telescope | 🔬 microscope | ⚙️ gear, cog | 🛡️ shield
⚔️ swords, crossed swords | 🏹 bow and arrow | 🗡️ sword, dagger | 💣 bomb | 💥 explosion
🪄 magic wand, wand | 🔮 crystal ball | 💎 diamond, gem, jewel | 💍 ring, diamond ring | 👑 crown, tiara
🎩 hat, top hat, tophat, black hat | 👒 sun hat, straw hat, sunhat | 🧢 cap, baseball cap
🎓 graduation cap, graduation hat, mortarboard | 🪖 helmet, army helmet
👓 glasses, eyeglasses, pair of glasses, spectacles
🕶️ sunglasses, pair of sunglasses, shades, dark glasses | 🥽 goggles, ski goggles | 👗 dress
👕 t-shirt, tshirt, shirt | 👖 jeans | 🧥 coat, jacket | 🧣 scarf | 🧤 glove, gloves | 🧦 sock, socks
👙 bikini | 👔 necktie, tie | 👜 handbag, purse, bag | 🎒 backpack, rucksack | 🧳 suitcase, luggage
👟 sneaker, running shoe, shoe | 👠 high heel | 👢 boot, boots | 💄 lipstick
💋 kiss, lips, lipstick mark, kiss mark | 👀 eyes, pair of eyes | 👃 nose | 👅 tongue | 👄 mouth
👣 footprint | 🧠 brain | 🦴 bone | 🦷 tooth | 💪 flexed biceps, muscle | 👋 waving hand
❤️ heart, red heart | 💔 broken heart | 🪑 chair | 🛋️ couch, sofa | 🛏️ bed | 🚪 door | 🪟 window
🪞 mirror | 🛁 bathtub | 🚽 toilet | 🧺 basket, picnic basket | 🗑️ trash can, wastebasket | 🧹 broom
🪣 bucket | 🧼 soap, bar of soap | 📦 cardboard box, package, parcel | ✉️ envelope, letter
💵 banknote, dollar bill | 💰 bag of money, money bag | 🪙 coin, gold coin | 💸 flying money
💩 poop, pile of poop | 🚩 red flag, flag | 🏁 checkered flag | ☠️ skull and crossbones
🪦 gravestone, tombstone | ⚰️ coffin | 🗿 moai, easter island head | 🚴 cyclist | 🏄 surfer
💃 dancer, dancing woman | 🕺 dancing man
"""


def _named() -> Iterator[tuple[str, str]]:
    for entry in _PICTURES.strip().replace("\n", "|").split("|"):
        picture, names = entry.strip().split(" ", 1)
        yield from ((name, picture) for name in names.split(", "))


def _words(name: str) -> tuple[str, ...]:
    return tuple(name.replace("-", " ").split())


class Picture(NamedTuple):
    """A picture, its name for one of it, and whether the words mean several."""

    emoji: str
    name: str
    is_several: bool


_SEVERAL = {_words(plural_of(name)): Picture(emoji, name, True) for name, emoji in _named()}
PICTURES = _SEVERAL | {_words(name): Picture(emoji, name, False) for name, emoji in _named()}
"""What the words of a name, in lower case, stand for."""
LONGEST_NAME = max(map(len, PICTURES))
DRAWN_KINDS = frozenset({"emoji", "emojis", "sticker", "stickers", "clipart", "icon", "icons", "doodle"})
"""How a drawn picture is asked for behind its name, or before it."""
DRAWN_BEFORE = DRAWN_KINDS | {"cartoon", "drawn", "drawing", "illustration"}
"""The same, only before it: "cartoon dog", "drawing of a dog"."""
