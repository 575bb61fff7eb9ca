"""Darkroom's settings. Only this module reads them from the environment.

If a value is invalid, the site does not start and reports the problem.
"""

import re
from ipaddress import ip_network
from pathlib import Path
from typing import Any, cast
from urllib.parse import parse_qsl, urlsplit

from django.core.exceptions import ImproperlyConfigured
from django.utils.functional import SimpleLazyObject

from editor.imaging.limits import MAX_MEGAPIXELS
from photoeditor_site.engines import read_engines, read_routing
from photoeditor_site.environment import (
    env,
    env_bool,
    env_choice,
    env_int,
    env_list,
    env_service,
    is_http_url,
    load_or_create_secret,
    parse_group_rule,
    parse_mail_url,
    require_package,
    shown,
)

BASE_DIR = Path(__file__).resolve().parent.parent


def _bucket() -> dict[str, Any]:
    found = re.fullmatch(r"s3://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])/*(?:\?(.*))?", STORAGE_URL)
    bucket, query = found.groups("") if found else ("", "")
    options = dict(parse_qsl(query, keep_blank_values=True))
    endpoint = options.get("endpoint", "")
    if not bucket or set(options) - {"endpoint", "region"} or (endpoint and not is_http_url(endpoint, "/?")):
        raise ImproperlyConfigured(
            f"STORAGE_URL is {shown(STORAGE_URL)}: it must be file: or look like "
            "s3://bucket?endpoint=https://s3.example.org, where endpoint and region may be left out."
        )
    require_package("storages", "STORAGE_URL")
    return {
        "bucket_name": bucket,
        "endpoint_url": endpoint or None,
        "region_name": options.get("region") or None,
        "access_key": env.str("AWS_ACCESS_KEY_ID", "") or None,
        "secret_key": env.str("AWS_SECRET_ACCESS_KEY", "") or None,
    }


# Folders and secrets

_data_dir = str(BASE_DIR / ".data")
DATA_DIR = Path(env.str("DATA_DIR", _data_dir) or _data_dir).resolve()
PHOTOS_DIR = DATA_DIR / "photos"
WORK_DIR = DATA_DIR / "work"
ROOT_URLCONF = "photoeditor_site.urls"
WSGI_APPLICATION = "photoeditor_site.wsgi.application"
SECRET_KEY = cast(str, SimpleLazyObject(lambda: load_or_create_secret("SECRET_KEY", DATA_DIR)))
API_KEY_PEPPER = cast(str, SimpleLazyObject(lambda: load_or_create_secret("API_KEY_PEPPER", DATA_DIR)))
GIVEN_SECRETS = [name for name in ("SECRET_KEY", "API_KEY_PEPPER") if env.str(name, "")]
TESTING = env_bool("TESTING", False)
CRASH_AT = env.str("CRASH_AT", "") if TESTING else ""
DEBUG = False

# URLs and hosts

PUBLIC_URL = env.str("PUBLIC_URL", "").rstrip("/")
if PUBLIC_URL and not is_http_url(PUBLIC_URL):
    raise ImproperlyConfigured(
        f"PUBLIC_URL is {shown(PUBLIC_URL)}: it must look like https://photos.example.org, without a path."
    )
_public = urlsplit(PUBLIC_URL)
for _host in env_list("ALLOWED_HOSTS"):
    if not re.fullmatch(r"[^\s:/@]+|\[[0-9A-Fa-f:.]+\]", _host):
        raise ImproperlyConfigured(
            f"ALLOWED_HOSTS names {shown(_host)}: write each without http:// and without a port, such as "
            "photos.example.org or [2001:db8::5]."
        )
