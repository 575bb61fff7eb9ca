"""The site's engines: their configuration, their prices, and whether they are on."""

from collections.abc import Sequence
from typing import ClassVar, Self
from urllib.parse import urlsplit

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class EngineQuerySet(models.QuerySet["Engine"]):
    def configured(self) -> Self:
        """Limit to the engines that EDIT_PROVIDER lists, in the same order."""
        return self.exclude(position=None).order_by("position", "id")

    def on(self) -> Self:
        """Limit to the engines that accept new edits, with the default engine first."""
        return self.configured().filter(switched_off=None)


class Engine(models.Model):
    """An engine at one address, with its configuration at the site's last start.

    The same engine at a different address has its own row. An edit continues only at the address to which it
    was submitted, and a key is sent only to the address for which it was configured. A row that an edit
    refers to is never deleted.
    """

    # Names of the engines that have none of their own, for people.
    TITLES: ClassVar = {
        "embedded": _("Built-in"),
        "photo-editor": _("External site"),
        "openai-images": _("Image model"),
    }

    name = models.CharField(max_length=50)
    provider = models.CharField(max_length=50)
    base_url = models.CharField(max_length=500, blank=True)
    model = models.CharField(max_length=200, blank=True)
    # The position in EDIT_PROVIDER, or None if the engine is not listed there.
    position = models.PositiveSmallIntegerField(null=True, blank=True)
    # Whether the workers themselves edit the pixels. With other engines, the workers mostly wait.
    runs_here = models.BooleanField(default=False)
    is_external = models.BooleanField(default=True)
    capabilities = models.JSONField(default=dict, blank=True)
    in_flight = models.PositiveIntegerField(default=4)
    seconds = models.PositiveIntegerField(default=900)  # the time after which an edit counts as failed
    # Credits for an edit, or None for the site's price.
    price_free = models.PositiveIntegerField(null=True, blank=True)
    price_pro = models.PositiveIntegerField(null=True, blank=True)
    switched_off = models.DateTimeField(null=True, blank=True)
    switch_reason = models.CharField(max_length=300, blank=True)
    created = models.DateTimeField(default=timezone.now, editable=False)

    objects = EngineQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["name", "provider", "base_url"], name="one_engine_for_a_name_and_address"
            ),
            models.CheckConstraint(
                condition=(Q(price_free=None) | Q(price_free__gt=0))
                & (Q(price_pro=None) | Q(price_pro__gt=0)),
                name="an_edit_costs_something",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.title} {self.base_url}".strip()

    @property
    def is_configured(self) -> bool:
        return self.position is not None

    @property
    def is_on(self) -> bool:
        """Return whether the engine accepts new edits."""
        return self.is_configured and self.switched_off is None

    @property
    def key(self) -> tuple[str, str, str]:
        """Return what identifies the engine, as in the settings."""
        return self.name, self.provider, self.base_url

    @property
    def is_known(self) -> bool:
        """Return whether the engine is listed in this node's settings."""
        return any(self.key == one.key for one in settings.ENGINES)

    @property
    def answers_directly(self) -> bool:
        """Return whether the response to a request contains the results, so that nothing is polled."""
        return bool(self.capabilities.get("answers_directly"))

    @property
    def title(self) -> str:
        """Return the engine's user-readable name."""
        return engine_title(self.name)

    @property
    def label(self) -> str:
        """Return what people call the engine: its model without the path in front of it, or its title."""
        return self.title if self.runs_here else self.model.rpartition("/")[2] or self.title

    @property
    def host(self) -> str:
        """Return the host to which photos go, or "" for the embedded engine."""
        return urlsplit(self.base_url).netloc.rpartition("@")[2]

    @property
    def shown_host(self) -> str:
        """Return the host if it is outside the operator's own networks, or ""."""
        return self.host if self.is_external else ""

    def price_for(self, plan: str) -> int:
        """Return the price, in credits, of an edit for a workspace on this plan."""
        own = self.price_pro if plan == "pro" else self.price_free
        return site_price(plan) if own is None else own


def engine_title(name: str) -> str:
    """Return a user-readable name for an engine."""
    return str(Engine.TITLES.get(name, name))


def available_engines() -> list[Engine]:
    """Return the engines that take new edits on this node, in the order of EDIT_PROVIDER."""
    return [engine for engine in Engine.objects.on() if engine.is_known]


def default_of(available: Sequence[Engine]) -> Engine | None:
    """Return which of the available engines gets an edit that does not name one: the engine that EDIT_ROUTING
    names, or else the first.

    If none is available, return the engine that would be the first, so that its price and what it can do are
    still shown, or None if the site has no engines yet.
    """
    named = [engine for engine in available if engine.name == settings.EDIT_ROUTING]
    if chosen := next(iter([*named, *available]), None):
        return chosen
    configured = list(Engine.objects.configured())
    return next(iter([*(engine for engine in configured if engine.is_known), *configured]), None)


def default_price(plan: str) -> int:
    """Return the price of an edit in credits with the default engine."""
    return price_with(default_of(available_engines()), plan)


def price_with(engine: Engine | None, plan: str) -> int:
    """Return the price, in credits, of an edit with this engine.

    If there is no engine, this is the site's price.
    """
    return site_price(plan) if engine is None else engine.price_for(plan)


def site_price(plan: str) -> int:
    """Return the price, in credits, of an edit with an engine that does not have its own price."""
    price: int = settings.PRICE_PRO if plan == "pro" else settings.PRICE_FREE
    return price
