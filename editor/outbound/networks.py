"""Networks that belong to an operator: private networks and this machine."""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network


def networks(text: str) -> list[IPv4Network | IPv6Network]:
    """Parse networks separated by spaces."""
    return [ip_network(network) for network in text.split()]


# An operator can allow these networks by listing an origin in them.
PRIVATE = networks("10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 172.16.0.0/12 192.168.0.0/16 ::1/128 fc00::/7")


def is_in(ranges: list[IPv4Network | IPv6Network], ip: IPv4Address | IPv6Address) -> bool:
    """Check whether an IP address belongs to one of these networks."""
    return any(ip in network for network in ranges)


def is_private_host(host: str) -> bool:
    """Check whether a host is loopback, a private IP address, or a bare name such as "gpu" or "localhost".

    No name is looked up.
    """
    try:
        ip = ip_address(host)
    except ValueError:
        return "." not in host
    mapped = getattr(ip, "ipv4_mapped", None)
    return is_in(PRIVATE, mapped or ip)