ALLOWED_HOSTS = [
    *env_list("ALLOWED_HOSTS"),
    *([re.sub(r":\d+$", "", _public.netloc.lower())] if PUBLIC_URL else []),
    "localhost",
    "127.0.0.1",
    "[::1]",
]
CSRF_TRUSTED_ORIGINS = [f"{_public.scheme}://{_public.netloc}"] if PUBLIC_URL else []
TRUSTED_PROXIES = env_list("TRUSTED_PROXIES")
for _proxy in TRUSTED_PROXIES:
    try:
        ip_network(_proxy, strict=False)
    except ValueError:
        raise ImproperlyConfigured(
            f"TRUSTED_PROXIES names {_proxy!r}: write IP addresses, such as 10.0.0.1, parted by commas."
        ) from None

# Database. Its rows contain the queue of edits and the credits, so SQLite must not lose any commit
# (synchronous=FULL).

_SQLITE_OPTIONS: dict[str, Any] = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    # Every thread has its own connection. The cache of each connection (in KiB) is small, because a large
    # cache would keep growing in each thread. The file is not memory-mapped, because the operating system
    # caches it anyway. A disk read error then raises an exception instead of ending the process with SIGBUS.
    "init_command": "PRAGMA journal_mode=WAL;PRAGMA synchronous=FULL;PRAGMA cache_size=-512;"
    "PRAGMA temp_store=MEMORY",
}
DATABASES: dict[str, dict[str, Any]] = {
    "default": env_service(
        "DATABASE_URL",
        f"sqlite:///{DATA_DIR / 'darkroom.sqlite3'}",
        env.db_url_config,
        like="postgres://user:password@host/name",
    )
}
_engine = DATABASES["default"].get("ENGINE")
if _engine == "django.db.backends.sqlite3" and DATABASES["default"]["NAME"] != ":memory:":
    DATABASES["default"]["OPTIONS"] = _SQLITE_OPTIONS
elif _engine == "django.db.backends.postgresql" and DATABASES["default"]["NAME"]:
    require_package("psycopg", "DATABASE_URL")
    DATABASES["default"].setdefault("OPTIONS", {})["connect_timeout"] = 5
else:
    raise ImproperlyConfigured(
        "DATABASE_URL must look like sqlite:////folder/file or postgres://user:password@host/name."
    )
DATABASES["default"] |= {"CONN_MAX_AGE": None, "CONN_HEALTH_CHECKS": True}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
# Photos are stored in a folder on this machine or in a bucket. BUCKET contains the options for the bucket's
# storage class.

STORAGE_URL = env.str("STORAGE_URL", "file:").strip()
PHOTOS_BY_PROXY = env_bool("PHOTOS_BY_PROXY", False)
BUCKET = _bucket() if STORAGE_URL != "file:" else {}
CACHES = {
    "default": env_service(
        "CACHE_URL", "locmemcache://", env.cache_url_config, like="redis://host:6379/0 or locmemcache://"
    )
}
if CACHES["default"]["BACKEND"] == "django.core.cache.backends.redis.RedisCache":
    require_package("redis", "CACHE_URL")
    CACHES["default"]["BACKEND"] = "editor.cache.RedisOrMemory"
elif CACHES["default"]["BACKEND"] != "django.core.cache.backends.locmem.LocMemCache":
    raise ImproperlyConfigured("CACHE_URL must look like redis://host:6379/0 or locmemcache://.")

# Wake-ups of workers

TASK_BACKEND = env_choice("TASK_BACKEND", "database", ("database", "celery"))
CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", "").strip()
_backends = {"database": "django_tasks_db.DatabaseBackend", "celery": "editor.broker.CeleryBackend"}
TASKS = {"default": {"BACKEND": _backends[TASK_BACKEND], "QUEUES": ["default", "upstream"]}}
if TASK_BACKEND == "celery":
    _path = r"(/\S*)?" if CELERY_BROKER_URL.startswith("amqp") else r"(/\d*)?(\?\S*)?"
    if not is_http_url(CELERY_BROKER_URL, _path, start=r"(?:rediss?|amqps?)://(?:\S+@)?"):
        raise ImproperlyConfigured(
            "CELERY_BROKER_URL cannot be read: it must look like redis://host:6379/1 or amqp://user:password@host/."
        )
    require_package("celery", "TASK_BACKEND")

