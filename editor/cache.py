"""The cache for CACHE_URL=redis://...

Its contents may be lost, but the rate limits counted in it must always work. Therefore, each process counts
in its own memory while Redis is unavailable.
"""

import logging
import time
from typing import Any

import redis
from django.core.cache.backends.base import BaseCache
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache

logger = logging.getLogger(__name__)
RESPONSE_SECONDS = 1  # seconds after which a cache that does not respond counts as unavailable
BACKOFF_SECONDS = 10


class RedisOrMemory(BaseCache):
    """A cache that uses Redis or, while Redis does not respond, the memory of this process.

    It raises no Redis errors.
    """

    def __init__(self, location: str, params: dict[str, Any]) -> None:
        super().__init__(params)
        patience = {"socket_timeout": RESPONSE_SECONDS, "socket_connect_timeout": RESPONSE_SECONDS}
        self._redis = RedisCache(location, {**params, "OPTIONS": patience})
        self._memory = LocMemCache("redis-is-away", params)
        self._away_until = 0.0

    def add(self, key: str, value: Any, *rest: Any, **named: Any) -> bool:
        return bool(self._ask("add", key, value, *rest, **named))

    def get(self, key: str, *rest: Any, **named: Any) -> Any:
        return self._ask("get", key, *rest, **named)

    def set(self, key: str, value: Any, *rest: Any, **named: Any) -> None:
        self._ask("set", key, value, *rest, **named)

    def touch(self, key: str, *rest: Any, **named: Any) -> bool:
        return bool(self._ask("touch", key, *rest, **named))

    def delete(self, key: str, *rest: Any, **named: Any) -> bool:
        return bool(self._ask("delete", key, *rest, **named))

    def clear(self) -> None:
        self._ask("clear")

    def _ask(self, verb: str, *arguments: Any, **named: Any) -> Any:
        if time.monotonic() >= self._away_until:
            try:
                return getattr(self._redis, verb)(*arguments, **named)
            except redis.RedisError as error:
                self._away_until = time.monotonic() + BACKOFF_SECONDS
                logger.warning("Redis is unavailable. Limits are counted in memory. %s", type(error).__name__)
        return getattr(self._memory, verb)(*arguments, **named)
