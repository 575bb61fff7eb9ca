"""Every outgoing HTTP request of our own code: guarded addresses, a wall-clock deadline, capped bytes.

An address is taken apart once, a name is resolved once, all its IPs must be allowed, and the socket opens to
one of exactly those. Only OutboundError is raised for what the far end or the address did.

`calls` and `addresses` bring httpx along, so verbs import them where they speak with another site: most
processes never do.
"""

from editor.outbound.contract import Answer as Answer
from editor.outbound.contract import Resolver as Resolver
from editor.outbound.contract import Rules as Rules
from editor.outbound.contract import system_resolver as system_resolver
from editor.outbound.errors import OutboundError as OutboundError