# Monitoring

METRICS_TOKEN = env.str("METRICS_TOKEN", "").strip()
ALERT_URL = env.str("ALERT_URL", "").strip()
if ALERT_URL and not is_http_url(ALERT_URL, r"(/\S*)?"):
    raise ImproperlyConfigured("ALERT_URL cannot be read: it must look like https://example.org/alerts.")
LOG_FORMAT = env_choice("LOG_FORMAT", "line", ("line", "json"))

# Editing

UPSTREAM_IN_FLIGHT = env_int("UPSTREAM_IN_FLIGHT", 4, least=1)
OUTBOUND_ALLOWED_ORIGINS = env_list("OUTBOUND_ALLOWED_ORIGINS")
for _origin in OUTBOUND_ALLOWED_ORIGINS:
    if not is_http_url(_origin):
        raise ImproperlyConfigured(
            f"OUTBOUND_ALLOWED_ORIGINS names {shown(_origin)}: write each as http://10.0.0.5:8188, without a "
            "path."
        )
OUTBOUND_PROXY = env.str("OUTBOUND_PROXY", "")
if OUTBOUND_PROXY and not is_http_url(OUTBOUND_PROXY, "/?", r"http://(?:[^\s/@]+@)?"):
    raise ImproperlyConfigured("OUTBOUND_PROXY cannot be read: it must look like http://10.0.0.5:3128.")
SIGNUP = env_choice("SIGNUP", "invite", ("invite", "open", "closed"))
REVIEW_PERSONAL = env_choice("REVIEW_PERSONAL", "reason", ("reason", "open"))
TEAMS_BY = env_choice("TEAMS_BY", "everybody", ("everybody", "staff"))
TEAMS_PER_USER = env_int("TEAMS_PER_USER", 10, least=1)
INVITATIONS_PER_USER = env_int("INVITATIONS_PER_USER", 50, least=1)
INVITATIONS_PER_TEAM = env_int("INVITATIONS_PER_TEAM", 100, least=1)
INVITATIONS_PER_ADDRESS = env_int("INVITATIONS_PER_ADDRESS", 3, least=1)
SIGNUP_CREDITS = env_int("SIGNUP_CREDITS", 400)
MONTHLY_CREDITS = env_int("MONTHLY_CREDITS", 0)
CREDITS_BY_INVITATION = env_bool("CREDITS_BY_INVITATION", False)
PRICE_FREE = 40
PRICE_PRO = 35
RUNNING_PER_USER = env_int("RUNNING_PER_USER", 2, least=1)
EDIT_CPU_SECONDS_PER_RESULT = env_int("EDIT_CPU_SECONDS_PER_RESULT", 30, least=1, most=3600)
PREVIEW_WORKERS = env_int("PREVIEW_WORKERS", 1, most=8)
MAX_PHOTO_MEGABYTES = env_int("MAX_PHOTO_MEGABYTES", 20, least=1)
MAX_PHOTO_MEGAPIXELS = env_int("MAX_PHOTO_MEGAPIXELS", 40, least=1, most=MAX_MEGAPIXELS)
MAX_PROMPT_CHARACTERS = env_int("MAX_PROMPT_CHARACTERS", 2_000, least=1)
MAX_OUTPUTS = env_int("MAX_OUTPUTS", 4, least=1, most=4)
MAX_RESULT_MEGABYTES = env_int("MAX_RESULT_MEGABYTES", 200, least=1)
API_CREATES_PER_MINUTE = env_int("API_CREATES_PER_MINUTE", 60, least=1)
API_READS_PER_MINUTE = env_int("API_READS_PER_MINUTE", 600, least=1)
RESULT_LINK_DAYS = env_int("RESULT_LINK_DAYS", 7, least=1, most=3650)
MAX_QUEUED_EDITS = env_int("MAX_QUEUED_EDITS", 1_000, least=1)
MIN_FREE_MEGABYTES = env_int("MIN_FREE_MEGABYTES", 500)
TRASH_DAYS = env_int("TRASH_DAYS", 30, least=1, most=3650)
DRAFT_HOURS = env_int("DRAFT_HOURS", 24, least=1, most=24 * 3650)
DRAFTS_PER_USER = env_int("DRAFTS_PER_USER", 500, least=1)
DRAFT_MEGABYTES_PER_USER = env_int("DRAFT_MEGABYTES_PER_USER", 2_048, least=1)
QUEUED_SECONDS = env_int("QUEUED_SECONDS", 24 * 3600, least=1)
BREAKER_SECONDS = env_int("BREAKER_SECONDS", 15 * 60, least=1)
RUNNING_SECONDS = env_int("RUNNING_SECONDS", 15 * 60, least=1)
STORING_SECONDS = env_int("STORING_SECONDS", 2 * 60, least=1)
# The duration of a lease and the interval of the sweep add up to 27 s. This is the maximum time until another
# worker can take over the edit of a dead worker. The product promises 30 s.
LEASE_SECONDS = env_int("LEASE_SECONDS", 12, least=3)
HEARTBEAT_SECONDS = LEASE_SECONDS / 3
SWEEP_SECONDS = 15
CRASHES_ALLOWED = 3
ENGINES = read_engines(
    env_list("EDIT_PROVIDER", ["embedded"]), in_flight=UPSTREAM_IN_FLIGHT, seconds=RUNNING_SECONDS
)
EDIT_ROUTING = read_routing(ENGINES)

