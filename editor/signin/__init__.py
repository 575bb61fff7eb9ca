"""Sign-in with django-allauth: accounts and passwords, passkeys, and OpenID Connect."""
