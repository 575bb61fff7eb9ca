"""How much memory the portal's child processes may take, by what this machine, or its container, has."""

import os
from pathlib import Path

MIB = 1024**2
RESTING = 768 * MIB  # what the portal takes while nobody asks anything of it
MAPPED = 350 * MIB  # of a child's address space: libraries, which its siblings share and nobody pays twice
# Measured: rebuilding 40 megapixels of any promised kind takes up to 1.25 GB of address space (a WebP, which
# is decoded through three copies), and limits.MOST_MEGAPIXELS up to 2 GB.
MOST = 2048 * MIB
LEAST = 700 * MIB  # also on a machine with little memory
_CGROUPS = Path("/sys/fs/cgroup")


def machine_memory(cgroups: Path = _CGROUPS, ours: Path = Path("/proc/self/cgroup")) -> int:
    """Bytes of memory, of the machine or of the control group in which this process runs."""
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    files = [cgroups / "memory.max", cgroups / "memory/memory.limit_in_bytes"]
    if ours.exists():
        groups = (line.partition("::/")[2] for line in ours.read_text().splitlines())
        files += [cgroups / group / "memory.max" for group in groups if group]
    limits = (file.read_text().strip() for file in files if file.is_file())
    return min([total, *(int(limit) for limit in limits if limit.isdecimal())])


def at_once(memory: int | None = None) -> int:
    """How many photos are decoded, and how many edits are made, at the same time: two of each where all
    four of their children may grow to their limit, else one."""
    memory = machine_memory() if memory is None else memory
    return 2 if (memory - RESTING) // (MOST - MAPPED) >= 4 else 1


def child_memory(memory: int | None = None) -> int:
    """Bytes of address space for a child: together they leave the machine enough to go on."""
    memory = machine_memory() if memory is None else memory
    share = (memory - RESTING) // (2 * at_once(memory))
    return max(LEAST, min(MOST, MAPPED + share))
