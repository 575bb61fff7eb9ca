"""The small words: what joins and forbids, what is mere courtesy, what is no misspelling, what is foreign."""

from editor.engine.language.lexicon.roles import Role

ABOVE = frozenset({"above"})
BELOW = frozenset({"below", "under", "underneath", "beneath"})
BESIDE = frozenset({"next to", "beside", "near", "alongside", "close to"})

COMMON = """
adopt about above after again ago all almost already always another around back bad bar bare bars base basic
because been before began behind being below best beside between beyond bore bold both brand break bring
broke brought brown brush business call came care carry case chance change chest chip choose circle class
clean climb close cloth cloud coast coin come cost count cover crash crazy cream crew cross cry cup curl
cut dance date day days dead deal dear deck died dirt does done door down draw drive drop each early earth
east easy eat edge else empty end enough even ever every extra fact fade fail fair fall false fame fast
fear feed feel fell few file film final find fine finish firm first fit five flap flat float flow fly fold
folk follow fool force forever form found free fresh friend front full fun funny game gave gift girl glad
goes going gone grade grand great grew group grow guess half hall hang happy hard has hate have he heart
held hello help here hide high hold hole home hope hour how huge hurt idea inside iron job join jump just
keep key kind king knew know land lane large last late later laugh law lay lead learn left less let lie
life lift like list live load local lock long look lose lost loud love low luck lucky luxury main make
many map mark mate matter may maybe mean meet memory mind mine miss month more most move much music must
nail name near need never news next night north note now odd off often old once onto open order other over
own pack page paid pain pair park pass past pay peace perfect pick place plan play please point poor
possible pray press pretty print prize prove pull push quick quiet rate raw reach read ready real reason
recent recently rest rice rich ride right rise role roll root round rule run rush safe said sail sale same
save saw say school seat see seed seem seen self sell send sense sent serve set seven shape share shave
shell shift shoot shop shore short show shut sick side sight silly sing sister sit six size sleep slow
small smart smell smile snap social sold solid somehow soon sort soul sound south speak speed spend spent
spin sport spread spring stage stair stand start state stay steal steel step stick still stock stop store
storm story strange stream stress strike strong such surf sweet swim table tag tail take talk tall task
taste teach team tell test than their then there they thick thin think those thought three through throw
tie tight time tiny tired today told tone took tool top touch town trace track trade trail travel treat
trick tried trip true trust try tube tune type ugly under until upon used usual vary version vet view
visit voice vote wait wake walk want warn wash waste wave wear wedding week well went were west what wheel
when where which while who whole whose why wide wild will win wind wing winter wish with wood word work
world worn worry worth would write wrong yard year years yes yet young your youth lame lime line link lion
liner pore port poem post polo pool poll blue-ray blow blown bloom blank blame black's brass bride broad
bread breed brief brick bright-eyed darling darn dart daring lightning lighthouse fighter writer minor
mayor razor sharpie shaker shower shorter shouter boost's covered colder cropper cooker cover collar
warden warrior farmer former summer winter spring autumn saturday sunday monday tuesday wednesday thursday
friday january february contest context content contact contract concert comment comments bluff blunt
width height wider higher size bigger
blurb blush clerk cleat claim decor faucet invent insect invest rotten rotate's remote remove's remake
resist reside result raise's adult addon odd flipper slip flop dim-sum reader border's
product products produce project projects projected distance presence stroller racket given sequence
transfer transport sandy grassy leaning imported bleached advanced structure structures structural creative
figures healing heating remains remain correctly feather feathers restrained naturally classical collection
brilliance reaction reindeer reindeers ballroom heartily connected boulder boulders section sections
complexity president staff recovery recover caution returning stretched scouting congested rotting cruising
planter planters cleaner cleaners conveying listening patient patients charging receive receives
presentation presentations brochure creature creatures highlighter sprinting roosting exploding headphone
headphones cannon laser lasers shining shines peeking twin twins skier skiers cart carts crate crates deer
frog frogs swan swans golf golfer bat bats crown clown clowns batter pitcher catcher wool leather linen
plaid denim silk velvet lace cotton maze event events pine palm tile tiles palace booth slide stage theme
prop props cape robe robes grape grapes grave graves pig pigs cute mood tough blond blonde blend creamy
factor designing witch wizard sole prose soap cane plum woven alloy alien skate skater skates carton pup
pups kiss bald memories
child's barn bank noon neon drip spit crash yarn quilt vest veil crowd pony ponies puppet ladder lantern
lanterns ribbon ribbons saddle helmet helmets hammer needle paddle peacock penguin pigeon pillow pillows
pumpkin pumpkins rabbit rabbits raccoon rocket rooster sailor scooter shovel skull snail spider squirrel
statue statues stream suitcase surfboard sweater swing tractor trailer trumpet tunnel turtle twig vine
violin wagon waiter walnut whale wheat willow wolf zebra zipper actor angel ankle anchor apron arch arrow
artist attic author award axe bacon badge bagel barber barrel beaver bell bench berry blade blanket blouse
bowl boxer brake brush bubble bubbles buckle buffalo bull bunny burger butcher button cabin cactus camel
canal canoe carrot castle cattle cave cello chain chalk cheese chef cherry chest chicken chimney cigar
circus cliff cloak closet clover coach cobra cocktail coffee coin comet compass cookie copper coral corn
cottage couch cowboy cradle crater crib crystal cupcake curb dagger daisy dentist desert diamond diaper dice
dinner dish diver dolphin donkey donut dragon drawer dress dresser driver eagle easel eel elbow elf emblem
engine envelope falcon farm fence fern ferry fiddle flute foam fossil fountain fox freezer fur garlic gem
ghost giraffe glacier globe glove gorilla gown grain grill groom guard gull gutter hail hallway hamster
harbor harp hawk hay hen hippo hockey hood hoof horn hound igloo insect jaguar jar jelly jewel judge juice
jungle kayak kettle kiosk kite kiwi knight knot koala lab label lawyer lemon lens lettuce lighter lime
limousine lizard lobster locker log lotus mango map maple marble market mast meadow meal medal melon mermaid
meteor milk mirror mitten model monkey moss moth motor mug mule muscle museum mushroom nanny napkin nurse
oak oar oasis octopus olive onion orchard orchid ostrich otter oven owl ox oyster paint panda panel panther
parade parrot pasta pastry patio peach peanut pear pearl peas pelican pepper petal phoenix piano pickle
picnic pier pilot pirate pizza planet plaza pod pot potato pretzel prince princess prison pub puddle pyramid
queen radio raft ranch rat raven reef ribs rider rifle ring river road robin robot rod rope ruby ruler sack
salad salmon salt sauce sausage saw scale scene school scout seal seat shark shed sheep shelf shell ship
shrimp sink skirt sled sleeve slipper slope smile snake sneaker sock soda soldier soup spark spear sponge
spoon stadium stair stamp steak stem stone stool stork stove straw stripe studio submarine suit swamp sword
syrup tail tank tap taxi teapot temple tennis tent thief thread throne thumb tiger toad toast toilet tomato
export exported exporting upload uploaded attachment flash defect
tongue torch towel tower toy track train tray treasure triangle tripod trophy trunk tub tulip turkey tuxedo
unicorn urn van villa volcano vulture waffle wall wallet wand washer wasp waterfall web whistle wig wire
wrist yacht yard yogurt shall doing dying drew drawn worth lotion photoshoot photoshoots photobooth lads
surrounding bought wrote ruin ruins ruined ruining photographed morning photoshoppers
lasses fellas chaps tattered shattered scattered shiny shrine shrink mines racing
"""

