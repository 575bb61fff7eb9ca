"""How the engines behind the portal are doing."""

from django.contrib import admin

from editor.admin.reading import ReadOnlyAdmin
from editor.models import ProviderHealth


@admin.register(ProviderHealth)
class ProviderHealthAdmin(ReadOnlyAdmin[ProviderHealth]):
    list_display = ("provider", "base_url", "failures", "open_until", "message", "changed")
