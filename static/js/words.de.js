// German texts of the scripts. tests/test_translations.py checks that they are complete.
globalThis.words = {
  "Box removed": "Rahmen entfernt",
  "Box added": "Rahmen hinzugefügt",
  "Boxes removed": "Rahmen entfernt",
  "Photo 1 changed, boxes removed": "Foto 1 geändert, Rahmen entfernt",
  "Box on the result": "Rahmen auf dem Ergebnis",
  "Boxes on photo 1": "Rahmen auf Foto 1",
  "Box {} of {}: {} from the left, {} from the top, {} wide, {} high":
    "Rahmen {} von {}: {} von links, {} von oben, {} breit, {} hoch",
  "Remove {} boxes": "{} Rahmen entfernen",
  "Remove box": "Rahmen entfernen",
  "Copy": "Kopieren",
  "Copied": "Kopiert",
  "The text is selected. Press Ctrl+C to copy it.": "Der Text ist markiert. Drücken Sie Strg+C, um ihn zu kopieren.",
  "The result was copied.": "Das Ergebnis wurde kopiert.",
  "This browser can't copy the result. Download it instead.":
    "Dieser Browser kann das Ergebnis nicht kopieren. Laden Sie es stattdessen herunter.",
  "The result couldn't be converted. Download the original instead.":
    "Das Ergebnis konnte nicht umgewandelt werden. Laden Sie stattdessen das Original herunter.",
  "Sending…": "Wird gesendet …",
  "Waiting for photos…": "Warten auf Fotos …",
  "The form is sent when all photos are uploaded.": "Das Formular wird gesendet, sobald alle Fotos hochgeladen sind.",
  "You're offline. Your work stays on this page. Continue when you're back online.":
    "Sie sind offline. Ihre Eingaben bleiben auf dieser Seite. Machen Sie weiter, wenn Sie wieder online sind.",
  "You're back online.": "Sie sind wieder online.",
  "Something went wrong. Reload the page and try again.":
    "Etwas ist schiefgelaufen. Laden Sie die Seite neu, und versuchen Sie es noch einmal.",
  "This device already has a passkey for this account.": "Dieses Gerät hat bereits einen Passkey für dieses Konto.",
  "No passkey was used. Try again, or choose another method.":
    "Es wurde kein Passkey verwendet. Versuchen Sie es noch einmal, oder wählen Sie eine andere Methode.",
  "The passkey couldn't be used. Reload the page and try again.":
    "Der Passkey konnte nicht verwendet werden. Laden Sie die Seite neu, und versuchen Sie es noch einmal.",
  "Taking longer than usual": "Dauert länger als üblich",
  "Editing your photos": "Ihre Fotos werden bearbeitet",
  "Step {} of {}: ": "Schritt {} von {}: ",
  "Now: ": "Jetzt: ",
  "Moved to position {}": "An Position {} verschoben",
  "Order changed": "Reihenfolge geändert",
  "What you typed is back.": "Ihre Eingaben sind wieder da.",
  "Photo removed": "Foto entfernt",
  "A photo couldn't be removed. Reload the page and try again.":
    "Ein Foto konnte nicht entfernt werden. Laden Sie die Seite neu, und versuchen Sie es noch einmal.",
  "Photo {} added": "Foto {} hinzugefügt",
  "Photo {}": "Foto {}",
  "Move photo {} earlier": "Foto {} nach vorn verschieben",
  "Move photo {} later": "Foto {} nach hinten verschieben",
  "Remove photo {}": "Foto {} entfernen",
  "{} of {}": "{} von {}",
  "Drop, paste, or choose up to {} more": "Ablegen, einfügen oder auswählen, noch bis zu {}",
  "Drop, paste, or choose up to {}": "Ablegen, einfügen oder auswählen, bis zu {}",
  "You can add up to {} photos.": "Sie können bis zu {} Fotos hinzufügen.",
  "Uploading {}": "{} wird hochgeladen",
  "The photo": "Das Foto",
  "The site's disk is full. Try again later.":
    "Die Festplatte der Website ist voll. Versuchen Sie es später noch einmal.",
  "This photo is too large.": "Dieses Foto ist zu groß.",
  "The upload failed. Reload the page and try again.":
    "Das Hochladen ist fehlgeschlagen. Laden Sie die Seite neu, und versuchen Sie es noch einmal.",
  "The upload failed. Try again.": "Das Hochladen ist fehlgeschlagen. Versuchen Sie es noch einmal.",
  "This photo is larger than {} MB.": "Dieses Foto ist größer als {} MB.",
  "{} and {} more": "{} und {} weitere",
  "This file is not a supported photo. Use JPEG, PNG, WebP, HEIC, or AVIF.":
    "Diese Datei ist kein unterstütztes Foto. Verwenden Sie JPEG, PNG, WebP, HEIC oder AVIF.",
  "This folder contains no photos.": "Dieser Ordner enthält keine Fotos.",
  "This folder couldn't be read. Drop its photos instead.":
    "Dieser Ordner konnte nicht gelesen werden. Legen Sie stattdessen seine Fotos ab.",
  "{} selected": "{} ausgewählt",
  "{}% before, {}% after": "{} % vorher, {} % nachher",
};
