"""List all environment variables, along with their defaults and meanings: manage.py help_settings."""

from typing import Any

from django.core.management.base import BaseCommand

# Maps each variable to its default and meaning. tests/commands/test_help_settings.py compares these with the
# settings.
SETTINGS = {
    "DATA_DIR": (".data", "the folder for photos, secrets, and, by default, the database"),
    "PUBLIC_URL": ("", "the public URL of the site; https turns on secure cookies and HSTS"),
    "HSTS": ("day", "how long browsers insist on https: day, year, or preload"),
    "ALLOWED_HOSTS": ("", "more host names of the site, separated by commas"),
    "TRUSTED_PROXIES": ("", "IP addresses of trusted proxies (X-Forwarded), separated by commas"),
    "DATABASE_URL": ("sqlite in DATA_DIR", "sqlite:///PATH or postgres://USER:PASSWORD@HOST/NAME"),
    "TASK_BACKEND": ("database", "how workers are notified of work: database or celery"),
    "CELERY_BROKER_URL": ("", "the Celery broker: redis://HOST:6379/1 or amqp://USER:PASSWORD@HOST/"),
    "STORAGE_URL": ("file:", "where photos are stored: file: or s3://BUCKET?endpoint=https://HOST"),
    "PHOTOS_BY_PROXY": ("False", "nginx sends photo files: see photoeditor_site/deploy/"),
    "AWS_ACCESS_KEY_ID": ("", "the access key of the bucket (default: boto3's usual sources)"),
    "AWS_SECRET_ACCESS_KEY": ("", "the secret of that access key"),
    "CACHE_URL": (
        "locmemcache://",
        "where sign-ins are counted: locmemcache:// or redis://HOST:6379/0",
    ),
    "SECRET_KEY": ("a file in DATA_DIR", "the key that signs sessions and URLs"),
    "API_KEY_PEPPER": ("a file in DATA_DIR", "a secret used in the digests of API keys"),
    "METRICS_TOKEN": ("", "the bearer token for /metrics; without it, only this machine has access"),
    "ALERT_URL": ("", "gets a POST if an integrity check fails; superusers get an email"),
    "LOG_FORMAT": ("line", "the log format: line, or json with the IDs of request and edit"),
    "EDIT_PROVIDER": ("embedded", "the engines, default first: embedded, photo-editor, openai-images"),
    "EDIT_ROUTING": ("", "auto, or the engine for all edits (default: the first that is on)"),
    "EMBEDDED_PRICE_FREE": ("", "credits for an edit with the embedded engine, instead of 40"),
    "EMBEDDED_PRICE_PRO": ("", "the same on the PRO plan, instead of 35"),
    "PHOTO_EDITOR_BASE_URL": ("", "the other site's URL, for EDIT_PROVIDER=photo-editor (*)"),
    "PHOTO_EDITOR_API_KEY": ("", "your API key for the other site"),
    "PHOTO_EDITOR_IS_DARKROOM": ("False", "the other site is a Darkroom: it supports boxes and safe retries"),
    "PHOTO_EDITOR_RETRY_BUSY": ("True", "send an edit again if the other site returns 429"),
    "PHOTO_EDITOR_LOOSE_SUCCESS": ("False", 'accept "true" and 1 as true in its responses'),
    "PHOTO_EDITOR_SUCCESS_WORDS": (
        "SUCCESS, DONE ...",
        "its status values for a finished edit, separated by commas",
    ),
    "PHOTO_EDITOR_FAILURE_WORDS": (
        "FAILED, ERROR ...",
        "its status values for a failed edit, separated by commas",
    ),
    "PHOTO_EDITOR_MODEL": ("", "the model that the site shows for this engine"),
    "PHOTO_EDITOR_IN_FLIGHT": ("", "edits that it can process at a time (UPSTREAM_IN_FLIGHT)"),
    "PHOTO_EDITOR_SECONDS": ("", "how long it can work on an edit, instead of RUNNING_SECONDS"),
    "PHOTO_EDITOR_PRICE_FREE": ("", "credits for an edit with this engine, instead of 40"),
    "PHOTO_EDITOR_PRICE_PRO": ("", "the same on the PRO plan, instead of 35"),
    "PHOTO_EDITOR_EXTERNAL": ("by its host", "whether photos leave your own network: true or false"),
    "PHOTO_EDITOR_STAND_IN": ("", "the engine that gets waiting edits while this one does not respond"),
    "OPENAI_IMAGES_BASE_URL": ("", "the model server's URL, without /v1/images/edits (*)"),
    "OPENAI_IMAGES_API_KEY": ("", "your API key for the model server"),
    "OPENAI_IMAGES_MODEL": ("", "the model that the server uses"),
    "OPENAI_IMAGES_DIALECT": (
        "openai",
        "openai, vllm-omni, sglang, sd-server, lemonade, xinference, litellm",
    ),
    "OPENAI_IMAGES_REPEATABLE": ("False", "an interrupted edit is sent again: only for your own GPU"),
    "OPENAI_IMAGES_IN_FLIGHT": ("", "edits that it can process at a time (UPSTREAM_IN_FLIGHT)"),
    "OPENAI_IMAGES_SECONDS": ("300", "how long the model server can work on an edit"),
    "OPENAI_IMAGES_PRICE_FREE": ("", "credits for an edit with this engine, instead of 40"),
    "OPENAI_IMAGES_PRICE_PRO": ("", "the same on the PRO plan, instead of 35"),
    "OPENAI_IMAGES_EXTERNAL": ("by its host", "whether photos leave your own network: true or false"),
    "OPENAI_IMAGES_STAND_IN": ("", "the engine that gets waiting edits while this one does not respond"),
    "UPSTREAM_IN_FLIGHT": ("4", "edits that an engine other than the embedded one can process at a time"),
    "OUTBOUND_ALLOWED_ORIGINS": ("", "private origins to fetch from, such as http://10.0.0.5:8188"),
    "OUTBOUND_PROXY": ("", "a proxy that decides what can be fetched, instead of Darkroom"),
    "SIGNUP": ("invite", "who can create an account: invite, open (requires EMAIL_URL), or closed"),
    "STAFF_TWO_FACTOR": ("True", "administrators need a second factor to open the administration"),
    "TEAMS_BY": ("everybody", "who can create a team: everybody or staff"),
    "TEAMS_PER_USER": ("10", "open teams that one person can create; administrators have no limit"),
    "INVITATIONS_PER_USER": ("50", "invitations that one person can email in a day (UTC)"),
    "INVITATIONS_PER_TEAM": ("100", "invitations that one team can email in a day"),
    "INVITATIONS_PER_ADDRESS": ("3", "invitations that can be emailed to one address in a day"),
    "REVIEW_PERSONAL": ("reason", "administrators see personal workspaces: with a reason, or always (open)"),
    "SIGNUP_CREDITS": ("400", "credits for a new account after its email address is verified"),
    "MONTHLY_CREDITS": ("0", "the balance to which a personal workspace is topped up each month"),
    "CREDITS_BY_INVITATION": (
        "False",
        "invited people get both kinds of credits, even if unverified",
    ),
    "RUNNING_PER_USER": ("2", "edits of one person that run at a time"),
    "EDIT_CPU_SECONDS_PER_RESULT": ("30", "the maximum CPU time per result; an edit that exceeds it fails"),
    "PREVIEW_WORKERS": ("1", "processes for previews, each with up to 400 MB; 0 turns them off"),
    "MAX_PHOTO_MEGABYTES": ("20", "the maximum file size of a photo"),
    "MAX_PHOTO_MEGAPIXELS": ("40", "the maximum number of pixels of a photo"),
    "MAX_PROMPT_CHARACTERS": ("2000", "the maximum length of a prompt"),
    "MAX_OUTPUTS": ("4", "the maximum number of results per edit"),
    "MAX_RESULT_MEGABYTES": ("200", "the maximum file size of a result from another site"),
    "API_CREATES_PER_MINUTE": ("60", "edits that one API key can request in a minute"),
    "API_READS_PER_MINUTE": ("600", "other requests of one API key in a minute"),
    "RESULT_LINK_DAYS": ("7", "days for which the URL of a result in an API response works"),
    "MAX_QUEUED_EDITS": ("1000", "the maximum number of waiting edits; further edits are refused"),
    "MIN_FREE_MEGABYTES": ("500", "free disk space below which the site accepts no new edits"),
    "TRASH_DAYS": ("30", "days for which a deleted edit can be restored from the trash"),
    "DRAFT_HOURS": ("24", "hours for which an unused photo is kept"),
    "DRAFTS_PER_USER": ("500", "unused photos of one person in all workspaces"),
    "DRAFT_MEGABYTES_PER_USER": ("2048", "the total size of these photos, and of photos in recipes"),
    "QUEUED_SECONDS": ("86400", "how long an edit can wait in the queue"),
    "BREAKER_SECONDS": ("900", "how long an edit waits for an engine that does not respond"),
    "RUNNING_SECONDS": ("900", "how long an engine can work on an edit"),
    "STORING_SECONDS": ("120", "how long storing the results of an edit can take"),
    "LEASE_SECONDS": ("12", "how soon another worker takes over the edit of a crashed worker"),
    "OIDC_ISSUER": ("", "sign-in with OpenID Connect: https://login.example.org/realms/company"),
    "OIDC_CLIENT_ID": ("", "its client ID; the redirect URI is /accounts/oidc/callback/"),
    "OIDC_CLIENT_SECRET": ("", "the client secret of this site"),
    "OIDC_GROUPS": ("", "groups that become team members: designers=acme:editor,leads=acme:admin"),
    "EMAIL_URL": ("", "the mail server: smtp+tls://USER:PASSWORD@HOST:PORT"),
    "DEFAULT_FROM_EMAIL": ("darkroom@ the host", "the sender address of email"),
    "TESTING": ("False", "for tests: enables CRASH_AT"),
    "CRASH_AT": ("", "for tests: ends a process at this crash point"),
}
NOTE = (
    "(*) An engine with a name, such as openai-images:studio, has its own variables: "
    "OPENAI_IMAGES_STUDIO_BASE_URL."
)


class Command(BaseCommand):
    help = "Lists every environment variable with its default and meaning. All variables are optional."
    requires_system_checks: list[str] = []  # noqa: RUF012 - This command needs no system checks.

    def handle(self, **options: Any) -> None:
        names, defaults = (
            max(map(len, column)) for column in (SETTINGS, [row[0] for row in SETTINGS.values()])
        )
        for name, (default, meaning) in SETTINGS.items():
            self.stdout.write(f"{name:<{names}}  {default or '-':<{defaults}}  {meaning}")
        self.stdout.write(NOTE)