CONNECTIVES: dict[Role, str] = {
    Role.AND: "and, &, /, and/or, plus, as well as, along with, n, together with, nd, adn, abd",
    Role.THEN: "then, and then, after that, also, and also, next, afterwards, finally, additionally, "
    "lastly, in addition, "
    "while also, while, whilst, plus also, first of all, secondly, but also, and please, and just, as well",
    Role.BUT: "but, however, though, yet",
    Role.NOT: "not, without, arent, isnt, doesnt, didnt, wasnt, cant, wont, couldnt, don't, dont, do not, "
    "doesn't, never, isn't, avoid, won't, without being, shouldn't, "
    "can't, cannot, "
    "none, neither, nor, rather than, instead of, unless, no longer, stop, didn't, aren't, wasn't, hardly",
    Role.NO: "no, zero",
    Role.EXCEPT: "except, except for, other than, apart from, aside from, besides, everything but, "
    "everything except, "
    "all expect, everything expect, expect for, accept for, everything accept, "
    "everything accept for, everything except for, nothing but, nothing except, all except, all except for, "
    "all but, excluding, save for, but not",
    Role.MODERATE: "but not too much, not too much though, just not too much, but not by too much, "
    "but not a lot, "
    "but not by much, without overdoing it, don't overdo it, do not overdo it, but don't overdo it, "
    "don't overdo, dont overdo it, don't go overboard, but don't go overboard, do not go overboard, "
    "don't go crazy, but keep it subtle, keep it subtle, nothing too dramatic, nothing too drastic, "
    "nothing too crazy, nothing too extreme, not too crazy, but not too dramatically, but not drastically, "
    "but not dramatically, but not too drastically, but don't go too far, don't go too far, "
    "but not overly so, nothing drastic, nothing dramatic, not too heavy handed, but not extremely, "
    "without overexposing it, "
    "without overexposing, without over exposing it, without overexposing the photo, "
    "without blowing out the highlights, without blowing it out, without blowing out the sky, "
    "without washing it out, without washing out the colors, without making it too bright, "
    "without going overboard, without making it look fake, without making it look unnatural, "
    "but keep it natural, keep it natural, but keep it natural looking, but keep it looking natural, "
    "but still natural looking, but still natural, while keeping it natural, but make it look natural, "
    "don't make it look fake, but don't make it look fake, but not fake looking, but keep it realistic",
    Role.WITHOUT: "without changing, without touching, without affecting, without altering, "
    "without losing, without forgoing, without reducing, without compromising, without degrading, "
    "without sacrificing, don't change, "
    "don't touch, do not change, do not touch, dont change, dont touch, don't alter, don't affect, "
    "not changing, "
    "while keeping, while leaving, while preserving, but keep, but leave, not touching, without modifying, "
    "don't modify, without editing, don't edit, do not edit, do not alter, without blurring, "
    "without darkening, "
    "without brightening, don't blur, do not blur, don't brighten, don't darken, and keep, and leave",
    Role.PURPOSE: "so that, such that, so it, so you, so everyone, so everything, so we can, so as, "
    "enough so, in hopes to, "
    "in hopes of,  so i, so we, so the, so they, in order to, because, so as to, "
    "so my, so her, "
    "to the extent that, to the extend that, to the point that, to the point where, "
    "since, so his, so people, to help, to show, to see, to better see, to reveal, "
    "to make this look, to make it look, to make this a, to make it a, so it's",
    Role.PREPOSITION: "of, in, on, atop, to, for, from, at, with, by, into, onto, around, across, "
    "throughout, "
    "over, as, inside, "
    "within, behind, off, out, up, down, off of, out of, away, above, below, under, beside, next to, "
    "near, against, "
    "in front of, between, along, through, towards, toward, than, like, wearing, holding, standing, "
    "sitting, who, "
    "which, where, when, beneath, about, after, before, if",
    Role.DETERMINER: "the, a, an, my, your, our, his, their, those, any, her",
    Role.BE: "has been, have been, had been, been, gets, "
    "is, are, looks, appears, seems, was, were, came out, turned out, becomes, feels",
    Role.MORE: "more, extra, additional, higher, greater, stronger, even more, better",
    Role.LACKING: "too little, way too little, far too little, a bit too little, not enough, insufficient, "
    "lacks, lacking",
    Role.LESS: "less, fewer, lower, not so, not as, not too, weaker",
    Role.TOO: "too, overly, too much, way too, a bit too, a little too, far too, a little bit too, "
    "so very, excessively, excessive, a bit too much, a little too much, a tad too much, slightly too much, "
    "way too much, far too much, a little bit too much, just too much, much too",
}

