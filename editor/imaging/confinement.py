"""Restrictions for a child process that reads hostile bytes.

Landlock limits which files the process can access, and seccomp blocks it from using the network and running
other programs. Both exist only on Linux; `missing_protections` reports what is missing. The kernel interface
is defined in include/uapi/linux/landlock.h, seccomp.h, and bpf_common.h.
"""

import ctypes
import os
import platform
import struct
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

_PROGRAM = (sys.prefix, sys.base_prefix, sys.exec_prefix, "/usr", "/lib", "/lib64", "/etc/ld.so.cache")
_DEVICES = ("/dev/null", "/dev/urandom")

# Landlock access rights as bits, and the interface versions that introduced them.
_CREATE_RULESET = 444  # landlock_create_ruleset(2)
_ADD_RULE = 445  # landlock_add_rule(2)
_RESTRICT_SELF = 446  # landlock_restrict_self(2)
_WRITE_FILE = 1 << 1
_READ_FILE = 1 << 2
_READ_DIR = 1 << 3
_REMOVE = 1 << 4 | 1 << 5  # rights to remove folders and files
_MAKE_DIR = 1 << 7
_MAKE_FILE = 1 << 8
_REFER = 1 << 13
_TRUNCATE = 1 << 14
_FIRST_RIGHTS = (1 << 13) - 1
_LATER_RIGHTS = {2: _REFER, 3: _TRUNCATE, 5: 1 << 15}
_OF_FILES = _READ_FILE | _WRITE_FILE | _TRUNCATE
_READ = _READ_FILE | _READ_DIR
_WRITE = _READ | _WRITE_FILE | _REMOVE | _MAKE_DIR | _MAKE_FILE | _REFER | _TRUNCATE
_TCP = 3  # the rights to bind and connect TCP sockets
# The scopes prevent the child from sending signals and connecting to abstract sockets outside its own domain.
_SCOPES = 3
# The lowest Landlock version that has TCP rights.
_WITH_TCP = 4
# The lowest Landlock version that has scopes.
_WITH_SCOPES = 6

# seccomp, for each machine: its audit number, the number of seccomp(2), and the rejected system calls. These
# calls are socket, connect, bind, socketpair, execve, execveat, ptrace, process_vm_readv, process_vm_writev,
# io_uring_setup, pidfd_getfd, bpf, unshare, setns, and mount.
_MACHINES = {
    "x86_64": (
        0xC000003E,
        317,
        (41, 42, 49, 53, 59, 322, 101, 310, 311, 425, 438, 321, 272, 308, 165),
    ),
    "aarch64": (
        0xC00000B7,
        277,
        (198, 203, 200, 199, 221, 281, 117, 270, 271, 425, 438, 280, 97, 268, 40),
    ),
}
_SET_FILTER = 1  # SECCOMP_SET_MODE_FILTER
_ALL_THREADS = 1  # SECCOMP_FILTER_FLAG_TSYNC
_NO_NEW_PRIVILEGES = 38  # PR_SET_NO_NEW_PRIVS from prctl(2)
_GET_SECCOMP = 21  # PR_GET_SECCOMP from prctl(2)
_LOAD = 0x20  # BPF_LD | BPF_W | BPF_ABS
_IS_EQUAL = 0x15  # BPF_JMP | BPF_JEQ | BPF_K
_IS_AT_LEAST = 0x35  # BPF_JMP | BPF_JGE | BPF_K
_RETURN = 0x06  # BPF_RET | BPF_K
_ALLOW = 0x7FFF0000  # SECCOMP_RET_ALLOW
_REFUSE = 0x00050000 | 13  # SECCOMP_RET_ERRNO with EACCES
_X32 = 0x40000000


@dataclass(frozen=True)
class FolderAccess:
    """The folders that a child may read, and the folders that it may also write to.

    A folder that does not exist when the child starts remains inaccessible, even if the folder is created
    later.
    """

    read: tuple[Path, ...] = ()
    write: tuple[Path, ...] = ()

    def folder_ids(self) -> list[tuple[int, int] | None]:
        """Return the folders' identities. A Landlock rule applies to a folder rather than to its name."""
        return [_mark(path) for path in (*self.read, *self.write)]


