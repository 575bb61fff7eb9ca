"""How django-allauth serves this site: accounts and passwords, passkeys, and an issuer by OpenID Connect."""
