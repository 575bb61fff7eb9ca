"""The amount of memory that child processes may use, based on the memory of the machine or container."""

import os
from functools import cache
from pathlib import Path

MIB = 1024**2
# Memory that the idle site uses, in bytes.
IDLE_SITE_BYTES = 768 * MIB
# The part of a child's address space that contains libraries. All children share this part.
SHARED_LIBRARY_BYTES = 350 * MIB
# Maximum address space of a child. Measured: rebuilding 40 megapixels takes up to 1.25 GB of address space in
# any supported format. (WebP takes the most, because it is decoded through three copies.) Rebuilding
# limits.MAX_MEGAPIXELS takes up to 2 GB.
MAX_CHILD_BYTES = 2048 * MIB
# Minimum address space of a child, even on a machine with little memory.
MIN_CHILD_BYTES = 700 * MIB
# Maximum and minimum address space of the child that analyzes photos. Measured: an analysis takes 1120 MiB of
# address space and 540 MB of memory, or 1195 MiB and 620 MB for 40 megapixels. With the maximum, two networks
# run at the same time. This takes up to 1310 MiB and 710 MB, or 1500 MiB and 830 MB for 40 megapixels. The
# encoder alone takes 720 MB of address space with 8-bit weights.
MAX_ANALYSIS_BYTES = 1800 * MIB
MIN_ANALYSIS_BYTES = 1200 * MIB
# Maximum memory of the child for previews, which stays in memory for as long as the site runs.
PREVIEW_BYTES = 400 * MIB
# Part of that child's address space that is reserved for threads but not used. Measured: filling a hole takes
# 380 MB of memory, and 430 MB of address space in addition to the libraries.
PREVIEW_RESERVED_BYTES = 100 * MIB
PREVIEW_ADDRESS_BYTES = SHARED_LIBRARY_BYTES + PREVIEW_BYTES + PREVIEW_RESERVED_BYTES
# Minimum memory of a machine that analyzes photos and creates previews. A machine sold with 2 GB reports at
# least this much.
MIN_ANALYSIS_MACHINE_BYTES = 1800 * MIB
_CGROUPS = Path("/sys/fs/cgroup")


def machine_memory(cgroups: Path = _CGROUPS, ours: Path = Path("/proc/self/cgroup")) -> int:
    """Return the machine's memory in bytes, or the limit of this process's control group if it is lower."""
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    files = [cgroups / "memory.max", cgroups / "memory/memory.limit_in_bytes"]
    if ours.exists():
        groups = (line.partition("::/")[2] for line in ours.read_text().splitlines())
        files += [cgroups / group / "memory.max" for group in groups if group]
    limits = (file.read_text().strip() for file in files if file.is_file())
    return min([total, *(int(limit) for limit in limits if limit.isdecimal())])


@cache
def _memory_here() -> int:
    """Return the memory of this machine. It is read once, because each page and preview depends on it."""
    return machine_memory()


def max_parallel_jobs(memory: int | None = None) -> int:
    """Return the maximum number of photos that are decoded, or edited, in parallel.

    This is 2 if the machine has enough memory for four child processes at their limit. Otherwise, it is 1.
    """
    free = _memory_for_jobs(_memory_here() if memory is None else memory)
    return 2 if free // (MAX_CHILD_BYTES - SHARED_LIBRARY_BYTES) >= 4 else 1


def child_memory(memory: int | None = None) -> int:
    """Return the address space of a child in bytes. All children together leave enough memory to the site."""
    memory = _memory_here() if memory is None else memory
    share = _memory_for_jobs(memory) // (2 * max_parallel_jobs(memory))
    return max(MIN_CHILD_BYTES, min(MAX_CHILD_BYTES, SHARED_LIBRARY_BYTES + share))


def analysis_memory(memory: int | None = None) -> int | None:
    """Return the address space, in bytes, of the child that analyzes photos.

    Returns None if memory is too small. This child does not increase the total memory of all children:
    a worker runs it in place of an edit, and a machine runs only one analysis at a time.
    """
    memory = _memory_here() if memory is None else memory
    if memory < MIN_ANALYSIS_MACHINE_BYTES:
        return None
    # bytes of memory that remain while one child decodes a photo
    left = _memory_for_jobs(memory) - (child_memory(memory) - SHARED_LIBRARY_BYTES)
    return max(MIN_ANALYSIS_BYTES, min(MAX_ANALYSIS_BYTES, SHARED_LIBRARY_BYTES + left))


def preview_memory(memory: int | None = None) -> int | None:
    """Return the address space, in bytes, of the child for previews, or None if memory is too small."""
    memory = _memory_here() if memory is None else memory
    return None if memory < MIN_ANALYSIS_MACHINE_BYTES else PREVIEW_ADDRESS_BYTES


def takes_turns(memory: int | None = None) -> bool:
    """Return whether only one large child (an edit, a preview, or an analysis) may run at a time."""
    memory = _memory_here() if memory is None else memory
    return child_memory(memory) < MAX_CHILD_BYTES


def _memory_for_jobs(memory: int) -> int:
    """Return how many bytes of memory the idle site and its child for previews leave for jobs."""
    previews = PREVIEW_BYTES if memory >= MIN_ANALYSIS_MACHINE_BYTES else 0
    return memory - IDLE_SITE_BYTES - previews
