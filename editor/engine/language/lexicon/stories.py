"""The words of stories: what people say beside a wish."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


REQUESTS = _words(
    "can could would will please pls plz want wants wanted need needs needed wish should like love help hope "
    "looking wondering let's lets try may"
)
"""What makes a wish out of a sentence."""

WANTING = _words("love like want need")
WISHES = _words("want wants wanted")
REASONS = frozenset({"because", "since", "as it's", "cause", "cuz", "bc"})
FORETELLING = _words("will would may could should might")
PRONOUNS = _words("it this that these they he she photo picture image pic and")
FOR_THEMSELVES = _words("i i'd we we'd i'm looking want wanted need needed trying")
HELPERS = _words("someone somebody anyone anybody you")
PEOPLE = _words("i my we our he she they i've we've his her their")
GREETINGS = _words(
    "photoshoppers redditors experts good hi hey hello hiya howdy dear greetings yo hallo heya gday morning "
    "evening afternoon"
)
OPENINGS = _words(
    "i i'm im i've ive i'd my we we're we've our he she they he's she's they're this that these those it "
    "it's its "
    "here's here today yesterday tomorrow mine his her their you you're youre first last both"
)
CONTRACTED = frozenset(
    {"it's", "he's", "she's", "they're", "i'm", "im", "we're", "i've", "ive", "we've", "here's", "here is"}
)
PRESENT = _words(
    "might must feel have has love loves know knows think got like likes mean means hope live "
    "lives own rock rule"
)
PAST = _words(
    "took taken was were had got gotten died passed went came made gave lost found met did saw said told "
    "thought "
    "left kept sent wrote broke caught won bought built sold ran fell began been done used tried posted "
    "asked "
    "wanted loved lived moved happened scanned shot edited married born received started turned put hung "
    "took missed walked walking visited snagged showed happened stood hoping became became sat heard"
)
ALSO_NAMES = _words("left put turned done used edited been was were had kept began started moved built hung")
"""Of these words, those that may open a wish: "left side", "put"."""

ALSO_THINGS = _words("copy copies cut edit")
"""Verbs that name something behind an article: "the original copy"."""

SOMEBODY = _words("i we he she they who")
ADDING = _words("also maybe possibly perhaps plus or")
PLEASING = _words("cool nice great sweet lovely old cute funny good beautiful")
"""What a photo is praised with."""

FOR_OWN_USE = frozenset({"so i", "so we", "so that i", "so that we", "so my", "so she", "so he", "so they"})
OUTWARD = _words("out up on off")
INTENTS = _words("trying hoping planning going to be able")
SEEMING = _words("looks appears seems feels")
"""What looks like something is often a complaint."""

UNABLE = _words(
    "know have own realize realise notice see get understand remember care mind matter sure good great very"
)
COMPLAINING = _words(
    "without "
    "hate dislike ruin ruins ruined ruining annoying distracting distracts ugly photobomb photobombed "
    "photobombing "
    "photobomber unwanted unnecessary unfortunately way missing wrong"
)
"""Words that hint at a wish."""

THANKS = _words(
    "thank thanks thx thankyou ty tia appreciate appreciated appreciates grateful gratitude kudos karma "
    "cheers tip "
    "tipping paypal venmo reward bless blessings obliged apreciated thanksgiving upvote upvotes upvoted "
    "pay paying payment rewarded bounty deliver gild gilded submission apperciated appriciated appreciative"
)
COINS = _words("gold silver")
"""What is given for an edit on some sites, and no color."""

EASE = _words(
    "possible impossible doable feasible easy easier hard harder difficult tricky tough simple complicated "
    "challenge challenging realistic"
)
"""What a request is, and not what the photo is to become."""

SAID = frozenset({"it's", "that's", "isn't", "should be", "would be", "might be", "may be", "can be"})
TAKEN = _words("created taken captured scanned photographed shot")
"""How a photo came to be: "created by candle light"."""

ADMITTING = (
    *(
        "i have a feeling",
        "sorry if",
        "sorry for",
        "sorry about",
        "apologies",
        "i know",
        "i understand",
        "i realize",
        "i realise",
        "i am aware",
        "i'm aware",
        "no need to",
    ),
    *("i have no idea", "i've no idea", "not sure exactly"),
)
BRINGING = _words("someone somebody my she he they we both it it'd that this which you you'd you'll and")
GLAD = _words("happy day week month year life smile laugh cry proud")
VERDICTS = _words(
    "good great fine nice okay right perfect amazing awesome beautiful cool bad terrible awful horrible ugly"
)
"""What is said of a photo that tells nothing of how it should be."""
INSTEAD = frozenset({"instead of", "rather than"})
SHAPE = _words("shape size dimensions proportions ratio distorting distorsion distortion distortions")
"""What no wish for light or color changes."""
FREE = (
    *("whatever else", "whatever you", "anything you", "anything else you", "however you", "as you see fit"),
    *("as you like", "as you please", "do your best", "do your thing", "work your magic", "do your magic"),
)
GIVEN = _words("gift gifts present presents keepsake surprise anniversary birthday")
ABOUT = _words("comments comment imgur link links http https album thread sub subreddit")
HEADINGS = _words(
    "request requests specific random paid free simple easy quick edit photoshop basic photo picture image "
    "help job "
    "question title task serious discussion minor small another weird odd silly strange thing"
)
OWN = _words(
    "use print frame give send hang post share surprise show gift display have photo picture pic image"
)
WORKING = _words("making creating preparing designing assembling")
DEEDS = _words("send hang print frame post mail email surprise gift display")
"""What they will do with the photo themselves: "I want to send it to my cousin"."""
UNABLE_STARTS = (
    *("i can't", "i cannot", "i cant", "i couldn't", "i could not", "we can't", "we couldn't", "can't seem"),
    *("i tried", "i've tried", "i have tried", "i've been trying", "i attempted", "tried to", "tried"),
    *(
        "i couldnt",
        "we cant",
        "we couldnt",
        "i don't know how",
        "i dont know how",
        "i don't have",
        "i'm not able",
        "i am not able",
        "i'm unable",
    ),
    *("having trouble", "i'm having trouble", "i'm having a hard time", "having a hard time"),
    *("i don't know if", "i dont know if", "i'm not sure if", "i am not sure if"),
)
UNWANTED = ("i don't want", "i dont want", "we don't want", "don't want", "dont want", "do not want")
OWN_TOOLS = _words(
    "phone laptop computer app software program skills tools tablet ipad mac pc myself photoshop"
)
REMARKS = (
    *(
        "first time",
        "i'll spare you",
        "i will spare you",
        "one of the",
        "shows you",
        "good karma",
        "everything else can stay",
        "the rest can stay",
        "everything else is fine",
        "the rest is fine",
        "you guys work magic",
        "do magic",
        "work magic",
        "you're the best",
        "you are the best",
        "you guys are the best",
        "open to",
        "be creative",
        "get creative",
        "have fun",
        "go nuts",
        "go crazy",
        "go wild",
        "no rush",
        "sorry",
    ),
    *("all suggestions", "any suggestions", "suggestions", "all styles", "all options", "all ideas"),
    *("that's all", "that is all", "that 's all", "nothing else", "just curious", "curious", "long time"),
    *(
        "i owe you",
        "i'll owe you",
        "we owe you",
        "i will be forever",
        "i'll be forever",
        "forever in your debt",
    ),
    *(
        "surprise my",
        "help surprise",
        "help me surprise",
        "i'll buy",
        "i will buy",
        "i'd buy",
        "told me to",
        "they said",
        "deadline",
        "see attached",
    ),
    *("see the attached", "if this isn't", "if this is not", "if it's not", "if this is the wrong"),
    *("need this asap", "need it asap", "need this by", "need it by", "need this today", "need it today"),
    *(
        "not sure",
        "any ideas",
        "surprise me",
        "up to you",
        "your choice",
        "many thanks",
        "big thank",
        "much love",
    ),
    *(
        "hope this",
        "hope that",
        "long story",
        "good karma",
        "no idea",
        "no need to",
        "cross posted",
        "crosspost",
        "crossposted",
        "x post",
        "posted from",
        "was recommended",
        "got recommended",
        "recommended by",
        "first post",
        "mean a lot",
        "mean the world",
        "would mean",
        "it would mean",
        "that would mean",
        "would really mean",
        "it would really mean",
        "help please",
        "any help",
        "please help",
        "money",
    ),
)
