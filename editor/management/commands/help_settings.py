"""List all environment variables with their defaults and meanings: manage.py help_settings."""

from typing import Any

from django.core.management.base import BaseCommand

# Maps each name to its default and meaning. tests/commands/test_help_settings.py compares them with the
# settings.
SETTINGS = {
    "DATA_DIR": (".data", "the folder of photos, secrets and, by default, the database"),
    "PUBLIC_URL": ("", "the address that people use; https turns on secure cookies and HSTS"),
    "HSTS": ("day", "how long browsers insist on https: day, year, preload"),
    "ALLOWED_HOSTS": ("", "more names by which the site may be called, separated by commas"),
    "TRUSTED_PROXIES": ("", "proxies whose X-Forwarded headers count, as addresses with commas"),
    "DATABASE_URL": ("sqlite in DATA_DIR", "sqlite:///PATH or postgres://USER:PASSWORD@HOST/NAME"),
    "TASK_BACKEND": ("database", "how workers are woken: by the database, or by celery"),
    "CELERY_BROKER_URL": ("", "its broker: redis://HOST:6379/1 or amqp://USER:PASSWORD@HOST/"),
    "STORAGE_URL": ("file:", "where photos are kept; or s3://BUCKET?endpoint=https://HOST"),
    "PHOTOS_BY_PROXY": ("False", "nginx in front sends photos in files: see photoeditor_site/deploy/"),
    "AWS_ACCESS_KEY_ID": ("", "the key of that bucket; without one boto3 looks where it always does"),
    "AWS_SECRET_ACCESS_KEY": ("", "its secret"),
    "CACHE_URL": ("locmemcache://", "where sign-ins are counted; or redis://HOST:6379/0"),
    "SECRET_KEY": ("a file in DATA_DIR", "signs sessions and addresses"),
    "API_KEY_PEPPER": ("a file in DATA_DIR", "goes into the digests of API keys"),
    "METRICS_TOKEN": ("", "the bearer token of /metrics; without it this machine alone may ask"),
    "ALERT_URL": (
        "",
        "gets a POST when an invariant breaks; by EMAIL_URL staff get a mail",
    ),
    "LOG_FORMAT": ("line", "how logs are written: line, or json with the ids of request and edit"),
    "EDIT_PROVIDER": ("embedded", "the engine that edits: embedded, or photo-editor for another site"),
    "PHOTO_EDITOR_BASE_URL": ("", "the other site's address, for EDIT_PROVIDER=photo-editor"),
    "PHOTO_EDITOR_API_KEY": ("", "the key that the other site gave you"),
    "PHOTO_EDITOR_IS_DARKROOM": ("False", "the other site is a Darkroom: it takes regions, safe repeats"),
    "PHOTO_EDITOR_RETRY_BUSY": ("True", "send an edit again that the other site answered with 429"),
    "PHOTO_EDITOR_LOOSE_SUCCESS": ("False", 'take "true" and 1 for true in its answers'),
    "PHOTO_EDITOR_SUCCESS_WORDS": ("SUCCESS, DONE ...", "its words for a finished edit, with commas"),
    "PHOTO_EDITOR_FAILURE_WORDS": ("FAILED, ERROR ...", "its words for a failed edit, with commas"),
    "UPSTREAM_IN_FLIGHT": ("4", "edits that the other site may have at a time"),
    "OUTBOUND_ALLOWED_ORIGINS": ("", "private addresses to fetch from, such as http://10.0.0.5:8188"),
    "OUTBOUND_PROXY": ("", "a proxy that decides what may be fetched, instead of Darkroom"),
    "SIGNUP": ("invite", "who may make an account: invite, open (needs EMAIL_URL) or closed"),
    "STAFF_TWO_FACTOR": ("True", "staff show a second factor before the administration opens"),
    "TEAMS_BY": ("everybody", "who may make a team: everybody, or staff"),
    "TEAMS_PER_USER": ("10", "open teams that one person may have made; staff are not limited"),
    "INVITATIONS_PER_USER": ("50", "invitations that one person may mail in a day (UTC)"),
    "INVITATIONS_PER_TEAM": ("100", "invitations that one team may mail in a day"),
    "INVITATIONS_PER_ADDRESS": ("3", "invitations that may be mailed to one address in a day"),
    "REVIEW_PERSONAL": ("reason", "staff see personal workspaces with a reason, or open: always"),
    "SIGNUP_CREDITS": ("400", "credits of a new account, once its address is verified"),
    "MONTHLY_CREDITS": ("0", "to how many credits a personal workspace is filled up each month"),
    "CREDITS_BY_INVITATION": ("False", "people who join by an invitation get both too, verified or not"),
    "RUNNING_PER_USER": ("2", "edits of one person that run at a time"),
    "EDIT_CPU_SECONDS_PER_RESULT": ("30", "CPU time of an edit for each result; over it the edit fails"),
    "MAX_PHOTO_MEGABYTES": ("20", "the largest photo, as a file"),
    "MAX_PHOTO_MEGAPIXELS": ("40", "the largest photo, in pixels"),
    "MAX_PROMPT_CHARACTERS": ("2000", "the longest instruction"),
    "MAX_OUTPUTS": ("4", "the most results of one edit"),
    "MAX_RESULT_MEGABYTES": ("200", "the largest result taken from another site, as a file"),
    "API_CREATES_PER_MINUTE": ("60", "edits that one key may ask for in a minute"),
    "API_READS_PER_MINUTE": ("600", "other requests of one key in a minute"),
    "RESULT_LINK_DAYS": ("7", "how long a result's address in an API answer works"),
    "MAX_QUEUED_EDITS": ("1000", "edits that may wait; then the site asks to come back later"),
    "MIN_FREE_MEGABYTES": ("500", "room on the disk below which nothing new is begun"),
    "TRASH_DAYS": ("30", "how long a deleted edit can be restored from the trash"),
    "DRAFT_HOURS": ("24", "how long an unused photo stays in the tray"),
    "DRAFTS_PER_USER": ("500", "unused photos of one person, in all workspaces together"),
    "DRAFT_MEGABYTES_PER_USER": ("2048", "the size of these together; that of photos in recipes, too"),
    "QUEUED_SECONDS": ("86400", "how long an edit may wait for its turn"),
    "BREAKER_SECONDS": ("900", "how long an edit waits for an engine that does not answer"),
    "RUNNING_SECONDS": ("900", "how long an engine may work on it"),
    "STORING_SECONDS": ("120", "how long its results may take to be stored"),
    "LEASE_SECONDS": ("12", "how soon the edit of a dead worker is free for another"),
    "OIDC_ISSUER": ("", "sign in by OpenID Connect: https://login.example.org/realms/company"),
    "OIDC_CLIENT_ID": ("", "the site's name there; its redirect is /accounts/oidc/callback/"),
    "OIDC_CLIENT_SECRET": ("", "what the issuer gave with it"),
    "OIDC_GROUPS": ("", "groups that are members: designers=acme:editor,leads=acme:admin"),
    "EMAIL_URL": ("", "the mail server, as smtp+tls://USER:PASSWORD@HOST:PORT"),
    "DEFAULT_FROM_EMAIL": ("darkroom@ the host", "the sender of mail"),
    "TESTING": ("False", "for tests: lets CRASH_AT work"),
    "CRASH_AT": ("", "for tests: ends a process at a named point"),
}


class Command(BaseCommand):
    help = "Lists every variable of the environment with its default. All are optional."
    requires_system_checks: list[str] = []  # noqa: RUF012 - It only prints.

    def handle(self, **options: Any) -> None:
        names, defaults = (
            max(map(len, column)) for column in (SETTINGS, [row[0] for row in SETTINGS.values()])
        )
        for name, (default, meaning) in SETTINGS.items():
            self.stdout.write(f"{name:<{names}}  {default or '-':<{defaults}}  {meaning}")