FILLER = """
excess, please, pls, plz, plese, kindly, could some please, can some please, hoping you guys could,
hoping someone could, hoping you could, hoping someone can, can, could, would, will, should, can you,
could you, would you, you,
someone, somebody, anyone, anybody, one of you, i, i'd, i'm, we, want, wants, wanted, need, needs, needed,
want you to, would like, would love, i'd like, id like, id like to, i'd like to, i would like to, i would
love, would like to,
is possible to, while keeping the content the same, while keeping the content, without changing the content,
use the color tool to, use the color tool and, use an adjustment layer to, use adjustment layers to,
want to, need to, needs to, needs to be, should be, shall be,
ought to be, must be, has to be, have to be, is to be, are to be,
on this one, for better quality, for a better quality, for better image quality,
to be, able to, be able to, help me,
help me to, help
me out, help, for me, hi, hello, hey, guys, guys!, folks, thanks, thank you, thank you so much, thank you
very much, thanks in advance, thank you in advance, thanks so much, thanks a lot, thx, ty, cheers, in
advance, appreciated, much appreciated, would be appreciated, greatly appreciated, would be greatly
appreciated, i appreciate it, any help is appreciated, many thanks, if possible, if you can, if it's
possible, if it is possible, just, only, simply, try to, try, maybe, perhaps, possibly, possible, possible
to, is it possible to, would it be possible to, it would be great if, it would be nice if, would be great,
would be grateful, would be grateful if, i'd appreciate it, would appreciate it, it'd be great if, go
ahead and, feel free to, let's, lets, let us, so, well, actually, basically, again, there, such, have,
having, has, to look, look, be, being, looking, become, appear, appearing, to become, thank, thanks!,
everybody, all right, okay, ok, yo, dear, sir, there's, this time, for this, with this, quickly, quick,
easy, do, does, did, go, some kind of, kind of, sort of, a kind of, good people, kind soul, reddit, here
is, here's, that would be great, that'd be great, asap, urgent, overall, me to, us to, in general, apply a
filter to, using, use of, i think, i feel like,
at all, somehow, the amount of, amount of, the level of, level of,
levels of, the overall, can i, may i, can i get, can i have, could i get, could i have, can we, could we,
i want, i need, we need, we want, i wish, be so kind as to, will you, would someone, could someone, can
someone, can anyone, could anyone, can somebody, could somebody, like to, love to, love it if, seem, seems,
really
appreciate it, it'd be, would be, i'll, you to, talented, kind, sorry, ready, effectively, carefully,
appropriately, accordingly, properly, uniformly, evenly, throughout, all over, across the board, in the
process, hey guys, give me, get me, send me, show me, hi guys, hi all, hello all, hey everyone, hi
everyone, hello everyone, the following, as follows, wondering if, i was wondering if, was wondering if,
any help, any help would be appreciated, your help, for your help, for your time, for helping, solid,
plain, pure, edit photo to, edit this photo to, edit the photo to, edit this picture to, edit this to,
photoshop this to, edit my photo to, edit the picture to, edit image to, edit the image to, edit picture
to, would mind, you mind, mind, would you mind, do you mind, does anyone mind, does someone mind, is it
possible for
someone to, would it be possible for someone to, be possible for someone to, possible for someone to,
possible for
you to, is it possible for you to, is anyone able to, anyone able to, is there anyone who can, is there a
way to, is
there any way to, is there anyway to, any way to, any chance, any chance someone could, any chance of, it
would be
great if someone could, it would be awesome if, it would be awesome if someone could, it would be amazing
if, it would
be cool if, would be awesome if, would be amazing if, would be nice if, i would love if, i'd love if, i'd
love for, i
would love for, i would like for, i'd like for, would like for, like for you to, for you to, for someone to,
someone
to, some one, any one, any1, some1, may you, i desperately need, desperately need, desperately, attempt to,
attempt,
pretty please, one of you wizards, any of you, wizards, u, ya, y'all, gonna, wanna, want someone to, need
someone to,
need help, i need help, need some help, need help with, help with, some help, help please, please help,
please help me, please help me to, help us, please help me out, please help me out by, help me out,
help us out, help me out by,
willing to, be willing to, anyone willing to, is anyone willing to, who can, who could, how about, as best
you can, as
best as possible, as best as you can, the best you can, best you can, do your best to, in order, try and,
awash with, a wash with, awash in, shining brightly,
try make, i
just want, just need, looking to, looking for someone to, looking to have, would like to have, would love to
have,
would like to see, would love to see, like to see, love to see, like to have, love to have, want to have,
want to
see, to have, it to be, them to be, to get, it to look, able, allow, allow for, so much, this once, a bunch,
probably, totally just, certainly, definitely, obviously, clearly just, literally, honestly, of course, also
just,
and also please, in the image please, as needed, where needed, if needed, as necessary, if necessary, where
possible,
simple, basic, at least, by at least, problem, problems, issue, issues, i have a request for, i have a
request to, a request for, request for, is anybody able to, is somebody able to, is someone able to, anybody
able to, is there anything you can do to, is there anything you guys can do to,
is there any hope to, is it even possible to, anything you can do to, would someone be able to, is there any
chance
you could, is there any chance someone could, i was hoping someone could, hoping someone can, i hope you
can, appreciate, hopefully, ideally, preferably, especially just, overall just, current, existing,
request to, requesting to, a request, request, request for someone to, simple one, easy one, quick one,
simple one here, even a little, even a bit, even a little bit, is it possible, is this possible,
is that possible, na, n/a,
levels, level, setting, settings, value, values, slider, s, 's, d, version of,
photoshop wizards, photoshop wizard, some of you, talented people, lovely people, fine folks, fine people,
kind person, kind people, kind souls, nice person, wonderful person, talented person, talented folks,
wonderful people, amazing people, any kind soul, kinda, even just, as a whole, on the whole, etc, and so
on, may
need to be, may need to, might need to be, might need to, add
layers to, add many layers to, already, still, automatically, effortlessly, if someone could, if someone
can, if anyone could, if anyone can, if somebody could, if somebody can, if anybody could, if anybody can,
if you could, if you guys could, if you all could, if one of you could, if could u, if u could, be so kind
to, so kind to, so kind as to, kind enough to, be kind enough to, help to, is it realistic to, is it
feasible to, is it doable to, is there anyone that can, anyone out there, anyone here, someone out there,
someone here, somebody out there, somebody here, can someone help me out, any way you could, any way you
can, any way you guys could, any way you guys can, any way someone could, any way anyone could, is there a
way you could, is there any way you could, is there any way someone could, is it at all possible to, at
all possible, try their best to, their best to, do your magic and, work your magic and, if you don't mind,
if you wouldn't mind, if you have time, when you have time, when you get a chance, whenever you can, if
you want, if you like, if you wish, if it's not too much trouble, if it isn't too much trouble, if that's
ok, if that's okay, would be awesome, would be amazing, would be perfect, would be wonderful, would be
fantastic, would be lovely, would be super helpful, would be very helpful, would be so helpful, would be
ideal, would be brilliant, that'd be awesome, that'd be amazing, if at all possible, if possible at all,
would be super appreciated, would be very appreciated, would be really appreciated, will be appreciated,
will be greatly appreciated, will be much appreciated, would be most appreciated, be appreciated, be
greatly appreciated, be much appreciated, be super appreciated, etc, and so on, and so forth, lol, haha,
hahaha, hehe, lmao, omg, wow, idk, btw, imo, imho, generally, requesting, requested, plzz, plss, plis,
plox, plse, pleasee, pleaseee, pleeease, extra points if you, extra points if you can, bonus points if
you, bonus points if you can, bonus points for, bonus if you can, bonus, at the minimum, at a minimum, at
minimum, at the very least, as you see fit, as you like, as you wish, as you please, however you like,
however you want, content aware fill, how to use photoshop, clone stamp tool, emergency, out there,
photoshop skills, photoshop skill, photoshop pro, photoshop expert, photoshop guru, photoshop battles, my
photoshop, this done, it done, cleanly, neatly, seamlessly, realistically, convincingly, precisely,
accurately, thoroughly, discreetly, tastefully, skillfully, i've been meaning to, i have been meaning to,
i've been wanting to, i have been wanting to, been meaning to, been wanting to, for years, for a while, for
ages, for a long time, for so long,
on its way, on the way, with a cherry on top, with sugar on top, with cherries on top, from the flash,
from my flash, from the camera flash, due to the flash, because of the flash, he's been gone, she's been
gone, has been gone, been gone, who knows what they are doing, who knows what they're doing, who knows
what he's doing, as high resolution as possible, as high a resolution as possible, in high resolution, as
high quality as possible, in high quality, in the highest quality, in the best quality, in full
resolution, at full resolution, make any changes to, use the clone tool to, use the clone tool and, use
the clone stamp to, use the clone stamp tool to, use the healing brush to, use the crop tool to, use the
crop tool and, use the lasso tool to, would it be too much to ask to, do you think you guys could, do you
think you could, do you think someone could, do you think anyone could, do you guys think you could, in
the meantime, to be specific, is it too much to ask to, would it be too much trouble to, good at
photoshop, good with photoshop, good at editing, good with editing, good at this, good at this stuff, who
knows photoshop
"""

