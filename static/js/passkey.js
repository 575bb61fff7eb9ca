// Passkeys: a form with data-passkey="make" or "use" asks the browser for one and submits the response.
// data-options is the URL of the options, or "#" and the ID of the element that contains them.

const isKnown = Boolean(window.PublicKeyCredential?.parseRequestOptionsFromJSON);

const SENTENCES = {
  InvalidStateError: "This device already has a passkey for this account.",
  NotAllowedError: "No passkey was used. Try again, or choose another method.",
};

const optionsOf = async (source) => {
  if (source.startsWith("#")) return JSON.parse(document.querySelector(source).textContent);
  const response = await fetch(source, { headers: { Accept: "application/json" } });
  if (!response.ok) throw new Error(`The site answered ${response.status}.`);
  return (await response.json()).request_options;
};

const make = ({ publicKey }) => {
  const kept = { residentKey: "required", requireResidentKey: true, userVerification: "required" };
  publicKey.authenticatorSelection = { ...publicKey.authenticatorSelection, ...kept };
  return navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(publicKey) });
};

const use = ({ publicKey }) =>
  navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(publicKey) });

const ask = async (form) => {
  const options = await optionsOf(form.dataset.options);
  const credential = await (form.dataset.passkey === "make" ? make(options) : use(options));
  form.elements.credential.value = JSON.stringify(credential.toJSON());
  form.submit();
};

for (const form of document.querySelectorAll("[data-passkey]")) {
  form.hidden = !isKnown;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = form.querySelector("button");
    if (button.getAttribute("aria-disabled")) return;
    button.setAttribute("aria-disabled", "true");
    try {
      await ask(form);
    } catch (error) {
      const detail = SENTENCES[error.name] ?? "The passkey couldn't be used. Reload the page and try again.";
      document.dispatchEvent(new CustomEvent("toast", { detail }));
    } finally {
      button.removeAttribute("aria-disabled");
    }
  });
}
for (const element of document.querySelectorAll("[data-no-passkeys]")) element.hidden = isKnown;
