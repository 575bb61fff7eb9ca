"""The small words: what joins and forbids, what is mere courtesy, what is no misspelling, what is foreign."""

from editor.engine.language.lexicon.roles import Role

COMMON = """
about above after again ago all almost already always another around back bad bar bare bars base basic
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
"""

CONNECTIVES: dict[Role, str] = {
    Role.AND: "and, &, plus, as well as, along with, n, together with, nd",
    Role.THEN: "then, and then, after that, also, and also, next, afterwards, finally, additionally, "
    "lastly, in addition, "
    "while also, plus also, first of all, secondly, but also, and please, and just, as well",
    Role.BUT: "but, however, though, yet",
    Role.NOT: "not, don't, dont, do not, doesn't, never, isn't, avoid, won't, without being, shouldn't, "
    "can't, cannot, "
    "none, neither, nor, rather than, instead of, unless, no longer, stop, didn't, aren't, wasn't, hardly",
    Role.NO: "no, zero",
    Role.EXCEPT: "except, except for, other than, apart from, aside from, besides, everything but, "
    "everything except, "
    "all but, excluding, save for, but not, everyone but, everyone except",
    Role.WITHOUT: "without changing, without touching, without affecting, without altering, "
    "without losing, don't change, "
    "don't touch, do not change, do not touch, dont change, dont touch, don't alter, don't affect, "
    "not changing, "
    "while keeping, while leaving, while preserving, but keep, but leave, not touching, without modifying, "
    "don't modify, without editing, don't edit, do not edit, do not alter, without blurring, "
    "without darkening, "
    "without brightening, don't blur, do not blur, don't brighten, don't darken, and keep, and leave",
    Role.PURPOSE: "so that, so it, so you, so i, so we, so the, so they, in order to, because, so as to, "
    "so my, so her, "
    "so his, so people, to help, to show, to see, to better see, to reveal, "
    "to make this look, to make it look, to make this a, to make it a, so it's",
    Role.PREPOSITION: "of, in, on, to, for, from, at, with, by, into, onto, around, across, throughout, "
    "over, as, inside, "
    "within, behind, off, out, up, down, off of, out of, away, above, below, under, beside, next to, "
    "near, against, "
    "in front of, between, along, through, towards, toward, than, like, wearing, holding, standing, "
    "sitting, who, "
    "which, where, when, beneath, about, after, before, if",
    Role.DETERMINER: "the, a, an, my, your, our, his, their, those, any, her",
    Role.BE: "is, are, looks, appears, seems, was, were, came out, turned out, becomes, feels",
    Role.MORE: "more, extra, additional, higher, greater, stronger, even more, better",
    Role.LACKING: "too little, way too little, far too little, a bit too little, not enough, insufficient, "
    "lacks, lacking",
    Role.LESS: "less, fewer, lower, not so, not as, not too, weaker",
    Role.TOO: "too, overly, too much, way too, a bit too, a little too, far too, a little bit too, "
    "so very, excessively, excessive",
}

FILLER = """
please, pls, plz, plese, kindly, can, could, would, will, should, can you, could you, would you, you,
someone, somebody, anyone, anybody, one of you, i, i'd, i'm, we, want, wants, wanted, need, needs, needed,
want you to, would like, would love, i'd like, i'd like to, i would like to, i would love, would like to,
want to, need to, needs to, needs to be, should be, to be, able to, be able to, help me, help me to, help
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
filter to, using, use of, i think, at all, somehow, the amount of, amount of, the level of, level of,
levels of, the overall, can i, may i, can i get, can i have, could i get, could i have, can we, could we,
i want, i need, we need, we want, i wish, be so kind as to, will you, would someone, could someone, can
someone, can anyone, could anyone, can somebody, could somebody, like to, love to, love it if, really
appreciate it, it'd be, would be, i'll, you to, talented, kind, sorry, ready, effectively, carefully,
appropriately, accordingly, properly, uniformly, evenly, throughout, all over, across the board, in the
process, hey guys, give me, get me, send me, show me, hi guys, hi all, hello all, hey everyone, hi
everyone, hello everyone, the following, as follows, wondering if, i was wondering if, was wondering if,
any help, any help would be appreciated, your help, for your help, for your time, for helping, solid,
plain, pure, edit photo to, edit this photo to, edit the photo to, edit this picture to, edit this to,
photoshop this to, edit my photo to, edit the picture to, edit image to, edit the image to, edit picture
to, levels, level, setting, settings, value, values, slider, s, 's, d, version of
"""

FOREIGN_WORDS = """
achtergrond arrière auf avec bild bilden bitte brillante clair dans das de der donkerder dunkler een
ein eine el enlève entferne et favor favore fondo foto fundo gli gör hacer haz helle heller het
hintergrund il imagem imagen immagine la las le les lo los luminosité maak mach mit más ohne os por
pour proszę quita remova rends rimuovi sfondo supprime tło um uma una und une usuń verwijder zdjęcie
"""
FOREIGN = frozenset(FOREIGN_WORDS.split())
