"""Django's own checks of the administration, which `manage.py check` may run before its pages are found."""

from django.apps import apps
from django.contrib import admin
from django.urls import reverse


def test_django_finds_nothing_wrong_with_the_administration() -> None:
    reverse("admin:index")  # finds its pages
    assert admin.site._registry
    assert admin.site.check(list(apps.get_app_configs())) == []
