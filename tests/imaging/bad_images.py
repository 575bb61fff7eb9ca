"""Bad image files: 150 handmade ones, and any number of mutated ones.

The files are not photos, are broken, contain false information, or need too many resources. The command
`python -m tests.imaging.bad_images 1000 [SEED]` decodes all files and prints the resources that they needed.
"""

import io
import random
import resource
import struct
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pillow_heif
from PIL import Image

from editor.imaging import sandbox
from editor.imaging.errors import JobError, SandboxError
from editor.imaging.limits import UPLOADED
from editor.imaging.sandbox import DECODE, Sandbox
from tests.imaging.files import chunk, png

SECONDS = 10  # maximum CPU seconds per file
MEMORY = 1024**3  # maximum memory per file, in bytes
FORMATS = ("jpeg", "png", "webp", "avif", "heif")
OTHER_FORMATS = ("tiff", "gif", "bmp", "ico", "ppm", "pcx", "tga", "dds", "sgi", "eps", "pdf", "msp", "xbm")
TRIAL = replace(DECODE, cpu_seconds=SECONDS, packages=(*sandbox.OUR_PACKAGES, "tests.imaging"))
type Named = tuple[str, bytes]


@dataclass(frozen=True)
class Needs:
    """The maximum resources that any single file needed, and the outcomes of all files."""

    seconds: float
    memory: int
    taken: int
    refused: int
    lost: list[str]


def good(kind: str) -> bytes:
    """Return a small photo of noise, which no codec can compress well."""
    pixels = np.random.default_rng(7).integers(0, 255, (120, 160, 3), np.uint8)
    pillow_heif.register_heif_opener()
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, kind)
    return file.getvalue()


def by_hand() -> list[Named]:
    """Return the handmade files along with their names. Every call returns the same files."""
    return [*_broken(), *_other_files(), *_lying_pngs(), *_lying_jpegs(), *_bombs()]


def mutated(count: int, seed: int = 1) -> Iterator[Named]:
    """Yield copies of good files in which some bytes are flipped, removed, duplicated, or moved."""
    chance = random.Random(seed)
    originals = {kind: good(kind) for kind in FORMATS}
    for number in range(count):
        kind = FORMATS[number % len(FORMATS)]
        data = bytearray(originals[kind])
        for _ in range(chance.choice((1, 2, 4, 16, 64))):
            _mutate(data, chance)
        yield f"{kind} {seed}.{number}", bytes(data)


def measure_files(files: list[Named], child: Sandbox) -> Needs:
    """Rebuild the files in the child process, as if they were uploaded, one after another."""
    worst, memory, taken, refused, lost = 0.0, 0, 0, 0, []
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "upload"
        for name, data in files:
            source.write_bytes(data)
            try:
                child.call(
                    "editor.imaging.stored_photos:rebuild",
                    source=str(source),
                    target_stem=f"{folder}/photo",
                    limits=asdict(UPLOADED),
                )
                taken += 1
            except JobError:
                refused += 1
            except SandboxError as error:
                lost.append(f"{name}: {error.kind}")
            seconds, peak = child.call("tests.imaging.bad_images:resources_used")
            worst, memory = max(worst, seconds), max(memory, peak)
    return Needs(worst, memory, taken, refused, lost)


_before = [0.0]


