"""All outgoing HTTP requests, with guarded addresses, a wall-clock deadline, and size limits.

A URL is parsed once, and its host name is resolved once. All of the host's IP addresses must be allowed, and
the socket connects only to one of them. OutboundError is the only exception raised for a bad URL or a failing
remote site.

`calls` and `addresses` load httpx, which most processes never need. Therefore, services import these modules
only where they make a request.
"""

from editor.outbound.contract import Resolver as Resolver
from editor.outbound.contract import Response as Response
from editor.outbound.contract import Rules as Rules
from editor.outbound.contract import system_resolver as system_resolver
from editor.outbound.errors import OutboundError as OutboundError