# The application

INSTALLED_APPS = [
    "editor",
    "editor.apps.DarkroomAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
    "django_tasks_db",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
]
MIDDLEWARE = [
    "editor.middleware.SignedStatusMiddleware",
    "editor.middleware.RequestIdMiddleware",
    # This middleware applies the browser's language, even for early errors.
    "editor.middleware.LanguageMiddleware",
    "editor.middleware.CompressedPagesMiddleware",
    "editor.middleware.PrivateByDefaultMiddleware",
    "editor.api.envelope.EnvelopeMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "editor.middleware.PlainSessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "editor.middleware.LanguageMiddleware",  # This middleware applies the account's language.
    "editor.middleware.ZoneMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "editor.pages.errors.NotAllowedMiddleware",
    "editor.middleware.SignInFirstMiddleware",
    "editor.middleware.LastWorkspaceMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "editor.signin.second_factor.AdministrationMiddleware",
    "editor.middleware.ServiceErrorMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": [
                "django.contrib.humanize.templatetags.humanize",
                "django.templatetags.i18n",
                "django.templatetags.l10n",
                "editor.pages.times",
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "editor.pages.context.page",
            ],
        },
    }
]
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
LANGUAGE_CODE = "en"  # The API, commands, and logs always use English.
LANGUAGES = [("en", "English"), ("de", "Deutsch")]
LANGUAGE_COOKIE_NAME = "language"
LOCALE_PATHS = [BASE_DIR / "editor/locale"]
FORMAT_MODULE_PATH = ["editor.locale"]
TIME_ZONE = "UTC"
USE_TZ = True

