"""Signed quotes: what a page said about an edit, so that nothing else is submitted without being shown.

A quote lists the engines that were shown, each with its model, price, and host, and says which one would get
the edit. It is bound to the person and the workspace, and it is valid for an hour. A person who keeps typing
and submits at once has a quote for an older request. That is fine as long as what it says about the engine
still holds; only for the same request must the plan be the same, too.
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self

from django.core import signing
from django.utils.translation import gettext as _

from editor.engine.plan import Plan
from editor.models import DraftPhoto, Engine
from editor.options import EditOptions
from editor.services.core.access import Actor
from editor.services.editing.engines import available_in, default_engine
from editor.services.editing.routing import Quote

MAX_AGE_SECONDS = 3600
_DIGEST_LENGTH = 16


@dataclass(frozen=True)
class Terms:
    """What a person is told about an engine before an edit."""

    engine: int  # its primary key; another address is another engine
    model: str
    price: int
    host: str

    @classmethod
    def of(cls, engine: Engine, price: int) -> Self:
        return cls(engine.pk, engine.model, price, engine.host)


@dataclass(frozen=True)
class AgreedQuote:
    """The quote that a person has seen.

    `terms` contains the shown engines and `engine` which of them would get the edit. `request` and `plan` are
    digests of the request for which the quote was made and of its plan. Without a request, no plan was shown.
    """

    terms: tuple[Terms, ...]
    engine: int
    request: str | None = None
    plan: str = ""

    def find(self, engine: int) -> Terms | None:
        return next((terms for terms in self.terms if terms.engine == engine), None)


class QuoteChanged(Exception):
    """Raised when an edit would differ from its quote. The exception's message says what has changed."""


def sign_quote(actor: Actor, offer: Quote, *, request: str = "") -> str:
    """Return a signed quote for a page that shows this offer and the engines of the workspace.

    `request` is the digest of the request, if the plan is shown.
    """
    plan = actor.workspace.plan
    shown = [Terms.of(engine, engine.price_for(plan)) for engine in available_in(actor.workspace)]
    applied = Terms.of(offer.engine, offer.price)
    listed = list(dict.fromkeys([applied, *shown]))
    plain = [[terms.engine, terms.model, terms.price, terms.host] for terms in listed]
    return signing.dumps([plain, request, _digest_of_plan(offer.plan)], salt=_salt(actor))


def read_quote(actor: Actor, text: str | None) -> AgreedQuote:
    """Return the quote that a form contains.

    A form without one comes from a page of the previous release, which showed the default engine. Raises
    QuoteChanged if the quote is not valid or older than an hour.
    """
    if text is None:
        engine = default_engine(actor.workspace)
        return AgreedQuote((Terms.of(engine, engine.price_for(actor.workspace.plan)),), engine.pk)
    try:
        listed, request, plan = signing.loads(text, salt=_salt(actor), max_age=MAX_AGE_SECONDS)
        terms = tuple(Terms(*one) for one in listed)
        return AgreedQuote(terms, terms[0].engine, request, plan)
    except (signing.BadSignature, ValueError, TypeError, IndexError):
        raise QuoteChanged(
            _("The quote on this page has expired. Check the engine and the price, then continue.")
        ) from None


def require_unchanged(agreed: AgreedQuote, offer: Quote, *, named: str, request: str) -> None:
    """Check that an edit gets what its quote said. Raises QuoteChanged.

    `named` is the name of the engine that the person chose, if any.
    """
    before = agreed.find(offer.engine.pk if named else agreed.engine)
    now = Terms.of(offer.engine, offer.price)
    if before is None or before.engine != now.engine:
        raise QuoteChanged(_new_engine(offer))
    if before != now:
        raise QuoteChanged(_new_terms(before, offer))
    if agreed.request == request and agreed.plan != _digest_of_plan(offer.plan):
        raise QuoteChanged(_("The plan has changed. Check it before you continue."))


def digest_of_request(prompt: str, options: EditOptions, drafts: Iterable[DraftPhoto], engine: str) -> str:
    """Return a digest of everything that the plan and the engine of a request depend on."""
    return _digest([prompt, options.as_json(), [str(draft.pk) for draft in drafts], engine])


def _new_engine(offer: Quote) -> str:
    values = {"engine": offer.engine.label, "price": offer.price, "host": offer.engine.shown_host}
    if offer.engine.is_external:
        sentence = _(
            "This edit now goes to %(engine)s at %(host)s and costs %(price)s credits. Check this before you "
            "continue."
        )
    else:
        sentence = _(
            "This edit now goes to %(engine)s and costs %(price)s credits. Check this before you continue."
        )
    return sentence % values


def _new_terms(before: Terms, offer: Quote) -> str:
    values = {"engine": offer.engine.title, "before": before.price, "price": offer.price}
    values |= {"model": offer.engine.model, "host": offer.engine.host}
    if before.price != offer.price:
        sentence = _(
            "This edit now costs %(price)s credits instead of %(before)s. Check this before you continue."
        )
    elif before.model != offer.engine.model:
        sentence = _("%(engine)s now uses the model %(model)s. Check this before you continue.")
    else:
        sentence = _("%(engine)s is now at %(host)s. Check this before you continue.")
    return sentence % values


def _digest_of_plan(plan: Plan | None) -> str:
    return "" if plan is None else _digest(plan.as_json())


def _digest(data: Any) -> str:
    text = json.dumps(data, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:_DIGEST_LENGTH]


def _salt(actor: Actor) -> str:
    return f"quote-{actor.user.pk}-{actor.workspace.pk}"
