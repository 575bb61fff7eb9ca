"""The memory that child processes may use, derived from the memory of the machine or container."""

import os
from pathlib import Path

MIB = 1024**2
IDLE_SITE_BYTES = 768 * MIB  # memory used by the site when it is idle
SHARED_LIBRARY_BYTES = (
    350 * MIB
)  # The part of a child's address space that holds libraries, which all children share.
# Measured: rebuilding 40 megapixels of any supported format takes up to 1.25 GB of address space (for a WebP,
# which is decoded through three copies), and limits.MOST_MEGAPIXELS takes up to 2 GB.
MAX_CHILD_BYTES = 2048 * MIB
MIN_CHILD_BYTES = 700 * MIB  # even on a machine with little memory
# Measured: an analysis takes 1020 MB of address space and 520 MB of memory, and for 40 megapixels 1130 MB and
# 630 MB. The encoder alone takes 720 MB of address space with 8-bit weights.
ANALYSIS_MOST = 1400 * MIB
ANALYSIS_LEAST = 1200 * MIB
ANALYSIS_MACHINE = 1800 * MIB  # A machine sold with 2 GB reports at least this much.
_CGROUPS = Path("/sys/fs/cgroup")


def machine_memory(cgroups: Path = _CGROUPS, ours: Path = Path("/proc/self/cgroup")) -> int:
    """Return the bytes of memory of the machine, or of the control group of this process if that is less."""
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    files = [cgroups / "memory.max", cgroups / "memory/memory.limit_in_bytes"]
    if ours.exists():
        groups = (line.partition("::/")[2] for line in ours.read_text().splitlines())
        files += [cgroups / group / "memory.max" for group in groups if group]
    limits = (file.read_text().strip() for file in files if file.is_file())
    return min([total, *(int(limit) for limit in limits if limit.isdecimal())])


def max_parallel_jobs(memory: int | None = None) -> int:
    """Return how many photos are decoded, and how many edits are run, in parallel.

    It is two of each if all four child processes can grow to their limit, and otherwise one.
    """
    memory = machine_memory() if memory is None else memory
    return 2 if (memory - IDLE_SITE_BYTES) // (MAX_CHILD_BYTES - SHARED_LIBRARY_BYTES) >= 4 else 1


def child_memory(memory: int | None = None) -> int:
    """Return the bytes of address space for a child, so that all of them leave the machine enough memory."""
    memory = machine_memory() if memory is None else memory
    share = (memory - IDLE_SITE_BYTES) // (2 * max_parallel_jobs(memory))
    return max(MIN_CHILD_BYTES, min(MAX_CHILD_BYTES, SHARED_LIBRARY_BYTES + share))


def analysis_memory(memory: int | None = None) -> int | None:
    """Return the bytes of address space for the child that analyzes photos, or None if there is too little.

    It adds nothing to the sum of all children: a worker runs it in place of an edit, and no two run on one
    machine.
    """
    memory = machine_memory() if memory is None else memory
    if memory < ANALYSIS_MACHINE:
        return None
    left = (
        memory - IDLE_SITE_BYTES - (child_memory(memory) - SHARED_LIBRARY_BYTES)
    )  # beside a child that decodes
    return max(ANALYSIS_LEAST, min(ANALYSIS_MOST, SHARED_LIBRARY_BYTES + left))


def takes_turns(memory: int | None = None) -> bool:
    """Return whether only one large child (an edit, a preview, or an analysis) may run at a time."""
    memory = machine_memory() if memory is None else memory
    return child_memory(memory) < MAX_CHILD_BYTES