# Static files. `start` collects them and adds a hash to their names, so that browsers can cache them forever.

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = DATA_DIR / "static"
STORAGES: dict[str, dict[str, Any]] = {
    # Django's default storage is not used, because editor.services.photos stores photos.
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

# The limits for uploads allow five photos of the maximum size, plus the other fields of the form.

FILE_UPLOAD_HANDLERS = [
    "editor.pages.photos.uploads.CappedUploadHandler",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "editor.pages.photos.uploads.NamelessUploadHandler",
]
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
# A user who sends a sixth photo gets an error message. A request with more than ten files is not read at all.
DATA_UPLOAD_MAX_NUMBER_FILES = 10
FILE_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
FILE_UPLOAD_PERMISSIONS = 0o600

# Accounts

AUTH_USER_MODEL = "editor.User"
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "account_login"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
ACCOUNT_ADAPTER = "editor.signin.accounts.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = False
ACCOUNT_CHANGE_EMAIL = True
# Moving credits or closing an account requires that the user has signed in within this number of seconds.
ACCOUNT_REAUTHENTICATION_TIMEOUT = 600
STAFF_TWO_FACTOR = env_bool("STAFF_TWO_FACTOR", True)
ACCOUNT_FORMS = {
    "signup": "editor.signin.passwords.SignupForm",
    "change_password": "editor.signin.passwords.ChangePasswordForm",
    "set_password": "editor.signin.passwords.SetPasswordForm",
    "reset_password": "editor.signin.passwords.ResetPasswordForm",
    "reset_password_from_key": "editor.signin.passwords.ResetPasswordKeyForm",
}
ACCOUNT_RATE_LIMITS = {"login_failed": "30/m/ip,5/5m/key"}
MFA_ADAPTER = "editor.signin.passkeys.MfaAdapter"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes", "webauthn"]
MFA_TOTP_ISSUER = "Darkroom"
# The device asks for a fingerprint, a face, or a PIN, so a passkey counts as two factors.
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_WEBAUTHN_USER_VERIFICATION = "required"
MFA_RATE_LIMITS = {"webauthn_login": "60/m/ip"}  # Signing in with a passkey takes two requests.
MFA_FORMS = {
    "add_webauthn": "editor.signin.passkeys.AddPasskeyForm",
    "edit_webauthn": "editor.signin.passkeys.RenamePasskeyForm",
    "login_webauthn": "editor.signin.passkeys.SignInForm",
    "authenticate_webauthn": "editor.signin.passkeys.SecondStepForm",
    "reauthenticate_webauthn": "editor.signin.passkeys.ReauthenticateForm",
}

# Single sign-on for an organization. The site contacts the issuer only when someone signs in, and never at
# startup.

OIDC_ISSUER = env.str("OIDC_ISSUER", "").strip().removesuffix("/.well-known/openid-configuration").rstrip("/")
OIDC_CLIENT_ID = env.str("OIDC_CLIENT_ID", "").strip()
OIDC_CLIENT_SECRET = env.str("OIDC_CLIENT_SECRET", "").strip()
OIDC_GROUPS = [parse_group_rule(text) for text in env_list("OIDC_GROUPS")]
if OIDC_ISSUER and not is_http_url(OIDC_ISSUER, r"(/[^\s?#]{0,120})?"):
    raise ImproperlyConfigured(
        f"OIDC_ISSUER is {shown(OIDC_ISSUER)}: it must be the issuer's address, such as "
        "https://login.example.org/realms/company."
    )
_oidc = (OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET)
if any((*_oidc, OIDC_GROUPS)) and not all(_oidc):
    raise ImproperlyConfigured(
        "OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET belong together: set all three, or none of them "
        "and no OIDC_GROUPS."
    )
SOCIALACCOUNT_ADAPTER = "editor.signin.oidc.SocialAccountAdapter"

# Email. Without EMAIL_URL, the site sends no email, and its pages say so.

EMAIL_URL = env.str("EMAIL_URL", "")
if EMAIL_URL:
    _mail = env_service("EMAIL_URL", "", parse_mail_url, like="smtp+tls://user:password@host:587")
    MAILERS: dict[str, dict[str, Any]] = {
        "default": {
            "BACKEND": _mail["EMAIL_BACKEND"],
            "OPTIONS": {
                "host": _mail["EMAIL_HOST"],
                "port": _mail["EMAIL_PORT"],
                "username": _mail["EMAIL_HOST_USER"],
                "password": _mail["EMAIL_HOST_PASSWORD"],
                "use_tls": bool(_mail.get("EMAIL_USE_TLS")),
                "use_ssl": bool(_mail.get("EMAIL_USE_SSL")),
                "timeout": 30,
            },
        }
    }
else:
    MAILERS = {"default": {"BACKEND": "django.core.mail.backends.dummy.EmailBackend"}}
# If there is no mail server, the site intentionally uses the backend that sends nothing.
SILENCED_SYSTEM_CHECKS = [] if EMAIL_URL else ["mail.E001"]
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", f"darkroom@{_public.hostname or 'localhost'}")
# Open sign-up requires verified email addresses and therefore requires a mail server.
SIGNUP_IS_OPEN = SIGNUP == "open" and bool(EMAIL_URL)
ACCOUNT_EMAIL_VERIFICATION = "mandatory" if EMAIL_URL else "none"
# Without a mail server, addresses cannot be verified, but people must be able to protect their accounts
# anyway.
MFA_ALLOW_UNVERIFIED_EMAIL = not EMAIL_URL

# Security

_IS_HTTPS = _public.scheme == "https"
SECURE_CSP = {
    "default-src": ["'none'"],
    "script-src": ["'self'"],
    "style-src": ["'self'"],
    "img-src": ["'self'", "data:", "blob:"],
    "font-src": ["'self'"],
    "connect-src": ["'self'"],
    "manifest-src": ["'self'"],
    "form-action": ["'self'"],
    "base-uri": ["'none'"],
    "frame-ancestors": ["'none'"],
}
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_SSL_REDIRECT = _IS_HTTPS
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]
# Browsers require HTTPS for this number of seconds, so the default is short. Subdomains may belong to other
# sites, so they are included only with HSTS=preload.
HSTS = env_choice("HSTS", "day", ("day", "year", "preload"))
SECURE_HSTS_SECONDS = (86_400 if HSTS == "day" else 31_536_000) if _IS_HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HSTS == "preload"
SILENCED_SYSTEM_CHECKS += [] if HSTS == "preload" else ["security.W005", "security.W021"]
# gunicorn accepts X-Forwarded-Proto only from certain addresses. Django would accept this header from anyone.
SECURE_PROXY_SSL_HEADER = None
SESSION_COOKIE_SECURE = _IS_HTTPS
SESSION_COOKIE_NAME = "darkroom_session"
CSRF_COOKIE_SECURE = _IS_HTTPS
CSRF_FAILURE_VIEW = "editor.pages.errors.csrf_failure"
X_FRAME_OPTIONS = "DENY"

# Logs must not contain keys, sessions, or signed URLs. At INFO, httpx logs URLs, including their query
# strings. db_worker logs stop requests at WARNING and sets the level of its loggers to INFO.

LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "editor.logs.RedactingFormatter",
            "format": "%(asctime)s %(levelname)s %(name)s %(message)s",
        },
        "json": {"()": "editor.logs.JsonFormatter"},
    },
    "filters": {"refusals": {"()": "editor.logs.RefusalFilter"}},
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": LOG_FORMAT,
            "filters": ["refusals"],
        },
        "stderr_errors": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT, "level": "ERROR"},
    },
    "root": {"handlers": ["stderr"], "level": "INFO"},
    "loggers": {
        "django": {"level": "WARNING"},
        # Internet scanners trigger this error all day.
        "django.security.DisallowedHost": {"level": "CRITICAL"},
        "django.tasks": {"handlers": ["stderr_errors"], "propagate": False},
        "django_tasks_db": {"handlers": ["stderr_errors"], "propagate": False},
        "gunicorn.error": {"handlers": ["stderr"], "propagate": False},
        "httpx": {"level": "WARNING"},
        "httpcore": {"level": "WARNING"},
    },
}