def resources_used() -> tuple[float, int]:
    """Return the CPU seconds that this process has used since the last call, and its peak memory in bytes.

    getrusage is not used, because it would include the memory of the parent at the time of the fork.
    """
    used = resource.getrusage(resource.RUSAGE_SELF)
    now = used.ru_utime + used.ru_stime
    seconds, _before[0] = now - _before[0], now
    [most] = [line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")]
    return seconds, int(most.split()[1]) * 1024


def _broken() -> Iterator[Named]:
    for kind in FORMATS:
        data = good(kind)
        for part in range(1, 10):
            yield f"{kind} cut at {part}0%", data[: len(data) * part // 10]
        for part in range(5):
            hole = bytearray(data)
            start = len(data) * part // 5
            hole[start : start + 64] = bytes(64)
            yield f"{kind} with a hole at {part}", bytes(hole)
        yield f"{kind} without its head", data[12:]
        yield f"{kind} twice", data + data
        yield f"{kind} and a script", data + b"<?php system($_GET['c']); ?>" * 100


def _other_files() -> Iterator[Named]:
    image = Image.fromarray(np.zeros((40, 40, 3), np.uint8))
    for kind in OTHER_FORMATS:
        file = io.BytesIO()
        (image.convert("1") if kind in ("msp", "xbm") else image).save(file, kind)
        yield f"a {kind}", file.getvalue()
    texts = {
        "svg": b'<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>',
        "xml": b'<!DOCTYPE a [<!ENTITY b "bbbb">]><a>&b;</a>',
        "html": b"<html><script>alert(1)</script></html>",
        "zip": b"PK\x03\x04" + bytes(200),
        "gzip": b"\x1f\x8b\x08" + bytes(200),
        "elf": b"\x7fELF" + bytes(200),
        "psd": b"8BPS\x00\x01" + bytes(200),
        "fits": b"SIMPLE  =                    T" + b" " * 2850,
        "nothing": b"",
        "one byte": b"\xff",
        "zeros": bytes(100_000),
        "text": b"a photo " * 1000,
    }
    yield from ((f"a {name}", data) for name, data in texts.items())


def _lying_pngs() -> Iterator[Named]:
    row = b"\0" + bytes(48)
    wide = ((0, 16), (65_535, 65_535), (2**31 - 1, 1), (16_385, 1), (17, 16))
    for width, height in (*wide, (16, 0), (1, 2**31 - 1), (1, 16_385)):
        yield f"png that says {width} by {height}", png(width, height, 8, 2, row * 16)
    for depth, color in ((8, 1), (16, 3), (3, 2), (255, 2), (8, 9), (1, 6)):
        yield f"png of depth {depth} and color {color}", png(16, 16, depth, color, row * 16)
    for name in (b"zTXt", b"iTXt", b"iCCP", b"eXIf", b"tRNS", b"PLTE", b"acTL", b"gAMA"):
        yield f"png with a broken {name.decode()}", png(16, 16, 8, 2, row * 16, chunk(name, b"\xff" * 300))
    for name in (b"zTXt", b"iCCP"):
        bomb = chunk(name, b"a\0\0" + zlib.compress(bytes(30_000_000), 9))
        yield f"png with a bomb in {name.decode()}", png(16, 16, 8, 2, row * 16, bomb)
    yield "png with a palette of nothing", png(16, 16, 8, 3, (b"\0" + b"\xff" * 16) * 16)
    yield "png of 20,000 empty chunks", png(16, 16, 8, 2, row * 16, chunk(b"teXt", b"") * 20_000)
    yield "png with ten times the rows", png(16, 16, 8, 2, row * 160)


def _lying_jpegs() -> Iterator[Named]:
    data = good("jpeg")
    frame = data.index(b"\xff\xc0")
    for height, width in ((0, 160), (120, 0), (65_500, 65_500), (65_500, 1), (1, 65_500), (16_385, 8)):
        lie = bytearray(data)
        lie[frame + 5 : frame + 9] = struct.pack(">HH", height, width)
        yield f"jpeg that says {width} by {height}", bytes(lie)
    for at, value in ((4, 12), (9, 0), (9, 200), (11, 0xFF), (12, 9)):
        lie = bytearray(data)
        lie[frame + at] = value
        yield f"jpeg with {value} in byte {at} of its frame", bytes(lie)
    marker = b"\xff\xe1\xff\xff" + b"Exif\0\0MM\0*" + b"\xff" * 65_523
    yield "jpeg with a circular exif", data[:2] + marker + data[2:]
    yield (
        "jpeg with fifty comments of 64 kB",
        data[:2] + (b"\xff\xfe\xff\xff" + b"x" * 65_533) * 50 + data[2:],
    )
    yield "jpeg with a scan for each byte", data[:-2] + data[data.index(b"\xff\xda") : -2] * 200 + b"\xff\xd9"


def _bombs() -> Iterator[Named]:
    yield "png of one color, 81 megapixels", png(9000, 9000, 8, 0, bytes(9001 * 9000))
    yield "png of one bit, 268 megapixels", png(16_384, 16_384, 1, 0, bytes(2049 * 16_384))
    yield "png of 16 bits, 40 megapixels", png(6300, 6300, 16, 2, bytes((6300 * 6 + 1) * 6300))
    flat = Image.new("RGB", (6320, 6320), "teal")
    for kind, options in (("jpeg", {"progressive": True}), ("webp", {"quality": 1})):
        yield f"{kind} of 40 megapixels", _encoded(flat, kind, **options)
    frames = [Image.new("RGB", (400, 400), (n, n, n)) for n in range(120)]
    for kind in ("webp", "png"):
        yield f"animated {kind}", _encoded(frames[0], kind, save_all=True, append_images=frames[1:])


def _encoded(image: Image.Image, kind: str, **options: Any) -> bytes:
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def _mutate(data: bytearray, chance: random.Random) -> None:
    if not data:
        return
    at, length = chance.randrange(len(data)), chance.randint(1, 32)
    # Put most mutations near the start of the file, because the first bytes have the most influence.
    at = chance.randrange(min(len(data), 200)) if chance.random() < 0.5 else at
    match chance.randrange(5):
        case 0:
            data[at] ^= 1 << chance.randrange(8)
        case 1:
            data[at] = chance.choice((0, 1, 0x7F, 0x80, 0xFF))
        case 2:
            del data[at : at + length]
        case 3:
            data[at:at] = data[at : at + length]
        case 4:
            data[at : at + 4] = struct.pack(">I", chance.choice((0, 1, 2**31 - 1, 2**32 - 1, len(data))))


def main(count: int, seed: int) -> int:
    """Return 1 if a child process needed too many resources or was lost."""
    child, begun = Sandbox(TRIAL), time.monotonic()
    needs = measure_files([*by_hand(), *mutated(count, seed)], child)
    child.close()
    sys.stdout.write(
        f"{needs.taken} taken, {needs.refused} refused, {len(needs.lost)} children lost in "
        f"{time.monotonic() - begun:.0f} s; at most {needs.seconds:.1f} s of CPU and "
        f"{needs.memory / 1024**2:.0f} MB\n"
    )
    sys.stdout.writelines(f"{line}\n" for line in needs.lost)
    return int(bool(needs.lost) or needs.seconds > SECONDS or needs.memory > MEMORY)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else 1000, int(sys.argv[2]) if sys.argv[2:] else 1))
