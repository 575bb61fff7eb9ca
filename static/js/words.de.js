// What the scripts say, in German. tests/test_language.py sees to it that nothing is missing.
globalThis.words = {
  "Box removed": "Rahmen entfernt",
  "Box added": "Rahmen hinzugefügt",
  "Boxes cleared": "Rahmen gelöscht",
  "Photo 1 changed, boxes cleared": "Foto 1 ist ein anderes, die Rahmen sind gelöscht",
  "Box on the result": "Rahmen auf dem Ergebnis",
  "Boxes on photo 1": "Rahmen auf Foto 1",
  "Box {} of {}: {} from the left, {} from the top, {} wide, {} high":
    "Rahmen {} von {}: {} von links, {} von oben, {} breit, {} hoch",
  "Clear {} boxes": "{} Rahmen löschen",
  "Clear": "Löschen",
  "Copied": "Kopiert",
  "It is selected. Copy it with Ctrl+C.": "Es ist markiert. Kopieren Sie es mit Strg+C.",
  "The picture is copied.": "Das Bild ist kopiert.",
  "This browser does not copy pictures here. Download it instead.":
    "Dieser Browser kopiert hier keine Bilder. Laden Sie es stattdessen herunter.",
  "This picture could not be made. Download the original instead.":
    "Dieses Bild konnte nicht erzeugt werden. Laden Sie stattdessen das Original herunter.",
  "Sending…": "Wird gesendet …",
  "Photos first…": "Erst die Fotos …",
  "This is sent as soon as the photos are here.": "Abgeschickt wird, sobald die Fotos da sind.",
  "You are offline. What you see stays here; go on when the network is back.":
    "Sie sind offline. Was Sie sehen, bleibt hier; machen Sie weiter, wenn das Netz wieder da ist.",
  "You are online again.": "Sie sind wieder online.",
  "That did not work. Reload the page and try again.":
    "Das hat nicht geklappt. Laden Sie die Seite neu und versuchen Sie es noch einmal.",
  "This device has a passkey for this account already.": "Dieses Gerät hat schon einen Passkey für dieses Konto.",
  "No passkey was used. Try again, or choose another way.":
    "Es wurde kein Passkey verwendet. Versuchen Sie es noch einmal, oder wählen Sie einen anderen Weg.",
  "The passkey could not be used. Reload the page and try again.":
    "Der Passkey konnte nicht verwendet werden. Laden Sie die Seite neu und versuchen Sie es noch einmal.",
  "Taking longer than usual": "Dauert länger als üblich",
  "Editing your photos": "Ihre Fotos werden bearbeitet",
  "Step {} of {}: ": "Schritt {} von {}: ",
  "Now: ": "Jetzt: ",
  "Moved to place {}": "An Stelle {} verschoben",
  "Order changed": "Reihenfolge geändert",
  "Photo removed": "Foto entfernt",
  "A photo could not be removed. Reload the page and try again.":
    "Ein Foto konnte nicht entfernt werden. Laden Sie die Seite neu und versuchen Sie es noch einmal.",
  "Photo {} added": "Foto {} hinzugefügt",
  "Photo {}": "Foto {}",
  "Move photo {} earlier": "Foto {} nach vorn",
  "Move photo {} later": "Foto {} nach hinten",
  "Remove photo {}": "Foto {} entfernen",
  "{} of {}": "{} von {}",
  "Drop, paste or choose, up to {} more": "Ablegen, einfügen oder auswählen, noch bis zu {}",
  "Drop, paste or choose, up to {}": "Ablegen, einfügen oder auswählen, bis zu {}",
  "Sending {}": "{} wird gesendet",
  "The photo": "Das Foto",
  "The disk of this site is full.": "Die Festplatte dieser Website ist voll.",
  "This photo is too large.": "Dieses Foto ist zu groß.",
  "It could not be sent. Reload the page and try again.":
    "Es konnte nicht gesendet werden. Laden Sie die Seite neu und versuchen Sie es noch einmal.",
  "It could not be sent. Try again.": "Es konnte nicht gesendet werden. Versuchen Sie es noch einmal.",
  "This photo is larger than {} MB.": "Dieses Foto ist größer als {} MB.",
  "{} selected": "{} ausgewählt",
  "{}% before, {}% after": "{} % vorher, {} % nachher",
};