SLIPS = {
    "the": "teh hte thw tje",
    "with": "wiht wth wirh",
    "and": "adn nad ans",
    "bit": "bti bitr",
    "like": "likt",
    "chroma": "croma",
    "people": "ppl peeps",
    "photo": "foto",
    "photos": "fotos",
    "out": "ouy",
    "can": "cna",
    "could": "cud culd",
    "make": "mkae maek",
    "please": "pleez plx",
}
"""Slips that the letters alone do not tell."""

FOREIGN_WORDS = """
achtergrond arka arrière auf avec bakgrunden bakgrunnen bianco bild bilden bitte blanca blanche blanco borra
borrar bort brilho brillante brillo cambia cambiar ciel cielo clair claire clara claro contraste couleur
couleurs céu daha dans das de deixe der donkerder dunkler een effacer effacez ein eine el enlever enlève
entferne entfernen et fais faites farbe farben favor favore fjern flou fondo foto fundo gesicht
gjør gli gör hacer haz hazlo hell helle heller het himmel hintergrund il imagem imagen immagine ist
jaśniejsze kleur kleuren kolor kontrast la las le les lichter ljusare lo los lumineuse lumineux
luminosa luminosité luminoso lysere maak mach mais meer mehr mets mettre mit más negro nero netteté nitidez
noire ohne os oscura oscuro parlak più ponle por pour proszę quita quitar remova remover rendi rendre rends
rimuovi rozjaśnij schwarz schärfer sfocato sfondo soll sombre supprime supprimer tire togli tło um uma una
und une usuń verwijder verwijderen visage wazig weiß weniger yap zdjęcie zmień zrób ändere ändern öka
"""
FOREIGN = frozenset(FOREIGN_WORDS.split())

OCCASIONS = """
birthday bday wedding christening baptism communion business
funeral obituary memorial anniversary graduation invitation invite invitations card
cards
christmas xmas gift present presents profile facebook fb instagram insta tinder linkedin website blog
portfolio album
print printing prints poster canvas locket yearbook school college work project assignment class
presentation slideshow calendar family mom mum mother dad father parents grandma grandpa grandmother
grandfather grandparents wife husband friend friends girlfriend boyfriend sister brother son daughter boss
nephew niece aunt uncle client flyer brochure newspaper magazine article cd cover cv resume wallpaper desktop
phone background-picture application bookmark scrapbook lamination
avatar passport id ebay craigslist listing holiday holidays valentine's mother's
father's easter service ceremony tombstone headstone grave urn frame framing keepsake surprise reference
"""