def apply_seccomp() -> None:
    """Block this process and all its threads from opening sockets and running or accessing other programs.

    This cannot be undone. Does nothing if the system does not have seccomp.
    """
    machine = _MACHINES.get(platform.machine())
    if not _has_seccomp() or machine is None:
        return
    audit, seccomp, refused = machine
    program = _filter(audit, refused)
    kept = ctypes.create_string_buffer(program, len(program))
    frame = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(kept))
    _call("prctl", _libc().prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0))
    _call("seccomp", _libc().syscall(seccomp, _SET_FILTER, _ALL_THREADS, frame))


def confine(access: FolderAccess, *, packages: Iterable[Path]) -> None:
    """Limit this thread, and threads that it starts, to certain folders.

    These are the folders in `access`, Python's files, and our `packages`. This cannot be undone. Does nothing
    if the system does not have Landlock. Raises OSError if Landlock exists but fails.
    """
    version = _landlock()
    if not version:
        return
    rights = _FIRST_RIGHTS
    for since, right in _LATER_RIGHTS.items():
        rights |= right if version >= since else 0
    rules = struct.pack("QQQ", rights, _TCP, _SCOPES)
    size = 24 if version >= _WITH_SCOPES else 16 if version >= _WITH_TCP else 8
    ruleset = _call("landlock_create_ruleset", _libc().syscall(_CREATE_RULESET, rules, size, 0))
    for path in (*map(Path, _PROGRAM), *packages, *access.read):
        _allow(ruleset, path, _READ & rights)
    for path in (*map(Path, _DEVICES), *access.write):
        _allow(ruleset, path, _WRITE & rights)
    _call("prctl", _libc().prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0))
    _call("landlock_restrict_self", _libc().syscall(_RESTRICT_SELF, ruleset, 0))
    os.close(ruleset)


def missing_protections() -> list[str]:
    """Return a phrase for each dangerous thing that a process that reads photos can do on this system."""
    found = []
    if not _landlock():
        found.append(
            "they can read this user's files, including the secrets (no Landlock, which needs Linux 5.13)"
        )
    if not _has_seccomp() or platform.machine() not in _MACHINES:
        found.append("they can use the network and run other programs (no seccomp filters)")
    return found


def _landlock() -> int:
    """Return the version of the kernel's Landlock, or 0 if it is missing or disabled."""
    if sys.platform != "linux":
        return 0
    ask_version = 1
    version: int = _libc().syscall(_CREATE_RULESET, None, 0, ask_version)
    return max(0, version)


def _has_seccomp() -> bool:
    return sys.platform == "linux" and int(_libc().prctl(_GET_SECCOMP, 0, 0, 0, 0)) >= 0


def _allow(ruleset: int, path: Path, rights: int) -> None:
    try:
        handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        allowed = rights if path.is_dir() else rights & _OF_FILES
        rule = struct.pack("=Qi", allowed, handle)
        beneath = 1
        _call("landlock_add_rule", _libc().syscall(_ADD_RULE, ruleset, beneath, rule, 0))
    finally:
        os.close(handle)


def _filter(audit: int, refused: tuple[int, ...]) -> bytes:
    """Return a BPF program that rejects these system calls and allows all others.

    System calls from a different architecture are also rejected.
    """
    # Offsets of the system call's number and architecture in struct seccomp_data.
    number, kind = 0, 4
    # Each jump contains the number of instructions to skip. The last instruction rejects the call.
    count = len(refused)
    steps = [(_LOAD, 0, 0, kind), (_IS_EQUAL, 0, count + 3, audit), (_LOAD, 0, 0, number)]
    steps += [(_IS_AT_LEAST, count + 1, 0, _X32)]
    steps += [(_IS_EQUAL, count - at, 0, call) for at, call in enumerate(refused)]
    steps += [(_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _REFUSE)]
    return b"".join(struct.pack("HBBI", *step) for step in steps)


def _mark(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _call(name: str, answer: int) -> int:
    if answer < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{name}: {os.strerror(code)}")
    return answer
