"""The address guard: strict URL parsing, and our own lists of the IP networks that may be reached.

We do not use Python's `is_global`, because it changes between patch releases and accepts NAT64 and multicast
addresses.
"""

import logging
import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address

import httpx

from editor.outbound.contract import Rules
from editor.outbound.errors import OutboundError
from editor.outbound.networks import PRIVATE, is_in, networks

logger = logging.getLogger(__name__)

MAX_URL_LENGTH = 8_192
ALLOWED_PORTS = (80, 443)
_DEFAULT_PORTS = {"http": 80, "https": 443}


_REFUSED_IPV4 = networks(
    "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24"
    " 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4"
)
_PUBLIC_IPV6 = networks("2000::/3")
_REFUSED_IPV6 = networks("2001::/23 2001:db8::/32 2002::/16 3fff::/20")
# Addresses of metadata services, which give credentials to cloud machines, outside the link-local ranges.
_METADATA = networks("100.100.100.200/32 168.63.129.16/32 fd00:ec2::254/128 fd20:ce::254/128")

# The pattern uses ASCII mode. Otherwise, the long s in "http\u017f" would match an s.
_URL = re.compile(
    r"(https?)://(?:\[([0-9a-f:.]+)\]|([^/?#@:%\[\]]+))(?::([1-9][0-9]{0,4}))?([/?#].*)?",
    re.ASCII | re.IGNORECASE,
)
_LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_NAME = re.compile(rf"(?:{_LABEL}\.)*{_LABEL}")
# Matches a host whose last label is a number. System resolvers accept such hosts as IPv4 addresses, for
# example "2130706433", "0x7f.1", and "127.1".
_ENDS_IN_NUMBER = re.compile(r"(?:.*\.)?(?:[0-9]+|0x[0-9a-f]*)")


@dataclass(frozen=True)
class ParsedUrl:
    """A parsed URL.

    `host` is lower-case ASCII; an IP address is in its shortest form, and IPv6 has no brackets. `url` is the
    same URL for httpx.
    """

    scheme: str
    host: str
    port: int
    url: httpx.URL

    @property
    def origin(self) -> str:
        return _origin(self.scheme, self.host, self.port)


def origin_of(url: str) -> str:
    """Return the exact origin in lower case, without the default port, such as "http://10.0.0.5:8188".

    Raises OutboundError if the URL is not a plain http or https URL.
    """
    return parse(url).origin


def parse(url: str) -> ParsedUrl:
    """Parse a URL. Raises OutboundError for anything unusual, before any host name is resolved."""
    if len(url) > MAX_URL_LENGTH or not is_plain(url):
        raise refusal("it is too long or contains control characters, spaces, or backslashes")
    found = _URL.fullmatch(url)
    if found is None:
        raise refusal("it is not a plain HTTP URL")
    scheme, ipv6, name, digits, rest = found.groups()
    scheme = scheme.lower()
    host = _ipv6(ipv6) if ipv6 else _ipv4_or_name(name)
    port = int(digits or _DEFAULT_PORTS[scheme])
    if port > 65_535:
        raise refusal("its port is not valid")
    return ParsedUrl(scheme, host, port, _agreed(scheme, host, port, rest or ""))


def may_be_reached(url: str, rules: Rules) -> bool:
    """Return whether a URL passes the checks of its origin, port, and IP address.

    No name is looked up: the IP address is checked only if the URL contains it. Raises OutboundError if the
    URL is not a plain http or https URL.
    """
    target = parse(url)
    if target.origin in rules.refused_origins:
        return False
    is_listed = target.origin in rules.allowed_origins
    is_allowed = is_listable if is_listed else is_public
    has_open_port = is_listed or rules.proxy is not None or target.port in ALLOWED_PORTS
    return has_open_port and (not is_ip(target.host) or is_allowed(target.host))


def is_plain(text: str) -> bool:
    """Return whether the text contains only characters that all URL parsers interpret alike."""
    return all(letter.isprintable() and not letter.isspace() and letter != "\\" for letter in text)


def is_public(address: str) -> bool:
    """Return whether the address is a public IP address, which any URL may use."""
    ip = _ip(address)
    if ip is None or is_in(_METADATA, ip):
        return False
    if isinstance(ip, IPv4Address):
        return not is_in(_REFUSED_IPV4, ip)
    return is_in(_PUBLIC_IPV6, ip) and not is_in(_REFUSED_IPV6, ip)


def is_listable(address: str) -> bool:
    """Return whether a listed origin may use this IP address.

    Private and public addresses may be used. Link-local, metadata, multicast, and broadcast addresses, as
    well as 0.0.0.0/8, may never be used.
    """
    ip = _ip(address)
    is_private = ip is not None and is_in(PRIVATE, ip) and not is_in(_METADATA, ip)
    return is_private or is_public(address)


def is_ip(host: str) -> bool:
    return _ip(host) is not None


def refusal(reason: str) -> OutboundError:
    """Log the reason for a refusal, and return the same error for every refusal.

    The reason must not contain a query string or user info.
    """
    logger.warning("An outgoing request was refused: %s.", reason)
    return OutboundError("refused")


def _ip(text: str) -> IPv4Address | IPv6Address | None:
    """Return the IP address in the text, or None.

    The result is None if the text is not an IP address or if it includes an IPv6 zone.
    """
    try:
        return None if "%" in text else ip_address(text)
    except ValueError:
        return None


def _ipv6(text: str) -> str:
    try:
        return str(IPv6Address(text))
    except ValueError:
        raise refusal("its IPv6 address is malformed") from None


def _ipv4_or_name(text: str) -> str:
    host = (text if text.isascii() else _punycode(text)).lower()
    if _ENDS_IN_NUMBER.fullmatch(host):
        return _ipv4(host)
    if len(host) > 253 or not _NAME.fullmatch(host):
        raise refusal("its host is malformed")
    return host


def _punycode(text: str) -> str:
    try:
        return httpx.URL(f"http://{text}/").raw_host.decode("ascii")
    except httpx.InvalidURL:
        raise refusal("its host is not a valid international name") from None


def _ipv4(text: str) -> str:
    try:
        return str(IPv4Address(text))
    except ValueError:
        raise refusal("its IPv4 address is not written as four plain numbers") from None


def _origin(scheme: str, host: str, port: int) -> str:
    name = f"[{host}]" if ":" in host else host
    return f"{scheme}://{name}" if port == _DEFAULT_PORTS[scheme] else f"{scheme}://{name}:{port}"


def _agreed(scheme: str, host: str, port: int, rest: str) -> httpx.URL:
    """Return the URL as httpx parses it. Raises OutboundError if httpx reads it differently."""
    try:
        url = httpx.URL(_origin(scheme, host, port) + rest)
        is_named = bool(url.host)  # Reading `host` decodes Punycode, which may be malformed.
    except (httpx.InvalidURL, UnicodeError):
        raise refusal("httpx considers it invalid") from None
    if not is_named or (url.scheme, url.raw_host.decode(), url.port or _DEFAULT_PORTS[scheme]) != (
        scheme,
        host,
        port,
    ):
        raise refusal("httpx reads it differently")
    return url
