"""URLs that lead, or seem to lead, to forbidden addresses. The addresses are spelled in many ways."""

from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Address


def words(text: str) -> list[str]:
    return text.split()


FORBIDDEN_IPV4 = words(
    """
    127.0.0.1 127.255.0.9 0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255
    100.100.100.200 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.192 192.0.2.1 192.88.99.1
    192.168.0.1 192.168.255.255 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.7 224.0.0.1
    239.255.255.250 240.0.0.1 255.255.255.255 168.63.129.16
    """
)
FORBIDDEN_IPV6 = words(
    """
    ::1 :: fe80::1 febf::1 fec0::1 fc00::1 fd00:ec2::254 fd20:ce::254 ff02::1 ff0e::1 ::127.0.0.1
    ::ffff:127.0.0.1 ::ffff:0:127.0.0.1 64:ff9b::7f00:1 64:ff9b:1::7f00:1 100::1 2001::1 2001:10::1
    2001:20::1 2001:0:7f00:1::80ff:fffe 2001:db8::1 2002:7f00:1::1 3fff::1 5f00::1 4000::1 1fff::1
    """
)
_FULLWIDTH = str.maketrans("0123456789.", "".join(chr(ord(sign) + 0xFEE0) for sign in "0123456789."))
_CIRCLED = str.maketrans("123456789", "①②③④⑤⑥⑦⑧⑨")
_SPELLED_IN_ALL_WAYS = ("127.0.0.1", "10.0.0.1", "169.254.169.254", "192.168.0.1", "100.64.0.1", "172.16.0.1")
_NAMES = words(
    """
    localhost localhost.localdomain LOCALHOST ip6-localhost metadata metadata.google.internal
    intranet 127.0.0.1.example.org localtest.example.org xn--mnchen-3ya.example münchen.example
    host_with_underscore
    """
)


def hostile_addresses(port: int) -> list[str]:
    """Return all URLs. The test listens on `port`."""
    return [*named_addresses(), *odd_addresses(port)]


def named_addresses() -> list[str]:
    """Return URLs with valid host names. The resolver determines which addresses these names lead to."""
    return [f"{scheme}://{name}/" for name in _NAMES for scheme in ("http", "https")]


def odd_addresses(port: int) -> list[str]:
    """Return URLs with IP addresses in all spellings and URLs with invalid host names."""
    found = [f"http://{ip}:{port}/" for ip in FORBIDDEN_IPV4]
    found += [f"http://[{ip}]:{port}/" for ip in FORBIDDEN_IPV6]
    for ip in _SPELLED_IN_ALL_WAYS:
        found += _spellings(ip, port)
    found += _broken("127.0.0.1", port)
    return list(dict.fromkeys(found))


def _spellings(ip: str, port: int) -> Iterator[str]:
    number = int(IPv4Address(ip))
    a, b, c, d = ip.split(".")
    hosts = [
        str(number),
        hex(number),
        f"0{number:o}",
        f"{number + 2**32}",
        ".".join(hex(int(part)) for part in ip.split(".")),
        ".".join(f"0{int(part):o}" for part in ip.split(".")),
        ".".join(f"{int(part):03}" for part in ip.split(".")),
        f"{a}.{b}.{int(c) * 256 + int(d)}",
        f"{a}.{number % 2**24}",
        f"0x{int(a):x}.{number % 2**24}",
        f"{a}.0x{number % 2**24:x}",
        f"{ip}.",
        f"{ip}..",
        f".{ip}",
        f"{ip}.0",
        ip.translate(_FULLWIDTH),
        ip.translate(_CIRCLED),
        ip.replace(".", "。"),
        ip.replace(".", "%2e"),
        f"%{ord(ip[0]):x}{ip[1:]}",
        f"{ip}%00",
        f"{ip}%00.example.org",
        f"{ip}\x00",
        f"{ip}\t",
        f"{ip[:2]}\t{ip[2:]}",
        f"{ip} ",
        f" {ip}",
        f"{ip}\u200b",
        f"\u202e{ip}",
        f"[{ip}]",
        f"[::ffff:{ip}]",
        f"[{IPv6Address(f'::ffff:{ip}')}]",
        f"[::{ip}]",
        f"[64:ff9b::{ip}]",
        f"[64:ff9b:1::{ip}]",
        f"[2002:{number >> 16:x}:{number & 0xFFFF:x}::1]",
        f"[2001:0:{number >> 16:x}:{number & 0xFFFF:x}::1]",
        "[fe80::1%25eth0]",
        "[fe80::1%eth0]",
        f"example.org@{ip}",
        f"user:word@{ip}",
        f"@{ip}",
        f"example.org:80@{ip}",
        f"example.org\\@{ip}",
        f"{ip}\\.example.org",
        f"{ip}:{port}:80",
        f"{ip}:0{port}",
        f"{ip}:",
        f"{ip}:-1",
        f"{ip}:{port + 65_536}",
        f"{ip}:\uff18\uff10",
    ]
    for host in hosts:
        yield f"http://{host}/"
    yield f"http://{ip}#@example.org/"
    yield f"http://{ip}?@example.org/"
    yield f"http://{ip}/@example.org/"


def _broken(ip: str, port: int) -> list[str]:
    end = f"{ip}:{port}/"
    return [
        "",
        " ",
        "http",
        "http:",
        "http://",
        "http:///",
        "http://:80/",
        f"http:{end}",
        f"http:/{end}",
        f"http:///{end}",
        f"http:\\\\{end}",
        f"http://\\{end}",
        f"//{end}",
        f"/{end}",
        end,
        f" http://{end}",
        f"\thttp://{end}",
        f"ht\ttp://{end}",
        f"ht\ntp://{end}",
        f"http://{end}\r\nHost: example.org",
        f"http\u017f://{end}",
        f"\uff48ttp://{end}",
        f"http\uff1a//{end}",
        f"http://example.org\n@{end}",
        f"http://[::1]{end}",
        "http://[::1/",
        "http://::1/",
        "http://[]/",
        f"http://[::1]:{port}x/",
        f"http://[0:0:0:0:0:ffff:127.0.0.1]:{port}/",
        f"http://[0000::0001]:{port}/",
        f"http://{'a' * 64}.example.org/",
        f"http://{'a.' * 127}example/",
        "http://-a.example.org/",
        "http://a..example.org/",
        "http://exa mple.org/",
        f"http://example.org/{'a' * 9_000}",
        "http://example.org/\ud800",
        "http://example.org/a b",
        "http://example.org/a\\b",
        "http://example.org/\u200b",
        "http://example.org/\u202egpj.png",
        "http://example.org/?a=\t",
        "http://example.org:22/",
        "http://example.org:6379/",
        "https://example.org:8443/",
        "http://example.org:99999/",
        "http://example.org:0/",
        "file:///etc/passwd",
        f"ftp://{end}",
        f"gopher://{end}",
        f"dict://{end}",
        f"ws://{end}",
        "unix:///run/docker.sock",
        "http+unix://%2Frun%2Fdocker.sock/",
        "data:image/png;base64,AAAA",
        "javascript:alert(1)",
        f"jar:http://{end}!/",
        f"http://http://{end}",
        "http://xn--a/",
        "http://xn--\u00fc.example/",
        "http://\u00ad127.0.0.1/",
        "http://\uff11\uff12\uff17.1/",
        "http://loc\u00adalhost/",
    ]
